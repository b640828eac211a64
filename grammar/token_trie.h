// TokenTrie: the tokens of a vocabulary as a trie of bytes, to be walked together
// with an automaton: a beginning that the automaton refuses rules out all tokens below
// it in one step.
//
// The nodes stand in one flat array in preorder, the children of a node in byte
// order, each with the index past its subtree: skipping one is an assignment. Sorted
// by bytes, the tokens are in preorder too, so a node's tokens are a range of one
// array. Built without recursion: a token may be as long as it likes.
//
// Thread safety: immutable.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/base/types.h"

namespace espalier {

class Vocabulary;

class TokenTrie {
 public:
  struct Node {
    std::uint32_t subtree_end;
    std::uint32_t depth;        // of a first byte: 1
    std::uint32_t first_token;  // in tokens(); the range ends with the next node's
    std::uint8_t byte;
  };

  // The tokens that a grammar can match: all but end tokens and those without a spelling.
  // O(bytes of the vocabulary), and a sort.
  explicit TokenTrie(const Vocabulary& vocabulary);
  // Some of them.
  TokenTrie(const Vocabulary& vocabulary, std::vector<TokenId> tokens);

  std::span<const Node> nodes() const { return nodes_; }
  std::span<const TokenId> tokens() const { return tokens_; }  // sorted by bytes, then by id
  std::size_t num_nodes() const { return nodes_.size(); }
  std::size_t num_tokens() const { return tokens_.size(); }
  std::size_t max_depth() const { return max_depth_; }  // bytes of the longest token

  // The node at the end of `bytes`; empty if no token begins with them.
  std::optional<std::size_t> Find(std::string_view bytes) const;
  std::span<const TokenId> TokensAt(std::size_t node) const { return TokensOf(node, node + 1); }
  // Those of the node and of all below it.
  std::span<const TokenId> TokensBelow(std::size_t node) const {
    return TokensOf(node, nodes_[node].subtree_end);
  }

  // True if some token is this byte alone.
  bool has_byte(std::uint8_t byte) const { return has_byte_[byte]; }

 private:
  std::span<const TokenId> TokensOf(std::size_t node, std::size_t end) const {
    const std::size_t last = end < nodes_.size() ? nodes_[end].first_token : tokens_.size();
    return std::span(tokens_).subspan(nodes_[node].first_token, last - nodes_[node].first_token);
  }

  void Add(std::string_view bytes, std::size_t num_shared, std::vector<std::uint32_t>* path);

  std::bitset<256> has_byte_;
  std::size_t max_depth_ = 0;
  std::vector<Node> nodes_;
  std::vector<TokenId> tokens_;  // sorted by bytes, then by id
};

}  // namespace espalier
