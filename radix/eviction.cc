// The part of the prefix cache that pins pages, lets go of them, and evicts.
#include <algorithm>
#include <cstdint>
#include <limits>

#include "kernels/base/check.h"
#include "radix/eviction_queue.h"
#include "radix/prefix_cache.h"
#include "radix/radix_tree.h"

namespace espalier {

void PrefixCache::Pin(NameSpace& space, RadixNode* node, const RadixNode* above) {
  for (; node != above; node = node->parent) {
    if (node->num_leases++ > 0) continue;
    num_evictable_ -= node->num_pages();
    space.num_evictable -= node->num_pages();
    if (queue_->Contains(*node)) queue_->Erase(space, *node);
  }
}

// The root last: it holds the name space while the quota is kept.
void PrefixCache::UnpinPath(PrefixLease& lease) {
  Tick();
  NameSpace& space = *lease.space_;
  for (RadixNode* node = lease.node_; node != &space;) {
    RadixNode* const parent = node->parent;
    CountUse(lease, node);
    DropPin(space, node);
    node = parent;
  }
  KeepQuota(space);
  DropPin(space, &space);
}

void PrefixCache::UnpinSource(PrefixLease& lease, RadixNode* source) {
  Tick();
  CountUse(lease, source);
  DropPin(*lease.space_, source);
  if (source->num_leases == 0 && IsPrefixOfSibling(*source)) Remove(*lease.space_, source);
  KeepQuota(*lease.space_);
}

void PrefixCache::CountUse(const PrefixLease& lease, RadixNode* node) {
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
  if (!lease.has_extended_) return;
  if (node->history.num_uses < kMost) ++node->history.num_uses;
  queue_->order().Note({.at = clock_,
                        .now_us = queue_->now_us(),
                        .worth_paid = worth_paid_,
                        .retention = lease.retention_},
                       node->history);
}

void PrefixCache::DropPin(NameSpace& space, RadixNode* node) {
  ESP_CHECK(node->num_leases > 0);
  if (--node->num_leases > 0) return;
  num_evictable_ += node->num_pages();
  space.num_evictable += node->num_pages();
  node->history.last_use = clock_;
  if (node->is_leaf()) LeafAppeared(space, node);
}

void PrefixCache::Tick() { clock_ = std::max(clock_ + 1, queue_->now_us()); }

void PrefixCache::SetTime(std::uint64_t now_us) { queue_->SetTime(now_us); }

// REQUIRES: `node` is an unpinned leaf, or a root without children.
void PrefixCache::LeafAppeared(NameSpace& space, RadixNode* node) {
  if (node->is_root()) {
    tree_->RemoveNameSpace(space);
  } else {
    queue_->Insert(space, *node);
  }
}

// Frees at least num_pages pages. REQUIRES: num_pages <= num_evictable_
void PrefixCache::Evict(int num_pages) {
  while (num_pages > 0) num_pages -= EvictFirst(queue_->FirstNameSpace(), num_pages);
}

// Frees pages of the first leaf of `space`, and returns how many. With its last page the name
// space may go. REQUIRES: most_pages > 0, and such a leaf.
int PrefixCache::EvictFirst(NameSpace& space, int most_pages) {
  RadixNode& leaf = *space.leaves.begin();
  worth_paid_ = std::max(worth_paid_, queue_->order().Rank(leaf));
  if (most_pages >= leaf.num_pages()) {
    const int num_pages = leaf.num_pages();
    Remove(space, &leaf);
    return num_pages;
  }
  const int num_left = leaf.num_pages() - most_pages;
  const auto gone = leaf.edge.pages().subspan(static_cast<std::size_t>(num_left));
  free_.insert(free_.end(), gone.begin(), gone.end());
  leaf.edge.Truncate(num_left * page_size_, num_left);
  num_cached_ -= most_pages;
  num_evictable_ -= most_pages;
  space.num_cached -= most_pages;
  space.num_evictable -= most_pages;
  queue_->FirstShrank(space);
  return most_pages;
}

// REQUIRES: a lease pins the root of `space`.
void PrefixCache::KeepQuota(NameSpace& space) {
  if (quota_pages_ == 0 || space.extra_key.empty()) return;
  while (space.num_evictable > quota_pages_) EvictFirst(space, space.num_evictable - quota_pages_);
}

// REQUIRES: `leaf` is an unpinned leaf.
void PrefixCache::Remove(NameSpace& space, RadixNode* leaf) {
  const std::span<const PageId> pages = leaf->edge.pages();
  const int num_pages = leaf->num_pages();
  free_.insert(free_.end(), pages.begin(), pages.end());
  num_cached_ -= num_pages;
  num_evictable_ -= num_pages;
  space.num_cached -= num_pages;
  space.num_evictable -= num_pages;
  queue_->Erase(space, *leaf);
  RadixNode* parent = leaf->parent;
  tree_->RemoveLeaf(leaf);
  if (parent->is_leaf() && parent->num_leases == 0) LeafAppeared(space, parent);
}

void PrefixCache::Flush() { Evict(num_evictable_); }

}  // namespace espalier
