// RadixTree: token prefixes -> nodes, one tree for each extra_key.
//
// It finds, splits, adds and removes nodes, and owns them. It knows nothing of
// leases, free pages or eviction; a split copies a node's pins and its history, since
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

#include "radix/name_space.h"

namespace espalier {

class RadixTree {
 public:
  using NameSpaces = std::map<std::string, std::unique_ptr<NameSpace>, std::less<>>;

  // Where a token string leaves the tree.
  struct MatchEnd {
    RadixNode* node;             // the deepest node whose edge matched to its end
    RadixNode* child = nullptr;  // its child whose edge matched in part
    int num_in_child = 0;        // tokens of that edge that matched
    int num_tokens = 0;          // all tokens that matched
  };

  // `order` is for the leaves of its name spaces.
  RadixTree(int page_size, const EvictionOrder& order) : page_size_(page_size), order_(order) {}

  // nullptr if there is no such name space now.
  NameSpace* FindNameSpace(std::string_view extra_key) const;
  NameSpace& FindOrAddNameSpace(std::string_view extra_key);
  // REQUIRES: it is an unpinned root without children.
  void RemoveNameSpace(NameSpace& space);

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

  const NameSpaces& name_spaces() const { return name_spaces_; }

 private:
  RadixNode* BestChild(RadixNode& node, std::span<const TokenId> tokens) const;

  const int page_size_;
  const EvictionOrder order_;
  NameSpaces name_spaces_;
};

// The sibling just before the place of `tokens` among the children of `parent` if it
// is a proper prefix of them: the cached string that `tokens` would make needless.
RadixNode* PrefixSibling(RadixNode& parent, std::span<const TokenId> tokens);

// True if a sibling's edge begins with the whole edge of `node`.
bool IsPrefixOfSibling(const RadixNode& node);

}  // namespace espalier
