// ForcedTokens: jump-forward. Where a grammar leaves an output only one way on, the tokens
// of that way, which need no sampling.
//
// They are canonical: those that the tokenizer makes of the text (speller.h). Text that
// comes later could still change the last of them, so they are dropped wherever some token
// that the grammar allows begins with the bytes of the last one, two, three or four of them
// and runs past. So a model that is free to choose, and chooses as its tokenizer would,
// comes to the same tokens.
// Source of the rule: llguidance's forced tokens, with the grammar's say in it.
//
// Thread safety: immutable.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "grammar/matcher.h"
#include "runtime/engine/speller.h"

namespace espalier {

class ForcedTokens {
 public:
  static constexpr std::size_t kLookBack = 4;  // last tokens that may be dropped

  // `speller` must outlive this object.
  explicit ForcedTokens(const Speller& speller) : speller_(speller) {}

  // What must follow `tokens`, of which the output's are those that `matcher` has accepted;
  // maybe none. Where very much is forced, the beginning of it. The matcher is left as it
  // was.
  std::vector<TokenId> After(std::span<const TokenId> tokens, GrammarMatcher& matcher) const;

 private:
  std::size_t NumOpen(std::span<const TokenId> forced, GrammarMatcher& matcher) const;
  bool IsOpen(std::string_view rest, GrammarMatcher& matcher) const;

  const Speller& speller_;
};

}  // namespace espalier
