// TokenTrie: the tokens of a vocabulary as a trie of bytes, to be walked together
// with an automaton: a prefix that the automaton refuses rules out all tokens below
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
#include <span>
#include <string_view>
#include <vector>

#include "kernels/base/types.h"

namespace espalier {

class Vocabulary;

class TokenTrie {
 public:
  // O(bytes of the vocabulary), and a sort.
  explicit TokenTrie(const Vocabulary& vocabulary);

  std::size_t num_nodes() const { return nodes_.size(); }
  std::size_t num_tokens() const { return tokens_.size(); }

  // True if some token is this byte alone.
  bool has_byte(std::uint8_t byte) const { return has_byte_[byte]; }

  // Runs an automaton over all tokens from state `start`. step(state, byte, &next)
  // says whether the byte may follow, and where it leads; visit(tokens, state) is
  // called for the tokens that end at a node that was reached, until it returns
  // false. `states` is scratch space, kept by the caller so that no walk allocates.
  template <typename State, typename Step, typename Visit>
  void Walk(State start, std::vector<State>* states, const Step& step, const Visit& visit) const {
    if (states->size() < max_depth_ + 1) states->resize(max_depth_ + 1);
    State* at = states->data();
    at[0] = start;
    for (std::size_t i = 0; i < nodes_.size();) {
      const Node& node = nodes_[i];
      if (!step(at[node.depth - 1], node.byte, &at[node.depth])) {
        i = node.subtree_end;
        continue;
      }
      const auto tokens = TokensAt(i);
      if (!tokens.empty() && !visit(tokens, at[node.depth])) return;
      ++i;
    }
  }

 private:
  struct Node {
    std::uint32_t subtree_end;
    std::uint32_t depth;        // of a first byte: 1
    std::uint32_t first_token;  // in tokens_; the range ends with the next node's
    std::uint8_t byte;
  };

  std::span<const TokenId> TokensAt(std::size_t i) const {
    const std::size_t end = i + 1 < nodes_.size() ? nodes_[i + 1].first_token : tokens_.size();
    return std::span(tokens_).subspan(nodes_[i].first_token, end - nodes_[i].first_token);
  }

  void Add(std::string_view bytes, std::size_t num_shared, std::vector<std::uint32_t>* path);

  std::bitset<256> has_byte_;
  std::size_t max_depth_ = 0;
  std::vector<Node> nodes_;
  std::vector<TokenId> tokens_;  // sorted by bytes, then by id
};

}  // namespace espalier
