// PrefixCache::CheckInvariants: the header's invariants, and those of radix_tree.h
// and of the eviction queue, each looked up from scratch.
#include <iterator>

#include "kernels/base/check.h"
#include "radix/common_prefix.h"
#include "radix/eviction_queue.h"
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
  std::size_t num_retained = 0;
};

void CheckEdge(const RadixNode& node, int page_size) {
  const std::int64_t capacity = std::int64_t{node.num_pages()} * page_size;
  const std::int64_t num_tokens = node.edge.num_tokens();
  ESP_CHECK(num_tokens > 0 && num_tokens <= capacity);
  ESP_CHECK(num_tokens > capacity - page_size) << "an empty page";
  ESP_CHECK(node.is_leaf() || num_tokens == capacity) << "a partial inner page";
  ESP_CHECK(node.begin == node.parent->begin + node.parent->edge.num_tokens()) << "misplaced";
}

void CheckChildren(const RadixNode& node, int page_size) {
  std::int64_t num_leases = 0;
  const RadixNode* before = nullptr;
  for (const RadixNode& child : node.children) {
    ESP_CHECK(child.parent == &node);
    num_leases += child.num_leases;
    if (node.num_leases == 0) {
      ESP_CHECK(child.history.last_use <= node.history.last_use) << "used after its parent";
    }
    if (before != nullptr) {
      const int num = CommonPrefix(before->edge.tokens(), child.edge.tokens());
      ESP_CHECK(EdgeOrder()(*before, child) && num < page_size) << "siblings out of order";
      ESP_CHECK(before->num_leases > 0 || num < before->edge.num_tokens()) << "a prefix sibling";
    }
    before = &child;
  }
  ESP_CHECK(node.num_leases >= num_leases) << "a pinned child of an unpinned parent";
}

void CheckNode(const RadixNode& node, const EvictionQueue& queue, std::uint64_t clock,
               Census* census) {
  for (PageId page : node.edge.pages()) census->Mark(page);
  census->num_cached += node.num_pages();
  if (node.num_leases == 0) census->num_evictable += node.num_pages();
  const bool queued = node.num_leases == 0 && node.is_leaf();
  const PageHistory& history = node.history;
  ESP_CHECK(node.num_leases >= 0 && history.last_use <= clock);
  ESP_CHECK(node.num_leases > 0 || history.num_uses > 0) << "let go of by nobody";
  ESP_CHECK(queue.Contains(node) == queued);
  if (!queued) return;
  ++census->num_queued;
  if (queue.order().policy() != EvictionPolicy::kPriority) return;
  const bool is_lowest = history.priority == EvictionOrder::kLowestPriority;
  ESP_CHECK(is_lowest == (history.note <= queue.now_us())) << "a retention that has ended";
  if (!is_lowest && history.note != Retention::kForever) ++census->num_retained;
}

// Returns how many leaves are queued.
int CheckQueue(const EvictionQueue& queue) {
  int num_queued = 0;
  const RadixNode* first_before = nullptr;
  for (const NameSpace& space : queue) {
    const RadixNode* before = first_before;
    ESP_CHECK(!space.leaves.empty()) << "a name space without leaves";
    first_before = &*space.leaves.begin();
    for (const RadixNode& node : space.leaves) {
      ESP_CHECK(before == nullptr || queue.order()(*before, node)) << "eviction out of order";
      before = &node;
      ++num_queued;
    }
  }
  return num_queued;
}

void CheckBelow(const NameSpace& space, int page_size, const EvictionQueue& queue,
                std::uint64_t clock, Census* census) {
  std::vector<const RadixNode*> todo;
  CheckChildren(space, page_size);
  for (const RadixNode& child : space.children) todo.push_back(&child);
  while (!todo.empty()) {
    const RadixNode& node = *todo.back();
    todo.pop_back();
    CheckEdge(node, page_size);
    CheckChildren(node, page_size);
    CheckNode(node, queue, clock, census);
    for (const RadixNode& child : node.children) todo.push_back(&child);
  }
}

}  // namespace

void PrefixCache::CheckInvariants() const {
  Census census(num_pages_);
  for (PageId page : free_) census.Mark(page);
  for (const auto& [extra_key, space] : tree_->name_spaces()) {
    ESP_CHECK(space->extra_key == extra_key && space->is_root() && space->edge.empty());
    ESP_CHECK(!space->is_leaf() || space->num_leases > 0) << "a name space with nothing in it";
    const int num_cached = census.num_cached, num_evictable = census.num_evictable;
    CheckBelow(*space, page_size_, *queue_, clock_, &census);
    ESP_CHECK(space->num_cached == census.num_cached - num_cached);
    ESP_CHECK(space->num_evictable == census.num_evictable - num_evictable);
    ESP_CHECK(quota_pages_ == 0 || extra_key.empty() || space->num_evictable <= quota_pages_)
        << "over its quota";
  }
  ESP_CHECK(CheckQueue(*queue_) == census.num_queued) << "the queue holds a stranger";
  ESP_CHECK(queue_->num_retained() == census.num_retained);
  ESP_CHECK(census.num_cached == num_cached_ && census.num_evictable == num_evictable_);
  ESP_CHECK(num_private_ >= 0 && census.num_seen + num_private_ == num_pages_) << "pages leaked";
}

}  // namespace espalier
