#include "radix/radix_tree.h"

#include <algorithm>
#include <iterator>

#include "kernels/base/check.h"
#include "radix/common_prefix.h"

namespace espalier {

NameSpace* RadixTree::FindNameSpace(std::string_view extra_key) const {
  const auto it = name_spaces_.find(extra_key);
  return it == name_spaces_.end() ? nullptr : it->second.get();
}

NameSpace& RadixTree::FindOrAddNameSpace(std::string_view extra_key) {
  if (NameSpace* space = FindNameSpace(extra_key)) return *space;
  const auto it = name_spaces_.emplace(extra_key, std::make_unique<NameSpace>(order_)).first;
  it->second->extra_key = it->first;
  return *it->second;
}

void RadixTree::RemoveNameSpace(NameSpace& space) {
  ESP_DCHECK(space.is_leaf() && space.num_leases == 0);
  name_spaces_.erase(name_spaces_.find(space.extra_key));
}

// In token order the string with the longest common prefix stands next to the place
// where `tokens` would stand. One page decides, since siblings differ within it.
RadixNode* RadixTree::BestChild(RadixNode& node, std::span<const TokenId> tokens) const {
  const auto key = tokens.first(std::min(tokens.size(), static_cast<std::size_t>(page_size_)));
  const auto after = node.children.lower_bound(key, EdgeOrder());
  RadixNode* best = nullptr;
  int num_best = 0;
  if (after != node.children.end()) {
    best = &*after;
    num_best = CommonPrefix(after->edge.tokens(), key);
  }
  if (after != node.children.begin()) {
    RadixNode& before = *std::prev(after);
    const int num = CommonPrefix(before.edge.tokens(), key);
    if (num > num_best) return &before;
  }
  return num_best > 0 ? best : nullptr;
}

RadixTree::MatchEnd RadixTree::Search(RadixNode* from, std::span<const TokenId> tokens) const {
  MatchEnd end{.node = from};
  while (true) {
    const auto rest = tokens.subspan(static_cast<std::size_t>(end.num_tokens));
    RadixNode* child = BestChild(*end.node, rest);
    if (child == nullptr) return end;
    const int num = CommonPrefix(child->edge.tokens(), rest);
    end.num_tokens += num;
    if (num < child->edge.num_tokens() || num % page_size_ != 0) {
      end.child = child;
      end.num_in_child = num;
      return end;
    }
    end.node = child;
  }
}

RadixNode* RadixTree::SplitAtPage(const MatchEnd& end) {
  const int num_pages = end.num_in_child / page_size_;
  return num_pages == 0 ? end.node : SplitAfter(end.child, num_pages);
}

RadixNode* RadixTree::SplitAfter(RadixNode* node, int num_pages) {
  ESP_DCHECK(num_pages > 0 && num_pages < node->num_pages());
  const int num_tokens = num_pages * page_size_;
  auto upper = std::make_unique<RadixNode>();
  upper->edge = node->edge.SplitFront(num_tokens, num_pages);
  upper->parent = node->parent;
  upper->history = node->history;
  upper->begin = node->begin;
  upper->num_leases = node->num_leases;
  ChildSet& siblings = node->parent->children;
  siblings.replace_node(siblings.iterator_to(*node), *upper);

  node->begin += num_tokens;
  node->parent = upper.get();
  upper->children.insert(*node);
  return upper.release();
}

RadixNode* RadixTree::AddLeaf(RadixNode* parent, std::span<const TokenId> tokens,
                              std::span<const PageId> pages) {
  auto leaf = std::make_unique<RadixNode>();
  leaf->edge = RadixEdge(tokens, pages);
  leaf->parent = parent;
  leaf->begin = parent->begin + parent->edge.num_tokens();
  const bool added = parent->children.insert(*leaf).second;
  ESP_CHECK(added) << "the same edge twice";
  return leaf.release();
}

void RadixTree::RemoveLeaf(RadixNode* leaf) {
  ESP_DCHECK(leaf->is_leaf() && !leaf->is_root());
  const std::unique_ptr<RadixNode> owner(leaf);
  ChildSet& siblings = leaf->parent->children;
  siblings.erase(siblings.iterator_to(*leaf));
}

RadixNode* PrefixSibling(RadixNode& parent, std::span<const TokenId> tokens) {
  const auto at = parent.children.lower_bound(tokens, EdgeOrder());
  if (at == parent.children.begin()) return nullptr;
  RadixNode& before = *std::prev(at);
  return CommonPrefix(before.edge.tokens(), tokens) == before.edge.num_tokens() ? &before : nullptr;
}

bool IsPrefixOfSibling(const RadixNode& node) {
  const ChildSet& siblings = node.parent->children;
  const auto next = std::next(siblings.iterator_to(node));
  return next != siblings.end() &&
         CommonPrefix(next->edge.tokens(), node.edge.tokens()) == node.edge.num_tokens();
}

}  // namespace espalier
