// TimSort: a stable sort that asks for the same comparisons, in the same order, as CPython 3.11
// does, so that a comparison with effects, or one that contradicts itself, gives what it gives
// there.
//
// Source: Peters 2002, listsort.txt (runs, binary insertion, galloping merges); the order of
// merges is that of Munro and Wild 2018, "Nearly-Optimal Mergesorts" (powersort).
//
// Thread safety: none.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "frontend_lang/script/values/host.h"

namespace espalier::lang {

class TimSort {
 public:
  // `keys` must outlive it.
  TimSort(Host& host, const std::vector<Value>& keys);

  // Sorts order() by Python's `<` of the keys. Fails as that does.
  Fault Run();

  std::vector<std::size_t>& order() { return order_; }  // numbers of keys

 private:
  struct Stretch {
    std::size_t start, length;
    int power = 0;  // of the boundary to the next one
    std::size_t end() const { return start + length; }
  };
  Outcome<bool> Less(std::size_t a, std::size_t b);
  Outcome<std::size_t> CountRun(std::size_t start);
  Fault InsertBinary(std::size_t start, std::size_t sorted_end, std::size_t end);
  Fault Collapse(const Stretch& run);
  Fault MergeAt(std::size_t place);
  // What has come of merging two neighbours, from the low or from the high end.
  class FromLow;
  class FromHigh;
  template <typename Merging>
  Fault Merge(Merging merging);
  template <typename Merging>
  Fault MergePairs(Merging& merging);
  Fault Gallop(FromLow& merging);
  Fault Gallop(FromHigh& merging);

  // How many of the sorted `items` stand before the key: those below it (left), or those not above
  // it (right). Looks from items[hint] on in growing steps. REQUIRES: hint < items.size().
  using Items = std::span<const std::size_t>;
  Outcome<std::size_t> GallopLeft(std::size_t key, Items items, std::size_t hint);
  Outcome<std::size_t> GallopRight(std::size_t key, Items items, std::size_t hint);

  Host& host_;
  const std::vector<Value>& keys_;
  std::vector<std::size_t> order_, spare_;
  std::vector<Stretch> pending_;  // sorted, side by side
  std::size_t min_gallop_;
};

}  // namespace espalier::lang
