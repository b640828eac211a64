// RadixTree: token prefixes -> nodes, one tree for each extra_key.
//
// It finds, splits, adds and removes nodes, and owns them. It knows nothing of
// leases, free pages or eviction; a split copies a node's pins and its time, since
// whoever holds a node holds all of it.
//
// Nothing here recurses: a tree may be as deep as it has pages.
//
// Invariants:
//   1. An edge is not empty, and all of its pages are full except the last page of
//      a leaf.
//   2. Siblings differ within their first page, so at most one child shares a whole
//      page with any token string.
//
// Thread safety: none.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "radix/radix_node.h"

namespace espalier {

class RadixTree {
 public:
  struct Root : RadixNode {
    std::string_view extra_key;  // the key in roots()
  };
  using Roots = std::map<std::string, std::unique_ptr<Root>, std::less<>>;

  // Where a token string leaves the tree.
  struct MatchEnd {
    RadixNode* node;             // the deepest node whose edge matched to its end
    RadixNode* child = nullptr;  // its child whose edge matched in part
    int num_in_child = 0;        // tokens of that edge that matched
    int num_tokens = 0;          // all tokens that matched
  };

  explicit RadixTree(int page_size) : page_size_(page_size) {}

  // The root of a name space, or nullptr if it has none now.
  RadixNode* FindRoot(std::string_view extra_key) const;
  RadixNode* FindOrAddRoot(std::string_view extra_key);
  // REQUIRES: `root` is an unpinned root without children.
  void RemoveRoot(RadixNode* root);

  // Follows `tokens` down from `from` as far as any cached string goes.
  // O(tokens matched + log(children) per node).
  MatchEnd Search(RadixNode* from, std::span<const TokenId> tokens) const;

  // The node that ends with the last whole page of a match; splits end.child if the
  // match runs over some of its pages. Afterwards end.child, if any, begins with the
  // page that matched in part. O(edge).
  RadixNode* SplitAtPage(const MatchEnd& end);

  // Splits `node` after its first pages. Returns the new upper node; `node` stays
  // the lower one, so whoever holds it still holds its end. O(edge).
  // REQUIRES: 0 < num_pages < node->num_pages()
  RadixNode* SplitAfter(RadixNode* node, int num_pages);

  // Cuts the first page of `node` off, if it has more. Returns the node of that page.
  RadixNode* SplitFirstPage(RadixNode* node) {
    return node->num_pages() == 1 ? node : SplitAfter(node, 1);
  }

  // REQUIRES: no child of `parent` shares a whole page with `tokens`.
  RadixNode* AddLeaf(RadixNode* parent, std::span<const TokenId> tokens,
                     std::span<const PageId> pages);
  // REQUIRES: `leaf` is a leaf, no root, and in no other set.
  void RemoveLeaf(RadixNode* leaf);

  const Roots& roots() const { return roots_; }

 private:
  RadixNode* BestChild(RadixNode& node, std::span<const TokenId> tokens) const;

  const int page_size_;
  Roots roots_;
};

// The sibling just before the place of `tokens` among the children of `parent` if it
// is a proper prefix of them: the cached string that `tokens` would make needless.
RadixNode* PrefixSibling(RadixNode& parent, std::span<const TokenId> tokens);

// True if a sibling's edge begins with the whole edge of `node`.
bool IsPrefixOfSibling(const RadixNode& node);

}  // namespace espalier
