// Speller: the tokens of bytes that an output is to go on with.
//
// They are what the tokenizer makes of the end of the output and those bytes together, so
// that a model would have met them in training. Accepted tokens are never rewritten: where
// the seam would change one of them there is no answer. Bytes are those that a grammar reads
// (grammar/vocabulary.h): codes in them are special tokens, and text before and behind one is made
// into tokens by itself.
//
// Thread safety: immutable.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/types.h"
#include "runtime/tokenizer/tokenizer.h"

namespace espalier {

class Speller {
 public:
  // So many of the last tokens go into the tokenizer, and so many of them, or all if there
  // are fewer, must come out as they were: those before are there only so that the cut of
  // the text does not show.
  static constexpr std::size_t kMostBefore = 12;
  static constexpr std::size_t kMostKept = 4;

  explicit Speller(std::shared_ptr<const Tokenizer> tokenizer);

  // The tokens of `bytes` after `tokens`; nothing where they do not come out as bytes for
  // bytes and token for token. A code that is cut off is left out. O(size of bytes).
  std::optional<std::vector<TokenId>> After(std::span<const TokenId> tokens,
                                            std::string_view bytes) const;

  // Never fails where the vocabulary has a token for each byte, as all have that grammars
  // are compiled for: if need be, the seam is cut and then the text.
  std::vector<TokenId> AfterAnyway(std::span<const TokenId> tokens, std::string_view bytes) const;

  // The least tokens, of which all outputs can be made: those of one byte, in byte order, one
  // for each, then the special ones.
  const std::vector<TokenId>& least_tokens() const { return least_tokens_; }
  // That with which `bytes` begin, if there is one.
  std::optional<TokenId> FirstLeast(std::string_view bytes) const;

  const Vocabulary& vocabulary() const { return *vocabulary_; }

 private:
  std::optional<std::vector<TokenId>> TextAfter(std::span<const TokenId> tokens,
                                                std::string_view text) const;

  const std::shared_ptr<const Tokenizer> tokenizer_;
  const std::shared_ptr<const Vocabulary> vocabulary_;
  std::array<std::optional<TokenId>, 256> byte_tokens_;
  std::vector<TokenId> least_tokens_;
};

}  // namespace espalier
