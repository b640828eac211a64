// EvictionQueue: the unpinned leaves of all name spaces in the order in which they go.
//
// Each name space has its leaves in order, and the name spaces stand in the order of their
// first leaves: so the first of one and the first of all are both at hand. A node's place is
// decided when it enters, but for retentions that end: SetTime moves those nodes.
//
// Costs: O(log(leaves) + log(name spaces)) an operation, and as much a retention that ends.
//
// Thread safety: none.
#pragma once

#include <boost/intrusive/set.hpp>
#include <cstdint>
#include <set>
#include <tuple>

#include "radix/name_space.h"

namespace espalier {

class EvictionQueue {
 public:
  explicit EvictionQueue(const EvictionOrder& order) : order_(order) {}

  const EvictionOrder& order() const { return order_; }
  bool Contains(const RadixNode& node) const {
    return static_cast<const EvictionHook&>(node).is_linked();
  }
  // The name space whose first leaf goes before all others. REQUIRES: a leaf is queued.
  NameSpace& FirstNameSpace() { return *spaces_.begin(); }
  // REQUIRES: !Contains(leaf), which is in `space`
  void Insert(NameSpace& space, RadixNode& leaf);
  // REQUIRES: Contains(leaf), which is in `space`
  void Erase(NameSpace& space, RadixNode& leaf);
  // The first leaf of `space` has lost pages.
  void FirstShrank(NameSpace& space) { Reposition(space); }

  // Ends the retentions that last no longer than `now_us`.
  void SetTime(std::uint64_t now_us);
  std::uint64_t now_us() const { return now_us_; }

  auto begin() const { return spaces_.begin(); }
  auto end() const { return spaces_.end(); }
  std::size_t num_retained() const { return retained_.size(); }

 private:
  struct FirstLeafOrder {
    bool operator()(const NameSpace& a, const NameSpace& b) const {
      return a.leaves.value_comp()(*a.leaves.begin(), *b.leaves.begin());
    }
  };
  // A queued leaf whose retention ends; of those that end at one time any may be first.
  struct Retained {
    std::uint64_t until_us;
    RadixNode* leaf;
    NameSpace* space;
    bool operator<(const Retained& other) const {
      return std::tuple(until_us, leaf) < std::tuple(other.until_us, other.leaf);
    }
  };

  bool Expires(const RadixNode& leaf) const;
  void Reposition(NameSpace& space);

  const EvictionOrder order_;
  boost::intrusive::multiset<NameSpace, boost::intrusive::base_hook<NameSpaceHook>,
                             boost::intrusive::compare<FirstLeafOrder>,
                             boost::intrusive::constant_time_size<false>>
      spaces_;  // those with leaves
  std::set<Retained> retained_;
  std::uint64_t now_us_ = 0;
};

}  // namespace espalier
