// EvictionQueue: the unpinned leaves of the tree in the order in which they go.
//
// A policy is a comparator over nodes; this one is least recently used. A node's
// place is decided when it enters, so what the order reads (last_use) must not
// change while the node is queued. All operations are O(log n).
//
// Two queued nodes never have the same last_use: one operation touches nodes of one
// path only, and of a path only the lowest node can be a leaf.
//
// Thread safety: none.
#pragma once

#include <boost/intrusive/set.hpp>

#include "radix/radix_node.h"

namespace espalier {

struct LeastRecentlyUsed {
  bool operator()(const RadixNode& a, const RadixNode& b) const { return a.last_use < b.last_use; }
};

class EvictionQueue {
 public:
  bool empty() const { return nodes_.empty(); }
  bool Contains(const RadixNode& node) const {
    return static_cast<const EvictionHook&>(node).is_linked();
  }
  // REQUIRES: !empty()
  RadixNode& First() { return *nodes_.begin(); }
  // REQUIRES: !Contains(node)
  void Insert(RadixNode& node) { nodes_.insert(node); }
  // REQUIRES: Contains(node)
  void Erase(RadixNode& node) { nodes_.erase(nodes_.iterator_to(node)); }

  auto begin() const { return nodes_.begin(); }
  auto end() const { return nodes_.end(); }

 private:
  boost::intrusive::multiset<RadixNode, boost::intrusive::base_hook<EvictionHook>,
                             boost::intrusive::compare<LeastRecentlyUsed>,
                             boost::intrusive::constant_time_size<false>>
      nodes_;
};

}  // namespace espalier
