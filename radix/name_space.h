// NameSpace: the root of the tree of one extra_key, and what is kept a name space.
//
// Thread safety: none.
#pragma once

#include <boost/intrusive/set.hpp>
#include <string_view>

#include "radix/eviction_order.h"
#include "radix/radix_node.h"

namespace espalier {

using LeafSet = boost::intrusive::multiset<RadixNode, boost::intrusive::base_hook<EvictionHook>,
                                           boost::intrusive::compare<EvictionOrder>,
                                           boost::intrusive::constant_time_size<false>>;

struct NameSpaceTag;
using NameSpaceHook = boost::intrusive::set_base_hook<boost::intrusive::tag<NameSpaceTag>>;

struct NameSpace : RadixNode, NameSpaceHook {
  explicit NameSpace(const EvictionOrder& order) : leaves(order) {}

  std::string_view extra_key;  // the key in RadixTree::name_spaces()
  LeafSet leaves;              // the unpinned ones: EvictionQueue's
  int num_cached = 0;          // pages; this and the next are PrefixCache's
  int num_evictable = 0;       // of those, the ones that no lease pins
};

}  // namespace espalier
