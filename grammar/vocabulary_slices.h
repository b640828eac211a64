// VocabularySlices: the tokens of a vocabulary that are plain text, as ready masks, so
// that where any plain text may follow (inside a string) most of the vocabulary is allowed
// in one sweep, and only the rest has to be looked at (the slices of llguidance).
//
// Plain text is whole code points from U+0020 on, without quotation marks and backslashes
// (what stands for itself in a JSON string), and without U+2028 and U+2029 (which the `.`
// of patterns leaves out).
//
// Thread safety: immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "grammar/regex/byte_set.h"
#include "grammar/regex/regex_set.h"
#include "grammar/token_trie.h"

namespace espalier {

// Tokens of more than kMaxShortBytes bytes are kept apart: they are few, and the others
// cannot tell a count above that from a larger one.
enum class TokenLength : std::uint8_t { kShort, kLong };

class VocabularySlices {
 public:
  static constexpr std::size_t kMaxChars = 32;
  static constexpr std::size_t kMaxShortBytes = 32;

  explicit VocabularySlices(const Vocabulary& vocabulary);

  // The short plain tokens of at most `num_chars` code points, as words of a mask.
  // REQUIRES: num_chars <= kMaxChars
  std::span<const std::uint32_t> Plain(std::size_t num_chars) const { return plain_[num_chars]; }
  // The short tokens that are not plain.
  const TokenTrie& rest() const { return rest_; }
  const TokenTrie& long_tokens() const { return long_tokens_; }

 private:
  std::vector<std::vector<std::uint32_t>> plain_;  // [kMaxChars + 1][words]
  const TokenTrie rest_, long_tokens_;
};

// How much plain text may follow a regex.
struct PlainRun {
  // Every plain text of at most this many code points is the beginning of some string of
  // the language; at most VocabularySlices::kMaxChars.
  std::size_t num_chars = 0;
  // No longer plain text is, and none of at most that length is a string of the language.
  bool refuses_more = false;
};
PlainRun MeasurePlainRun(RegexSet& set, RegexId regex);

}  // namespace espalier
