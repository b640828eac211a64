// RadixNode: one edge of the tree together with the node it leads to.
//
// The links to siblings and in the eviction queue are Boost.Intrusive hooks: they
// live in the node, so that a node costs one allocation beside its edge's, and nothing
// about it is ever searched for twice.
//
// Thread safety: none.
#pragma once

#include <algorithm>
#include <boost/intrusive/set.hpp>
#include <cstdint>
#include <span>

#include "kernels/base/types.h"
#include "radix/radix_edge.h"

namespace espalier {

struct RadixNode;

// The order of siblings: token order of their edges, a prefix before what extends it.
struct EdgeOrder {
  using Tokens = std::span<const TokenId>;
  bool operator()(const RadixNode& a, const RadixNode& b) const;
  bool operator()(const RadixNode& a, Tokens b) const;

 private:
  static bool Before(Tokens a, Tokens b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  }
};

struct SiblingTag;
struct EvictionTag;
using SiblingHook = boost::intrusive::set_base_hook<boost::intrusive::tag<SiblingTag>,
                                                    boost::intrusive::optimize_size<true>>;
using EvictionHook = boost::intrusive::set_base_hook<boost::intrusive::tag<EvictionTag>,
                                                     boost::intrusive::optimize_size<true>>;
using ChildSet = boost::intrusive::set<RadixNode, boost::intrusive::base_hook<SiblingHook>,
                                       boost::intrusive::compare<EdgeOrder>,
                                       boost::intrusive::constant_time_size<false>>;

// What became of a page so far. All pages of a node have it in common, since the same
// leases held them; a split copies it.
struct PageHistory {
  std::uint64_t last_use = 0;  // when the last lease let go of it
  std::uint64_t note = 0;      // what the eviction policy keeps of its uses
  std::uint32_t num_uses = 0;  // leases that let go of it and had pages of their own
  std::int32_t priority = 0;   // under EvictionPolicy::kPriority
};

struct RadixNode : SiblingHook, EvictionHook {
  RadixEdge edge;               // empty in a root only; its last page may be partly filled
  RadixNode* parent = nullptr;  // nullptr in a root only
  ChildSet children;
  PageHistory history;
  std::int32_t begin = 0;       // tokens before the edge
  std::int32_t num_leases = 0;  // leases that pin it

  bool is_root() const { return parent == nullptr; }
  bool is_leaf() const { return children.empty(); }
  int num_pages() const { return edge.num_pages(); }
};

static_assert(sizeof(RadixNode) <= 136, "a million nodes must stay cheap");

inline bool EdgeOrder::operator()(const RadixNode& a, const RadixNode& b) const {
  return Before(a.edge.tokens(), b.edge.tokens());
}
inline bool EdgeOrder::operator()(const RadixNode& a, Tokens b) const {
  return Before(a.edge.tokens(), b);
}

}  // namespace espalier
