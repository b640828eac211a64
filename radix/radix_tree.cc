#include "radix/radix_tree.h"

#include <algorithm>
#include <iterator>

#include "kernels/base/check.h"
#include "radix/common_prefix.h"

namespace espalier {

RadixNode* RadixTree::FindRoot(std::string_view extra_key) const {
  const auto it = roots_.find(extra_key);
  return it == roots_.end() ? nullptr : it->second.get();
}

RadixNode* RadixTree::FindOrAddRoot(std::string_view extra_key) {
  if (RadixNode* root = FindRoot(extra_key)) return root;
  const auto it = roots_.emplace(extra_key, std::make_unique<Root>()).first;
  it->second->extra_key = it->first;
  return it->second.get();
}

void RadixTree::RemoveRoot(RadixNode* root) {
  ESP_DCHECK(root->is_root() && root->is_leaf() && root->num_leases == 0);
  roots_.erase(roots_.find(static_cast<Root*>(root)->extra_key));
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
    num_best = CommonPrefix(after->tokens, key);
  }
  if (after != node.children.begin()) {
    RadixNode& before = *std::prev(after);
    const int num = CommonPrefix(before.tokens, key);
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
    const int num = CommonPrefix(child->tokens, rest);
    end.num_tokens += num;
    if (num < static_cast<int>(child->tokens.size()) || num % page_size_ != 0) {
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
  const auto token_cut = node->tokens.begin() + std::ptrdiff_t{num_pages} * page_size_;
  const auto page_cut = node->pages.begin() + num_pages;
  auto upper = std::make_unique<RadixNode>();
  upper->tokens.assign(node->tokens.begin(), token_cut);
  upper->pages.assign(node->pages.begin(), page_cut);
  upper->parent = node->parent;
  upper->last_use = node->last_use;
  upper->num_leases = node->num_leases;
  ChildSet& siblings = node->parent->children;
  siblings.replace_node(siblings.iterator_to(*node), *upper);

  node->tokens = std::vector<TokenId>(token_cut, node->tokens.end());
  node->pages = std::vector<PageId>(page_cut, node->pages.end());
  node->parent = upper.get();
  upper->children.insert(*node);
  return upper.release();
}

RadixNode* RadixTree::AddLeaf(RadixNode* parent, std::span<const TokenId> tokens,
                              std::span<const PageId> pages) {
  auto leaf = std::make_unique<RadixNode>();
  leaf->tokens.assign(tokens.begin(), tokens.end());
  leaf->pages.assign(pages.begin(), pages.end());
  leaf->parent = parent;
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
  return CommonPrefix(before.tokens, tokens) == std::ssize(before.tokens) ? &before : nullptr;
}

bool IsPrefixOfSibling(const RadixNode& node) {
  const ChildSet& siblings = node.parent->children;
  const auto next = std::next(siblings.iterator_to(node));
  return next != siblings.end() &&
         CommonPrefix(next->tokens, node.tokens) == std::ssize(node.tokens);
}

}  // namespace espalier
