#include "runtime/engine/forced_tokens.h"

#include <algorithm>
#include <optional>
#include <string>

#include "grammar/token_trie.h"

namespace espalier {
std::vector<TokenId> ForcedTokens::After(std::span<const TokenId> tokens,
                                         GrammarMatcher& matcher) const {
  const std::string bytes = matcher.ForcedBytes();
  if (bytes.empty()) return {};
  std::vector<TokenId> forced = speller_.After(tokens, bytes).value_or(std::vector<TokenId>());
  int num_accepted = 0;
  for (const TokenId token : forced) {
    if (!matcher.Accept(token)) break;  // over a limit
    ++num_accepted;
  }
  forced.resize(static_cast<std::size_t>(num_accepted));
  const std::size_t num_open = NumOpen(forced, matcher);
  matcher.Rollback(num_accepted - static_cast<int>(std::min(kLookBack, forced.size())));
  forced.resize(forced.size() - num_open);
  return forced;
}

// How many of the last tokens text that comes later could change. Takes back up to
// kLookBack of them.
std::size_t ForcedTokens::NumOpen(std::span<const TokenId> forced, GrammarMatcher& matcher) const {
  std::size_t num_open = 0;
  std::string rest;
  const bool ends = matcher.finished();
  for (std::size_t i = 1; i <= std::min(kLookBack, forced.size()); ++i) {
    matcher.Rollback(1);
    rest.insert(0, speller_.vocabulary().spelling(forced[forced.size() - i]));
    if (!ends && IsOpen(rest, matcher)) num_open = i;
  }
  return num_open;
}

// Whether the matcher takes a token that begins with `rest` and is longer. After a few
// tries that failed the answer is yes, which is always safe.
bool ForcedTokens::IsOpen(std::string_view rest, GrammarMatcher& matcher) const {
  constexpr std::size_t kMostTried = 32;
  const TokenTrie& trie = speller_.vocabulary().trie();
  const std::optional<std::size_t> node = trie.Find(rest);
  if (!node) return false;
  const auto longer = trie.TokensBelow(*node).subspan(trie.TokensAt(*node).size());
  if (longer.size() > kMostTried) return true;
  return std::ranges::any_of(longer, [&matcher](TokenId token) {
    const bool taken = matcher.Accept(token);
    if (taken) matcher.Rollback(1);
    return taken;
  });
}

}  // namespace espalier
