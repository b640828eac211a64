#include "grammar/token_trie.h"

#include <algorithm>
#include <utility>

#include "grammar/vocabulary.h"

namespace espalier {

namespace {

std::vector<TokenId> MatchableTokens(const Vocabulary& vocabulary) {
  std::vector<char> excluded(vocabulary.size(), 0);
  for (TokenId token : vocabulary.end_tokens()) {
    if (token >= 0 && static_cast<std::size_t>(token) < excluded.size()) {
      excluded[static_cast<std::size_t>(token)] = 1;
    }
  }
  std::vector<TokenId> tokens;
  for (std::size_t t = 0; t < vocabulary.size(); ++t) {
    const TokenId token = static_cast<TokenId>(t);
    if (excluded[t] == 0 && !vocabulary.spelling(token).empty()) tokens.push_back(token);
  }
  return tokens;
}

}  // namespace

TokenTrie::TokenTrie(const Vocabulary& vocabulary)
    : TokenTrie(vocabulary, MatchableTokens(vocabulary)) {}

TokenTrie::TokenTrie(const Vocabulary& vocabulary, std::vector<TokenId> tokens)
    : tokens_(std::move(tokens)) {
  std::stable_sort(tokens_.begin(), tokens_.end(), [&](TokenId a, TokenId b) {
    return vocabulary.spelling(a) < vocabulary.spelling(b);
  });

  std::vector<std::uint32_t> path;  // the open nodes, from the first byte on
  std::string_view before;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const std::string_view bytes = vocabulary.spelling(tokens_[i]);
    if (bytes.size() == 1) has_byte_.set(static_cast<std::uint8_t>(bytes[0]));
    const auto diff = std::mismatch(before.begin(), before.end(), bytes.begin(), bytes.end());
    const std::size_t num_shared = static_cast<std::size_t>(diff.first - before.begin());
    if (num_shared < bytes.size()) {
      const std::size_t first_new = nodes_.size();
      Add(bytes, num_shared, &path);
      for (std::size_t n = first_new; n < nodes_.size(); ++n) {
        nodes_[n].first_token = static_cast<std::uint32_t>(i);
      }
    }
    before = bytes;
  }
  for (std::uint32_t n : path) nodes_[n].subtree_end = static_cast<std::uint32_t>(nodes_.size());
}

std::optional<std::size_t> TokenTrie::Find(std::string_view bytes) const {
  std::size_t depth = 0;  // bytes found
  for (std::size_t i = 0; i < nodes_.size() && depth < bytes.size() && nodes_[i].depth > depth;) {
    if (nodes_[i].byte != static_cast<std::uint8_t>(bytes[depth])) {
      i = nodes_[i].subtree_end;
      continue;
    }
    if (++depth == bytes.size()) return i;
    ++i;
  }
  return std::nullopt;
}

// Closes the nodes of `path` that `bytes` does not run through, and opens new ones.
void TokenTrie::Add(std::string_view bytes, std::size_t num_shared,
                    std::vector<std::uint32_t>* path) {
  for (std::size_t d = num_shared; d < path->size(); ++d) {
    nodes_[(*path)[d]].subtree_end = static_cast<std::uint32_t>(nodes_.size());
  }
  path->resize(num_shared);
  for (std::size_t d = num_shared; d < bytes.size(); ++d) {
    path->push_back(static_cast<std::uint32_t>(nodes_.size()));
    nodes_.push_back({.subtree_end = 0,
                      .depth = static_cast<std::uint32_t>(d + 1),
                      .first_token = 0,
                      .byte = static_cast<std::uint8_t>(bytes[d])});
  }
  max_depth_ = std::max(max_depth_, bytes.size());
}

}  // namespace espalier
