// Interner: equal sequences get equal ids. Ids count from 0; the sequences stand in one
// array, so an id costs what its elements cost and nothing more.
//
// Thread safety: none.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "grammar/mix.h"

namespace espalier {

// T: trivially copyable, with == and a free function `std::uint64_t HashOf(const T&)`.
template <typename T>
class Interner {
 public:
  using Id = std::uint32_t;

  Interner() : slots_(64, kFree) {}

  // Valid until the next Intern().
  std::span<const T> operator[](Id id) const {
    return std::span(elements_).subspan(start_[id], start_[id + 1] - start_[id]);
  }
  std::size_t size() const { return start_.size() - 1; }
  std::size_t size_bytes() const {
    return elements_.capacity() * sizeof(T) + start_.capacity() * sizeof(start_[0]) +
           hashes_.capacity() * sizeof(hashes_[0]) + slots_.capacity() * sizeof(slots_[0]);
  }

  // REQUIRES: `sequence` is not a part of this interner.
  Id Intern(std::span<const T> sequence) {
    std::uint64_t hash = sequence.size();
    for (const T& element : sequence) hash = Mix(hash, HashOf(element));
    std::size_t slot = hash & (slots_.size() - 1);
    for (; slots_[slot] != kFree; slot = (slot + 1) & (slots_.size() - 1)) {
      const Id id = slots_[slot];
      if (hashes_[id] == hash && std::ranges::equal((*this)[id], sequence)) return id;
    }
    const Id id = static_cast<Id>(size());
    slots_[slot] = id;
    hashes_.push_back(hash);
    elements_.insert(elements_.end(), sequence.begin(), sequence.end());
    start_.push_back(elements_.size());
    if (2 * size() > slots_.size()) Grow();
    return id;
  }

 private:
  static constexpr Id kFree = ~Id{0};

  void Grow() {
    slots_.assign(2 * slots_.size(), kFree);
    for (Id id = 0; id < size(); ++id) {
      std::size_t slot = hashes_[id] & (slots_.size() - 1);
      while (slots_[slot] != kFree) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = id;
    }
  }

  std::vector<T> elements_;
  std::vector<std::size_t> start_ = {0};  // CSR offsets into elements_
  std::vector<std::uint64_t> hashes_;
  std::vector<Id> slots_;  // open addressing, a power of two, at most half full
};

}  // namespace espalier
