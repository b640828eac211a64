// Ending: keeps one constrained output completable within its budget of tokens (the option
// `complete`).
//
// As long as the shortest ending behind a sampled token fits what is left, the token
// stands. Then comes the shortest ending instead, of several the one that is first in byte
// order. It fits if its bytes are not more than the tokens left, since each byte is at
// worst one token; or if it was spelled out and its tokens are not more. So what fits
// before a token still fits after, and an output that could be completed when it began is
// completed; one that could not takes the shortest ending as far as that goes.
//
// Thread safety: none on one object.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "grammar/matcher.h"
#include "runtime/engine/speller.h"

namespace espalier {

class Ending {
 public:
  // So many bytes are spelled at a time. Longer endings are judged by their bytes alone.
  static constexpr std::uint64_t kMostSpelled = 1024;

  // Both must outlive this object.
  Ending(const Speller& speller, GrammarMatcher& matcher) : speller_(speller), matcher_(matcher) {}

  // The token to take after `tokens` in place of `sampled`, which the matcher allows;
  // num_left may come, it included. The matcher is left as it was. REQUIRES: num_left >= 1.
  // What the grammar forces is chosen by this too: it may spell the bytes of the ending in
  // more tokens.
  TokenId Choose(TokenId sampled, std::span<const TokenId> tokens, std::int64_t num_left);

  // Whether the shortest ending is on its way: no token but those of Choose may come.
  bool has_begun() const { return has_begun_; }

 private:
  bool Fits(TokenId sampled, std::span<const TokenId> tokens, std::int64_t num_left);
  std::vector<TokenId> Shortest(std::span<const TokenId> tokens);
  std::string ShortestBytes();
  bool StepToEnd(std::string& bytes);
  TokenId Next(TokenId sampled);

  const Speller& speller_;
  GrammarMatcher& matcher_;
  bool has_begun_ = false;
  std::deque<TokenId> ending_;  // what is to come, once it has begun, as far as spelled
};

}  // namespace espalier
