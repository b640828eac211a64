// EvictionOrder: a policy as a comparator over leaves.
//
// A leaf's place is that of its last page. What the order reads of a node (history, begin,
// edge) must not change while the node is queued, but for losing its last pages: of the
// pages of a node none ranks above those behind it, so that it only moves to the front.
//
// Two queued nodes never have the same last_use: one operation touches nodes of one path
// only, and of a path only the lowest node can be a leaf.
//
// Thread safety: immutable.
#pragma once

#include <cstdint>
#include <limits>
#include <tuple>

#include "radix/eviction_policy.h"
#include "radix/radix_node.h"

namespace espalier {

// That a lease which had pages of its own lets go of a node.
struct NodeUse {
  std::uint64_t at = 0;          // the cache's clock
  std::uint64_t now_us = 0;      // the time
  std::uint64_t worth_paid = 0;  // of the dearest page evicted so far
  Retention retention;
};

class EvictionOrder {
 public:
  static constexpr std::int32_t kLowestPriority = std::numeric_limits<std::int32_t>::max();

  EvictionOrder(EvictionPolicy policy, int page_size) : policy_(policy), page_size_(page_size) {}

  bool operator()(const RadixNode& a, const RadixNode& b) const {
    return std::tuple(Rank(a), a.history.last_use) < std::tuple(Rank(b), b.history.last_use);
  }
  // Lower ranks go first. REQUIRES: node.history.num_uses > 0
  std::uint64_t Rank(const RadixNode& node) const;

  // Keeps of a use what the policy needs. The node's history counts it already.
  void Note(const NodeUse& use, PageHistory& history) const;

  EvictionPolicy policy() const { return policy_; }

 private:
  EvictionPolicy policy_;
  std::int32_t page_size_;
};

}  // namespace espalier
