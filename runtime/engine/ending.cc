#include "runtime/engine/ending.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace espalier {

TokenId Ending::Choose(TokenId sampled, std::span<const TokenId> tokens, std::int64_t num_left) {
  if (!has_begun_ && Fits(sampled, tokens, num_left - 1)) return sampled;
  has_begun_ = true;
  if (ending_.empty()) {
    const std::vector<TokenId> shortest = Shortest(tokens);
    ending_.assign(shortest.begin(), shortest.end());
  }
  return Next(sampled);
}

TokenId Ending::Next(TokenId sampled) {
  if (ending_.empty()) {
    const std::vector<TokenId>& ends = speller_.vocabulary().end_tokens();
    return ends.empty() ? sampled : ends.front();
  }
  const TokenId next = ending_.front();
  ending_.pop_front();
  return next;
}

bool Ending::Fits(TokenId sampled, std::span<const TokenId> tokens, std::int64_t num_left) {
  if (!matcher_.Accept(sampled)) return true;  // not for us to judge
  const std::uint64_t num_bytes = matcher_.MinBytesToEnd();
  bool fits = num_bytes <= static_cast<std::uint64_t>(num_left);
  if (!fits && num_bytes <= kMostSpelled && num_left > 0) {
    std::vector<TokenId> with(
        tokens.end() - static_cast<std::ptrdiff_t>(std::min(tokens.size(), Speller::kMostBefore)),
        tokens.end());
    with.push_back(sampled);
    fits = Shortest(with).size() <= static_cast<std::size_t>(num_left);
  }
  matcher_.Rollback(1);
  return fits;
}

std::vector<TokenId> Ending::Shortest(std::span<const TokenId> tokens) {
  return speller_.AfterAnyway(tokens, ShortestBytes());
}

std::string Ending::ShortestBytes() {
  const int before = matcher_.num_accepted();
  std::string bytes;
  while (!matcher_.done() && bytes.size() < kMostSpelled && StepToEnd(bytes)) {
  }
  matcher_.Rollback(matcher_.num_accepted() - before);
  return bytes;
}

// Goes one least token, or those that are forced, along a shortest way to the end.
bool Ending::StepToEnd(std::string& bytes) {
  const Vocabulary& vocabulary = speller_.vocabulary();
  const std::string forced = matcher_.ForcedBytes();
  std::string_view rest = forced;
  while (const std::optional<TokenId> token = speller_.FirstLeast(rest)) {
    if (bytes.size() >= kMostSpelled) return true;
    if (!matcher_.Accept(*token)) return false;
    bytes += vocabulary.spelling(*token);
    rest.remove_prefix(vocabulary.spelling(*token).size());
  }
  if (rest.size() < forced.size()) return true;
  const std::uint64_t num_bytes = matcher_.MinBytesToEnd();
  for (const TokenId token : speller_.least_tokens()) {
    if (!matcher_.Accept(token)) continue;
    if (matcher_.MinBytesToEnd() < num_bytes) {
      bytes += vocabulary.spelling(token);
      return true;
    }
    matcher_.Rollback(1);
  }
  return false;  // over a limit
}

}  // namespace espalier
