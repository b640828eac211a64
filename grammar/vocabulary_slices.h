// VocabularySlices: the tokens of a vocabulary that are plain text, as ready masks, so
// that where any plain text may follow (inside a string) most of the vocabulary is allowed
// in one sweep, and only the rest has to be looked at (the slices of llguidance).
//
// Plain text is whole code points from U+0020 on, without quotation marks and backslashes
// (what stands for itself in a JSON string), and without Unicode spaces (which `\S` and `.`
// of patterns leave out). Where a regex refuses some kinds of it, the tokens with those are
// taken out of the mask, and found in the trie by what stands below each node.
//
// Thread safety: immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "grammar/regex/byte_set.h"
#include "grammar/token_trie.h"

namespace espalier {

// Tokens of more than kMaxShortBytes bytes are kept apart: they are few, and the others
// cannot tell a count above that from a larger one.
enum class TokenLength : std::uint8_t { kShort, kLong };

class VocabularySlices {
 public:
  static constexpr std::size_t kMaxChars = 32;
  static constexpr std::size_t kMaxShortBytes = 32;

  // The kinds of plain characters: each of ASCII by itself, and all others together.
  static constexpr std::uint8_t kBeyondAscii = 0x80;
  static constexpr ByteSet PlainKinds();

  explicit VocabularySlices(const Vocabulary& vocabulary);

  // The short plain tokens of at most `num_chars` code points, as words of a mask.
  // REQUIRES: num_chars <= kMaxChars
  std::span<const std::uint32_t> Plain(std::size_t num_chars) const { return plain_[num_chars]; }
  // The short tokens that are not plain.
  const TokenTrie& rest() const { return rest_; }
  const TokenTrie& long_tokens() const { return long_tokens_; }

  // Takes the plain tokens with characters of `kinds` out of a mask.
  void Remove(const ByteSet& kinds, std::span<std::uint32_t> words) const;
  // True if a short token at or below `node` of the vocabulary's trie is not plain, or has
  // characters of `kinds`.
  bool HasBelow(std::size_t node, const ByteSet& kinds) const {
    return !(kinds_below_[node] & (kinds | ByteSet::Of(kNotPlain))).empty();
  }

 private:
  static constexpr std::uint8_t kNotPlain = 0x00;  // beside the kinds of kinds_below_

  static ByteSet KindsOf(std::string_view bytes);
  void NoteKinds(const Vocabulary& vocabulary);

  std::vector<std::vector<std::uint32_t>> plain_;      // [kMaxChars + 1][words]
  std::vector<std::vector<std::uint32_t>> with_kind_;  // [kBeyondAscii + 1][words or none]
  std::vector<ByteSet> kinds_below_;                   // [nodes of the vocabulary's trie]
  const TokenTrie rest_, long_tokens_;
};

constexpr ByteSet VocabularySlices::PlainKinds() {
  const ByteSet special = ByteSet::Of('"') | ByteSet::Of('\\');
  return ByteSet::Range(0x20, kBeyondAscii) & ~special;
}

}  // namespace espalier
