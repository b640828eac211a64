// RadixNode: one edge of the tree together with the node it leads to.
//
// The links to siblings and in the eviction queue are Boost.Intrusive hooks: they
// live in the node, so that a node costs one allocation beside its tokens and page
// ids, and nothing about it is ever searched for twice.
//
// Thread safety: none.
#pragma once

#include <algorithm>
#include <boost/intrusive/set.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/base/types.h"

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

struct RadixNode : SiblingHook, EvictionHook {
  std::vector<TokenId> tokens;  // the edge; empty in a root only
  std::vector<PageId> pages;    // [ceil(tokens / page_size)]
  RadixNode* parent = nullptr;  // nullptr in a root only
  ChildSet children;
  std::uint64_t last_use = 0;   // when the last lease let go of it
  std::int32_t num_leases = 0;  // leases that pin it

  bool is_root() const { return parent == nullptr; }
  bool is_leaf() const { return children.empty(); }
  int num_pages() const { return static_cast<int>(pages.size()); }
};

static_assert(sizeof(RadixNode) <= 160, "a million nodes must stay cheap");

inline bool EdgeOrder::operator()(const RadixNode& a, const RadixNode& b) const {
  return Before(a.tokens, b.tokens);
}
inline bool EdgeOrder::operator()(const RadixNode& a, Tokens b) const {
  return Before(a.tokens, b);
}

}  // namespace espalier
