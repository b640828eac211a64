// MergeQueue: integers, the least first, for entries that come in waves.
//
// A heap alone costs a cache miss a level for each of a million entries. Here what is
// added at or above the last entry of the current wave is only kept, and sorted when the
// wave is through; what is below goes to a heap, which stays small: a merge mostly makes
// pairs that merge later. O(log n) amortised an entry, whatever the order they come in.
//
// Thread safety: none on one object.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace espalier {

class MergeQueue {
 public:
  // Empties the queue and keeps its memory.
  void Clear() {
    for (std::vector<std::uint64_t>* entries : {&wave_, &heap_, &later_}) entries->clear();
    next_ = 0;
    bound_ = 0;
  }

  void Add(std::uint64_t entry) {
    if (entry >= bound_) {
      later_.push_back(entry);
    } else {
      heap_.push_back(entry);
      std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
    }
  }

  // Takes the least entry out; nullopt if there is none.
  std::optional<std::uint64_t> Take() {
    if (next_ == wave_.size() && heap_.empty() && !StartWave()) return std::nullopt;
    if (heap_.empty() || (next_ < wave_.size() && wave_[next_] < heap_.front())) {
      return wave_[next_++];
    }
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const std::uint64_t least = heap_.back();
    heap_.pop_back();
    return least;
  }

 private:
  bool StartWave() {
    wave_.clear();
    std::swap(wave_, later_);
    next_ = 0;
    if (wave_.empty()) return false;
    std::sort(wave_.begin(), wave_.end());
    bound_ = wave_.back();
    return true;
  }

  std::vector<std::uint64_t> wave_;   // ascending; those before next_ are taken
  std::vector<std::uint64_t> heap_;   // the least first; all below bound_
  std::vector<std::uint64_t> later_;  // all from bound_ on
  std::size_t next_ = 0;
  std::uint64_t bound_ = 0;  // the last entry of the wave
};

}  // namespace espalier
