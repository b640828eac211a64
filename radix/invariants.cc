// PrefixCache::CheckInvariants: the header's invariants, and those of radix_tree.h
// and eviction.h, each looked up from scratch.
#include <iterator>

#include "kernels/base/check.h"
#include "radix/common_prefix.h"
#include "radix/eviction.h"
#include "radix/prefix_cache.h"
#include "radix/radix_tree.h"

namespace espalier {
namespace {

struct Census {
  explicit Census(int num_pages) : seen(static_cast<std::size_t>(num_pages)) {}

  void Mark(PageId page) {
    ESP_CHECK(Index(page) >= 0 && Index(page) < std::ssize(seen)) << Index(page);
    ESP_CHECK(!seen[static_cast<std::size_t>(Index(page))]) << "page " << Index(page) << " twice";
    seen[static_cast<std::size_t>(Index(page))] = true;
    ++num_seen;
  }

  std::vector<bool> seen;  // [num_pages]
  int num_seen = 0;
  int num_cached = 0;
  int num_evictable = 0;
  int num_queued = 0;
};

void CheckEdge(const RadixNode& node, int page_size) {
  const std::ptrdiff_t capacity = std::ptrdiff_t{node.num_pages()} * page_size;
  ESP_CHECK(!node.tokens.empty() && std::ssize(node.tokens) <= capacity);
  ESP_CHECK(std::ssize(node.tokens) > capacity - page_size) << "an empty page";
  ESP_CHECK(node.is_leaf() || std::ssize(node.tokens) == capacity) << "a partial inner page";
}

void CheckChildren(const RadixNode& node, int page_size) {
  std::int64_t num_leases = 0;
  const RadixNode* before = nullptr;
  for (const RadixNode& child : node.children) {
    ESP_CHECK(child.parent == &node);
    num_leases += child.num_leases;
    if (node.num_leases == 0) {
      ESP_CHECK(child.last_use <= node.last_use) << "used after its parent";
    }
    if (before != nullptr) {
      const int num = CommonPrefix(before->tokens, child.tokens);
      ESP_CHECK(EdgeOrder()(*before, child) && num < page_size) << "siblings out of order";
      ESP_CHECK(before->num_leases > 0 || num < std::ssize(before->tokens)) << "a prefix sibling";
    }
    before = &child;
  }
  ESP_CHECK(node.num_leases >= num_leases) << "a pinned child of an unpinned parent";
}

void CheckNode(const RadixNode& node, const EvictionQueue& queue, std::uint64_t clock,
               Census* census) {
  for (PageId page : node.pages) census->Mark(page);
  census->num_cached += node.num_pages();
  if (node.num_leases == 0) census->num_evictable += node.num_pages();
  const bool queued = node.num_leases == 0 && node.is_leaf();
  ESP_CHECK(node.num_leases >= 0 && node.last_use <= clock);
  ESP_CHECK(queue.Contains(node) == queued);
  if (queued) ++census->num_queued;
}

void CheckQueue(const EvictionQueue& queue, int num_queued) {
  const RadixNode* before = nullptr;
  for (const RadixNode& node : queue) {
    ESP_CHECK(before == nullptr || before->last_use < node.last_use) << "eviction out of order";
    before = &node;
    --num_queued;
  }
  ESP_CHECK(num_queued == 0) << "the queue holds a stranger";
}

}  // namespace

void PrefixCache::CheckInvariants() const {
  Census census(num_pages_);
  for (PageId page : free_) census.Mark(page);
  std::vector<const RadixNode*> todo;
  for (const auto& [extra_key, root] : tree_->roots()) {
    ESP_CHECK(root->extra_key == extra_key && root->is_root() && root->tokens.empty());
    ESP_CHECK(root->pages.empty() && (!root->is_leaf() || root->num_leases > 0)) << "unused root";
    CheckChildren(*root, page_size_);
    for (const RadixNode& child : root->children) todo.push_back(&child);
  }
  while (!todo.empty()) {
    const RadixNode& node = *todo.back();
    todo.pop_back();
    CheckEdge(node, page_size_);
    CheckChildren(node, page_size_);
    CheckNode(node, *queue_, clock_, &census);
    for (const RadixNode& child : node.children) todo.push_back(&child);
  }
  CheckQueue(*queue_, census.num_queued);
  ESP_CHECK(census.num_cached == num_cached_ && census.num_evictable == num_evictable_);
  ESP_CHECK(num_private_ >= 0 && census.num_seen + num_private_ == num_pages_) << "pages leaked";
}

}  // namespace espalier
