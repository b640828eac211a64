// PairMap: a hash map from a pair of non-negative 32-bit integers, sized once.
//
// Open addressing with linear probing at no more than half full; one lookup is one
// or two cache lines, which is most of what tokenizing costs.
//
// Thread safety: immutable once filled.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace espalier {

template <typename Value>
class PairMap {
 public:
  // Room for `capacity` pairs.
  explicit PairMap(std::size_t capacity)
      : slots_(std::bit_ceil(2 * capacity + 2)), mask_(slots_.size() - 1) {}

  // The pair's value; default-made if it is new.
  // REQUIRES: first >= 0; no more than `capacity` different pairs
  Value& operator()(std::int32_t first, std::int32_t second) {
    Slot& slot = slots_[SlotIndex(Key(first, second))];
    slot.key = Key(first, second);
    return slot.value;
  }

  // Null if the pair is not there. REQUIRES: first >= 0
  const Value* Find(std::int32_t first, std::int32_t second) const {
    const Slot& slot = slots_[SlotIndex(Key(first, second))];
    return slot.key == kNoKey ? nullptr : &slot.value;
  }

 private:
  static constexpr std::uint64_t kNoKey = ~std::uint64_t{0};  // would need first < 0

  struct Slot {
    std::uint64_t key = kNoKey;
    Value value{};
  };

  static std::uint64_t Key(std::int32_t first, std::int32_t second) {
    return std::uint64_t{static_cast<std::uint32_t>(first)} << 32 |
           static_cast<std::uint32_t>(second);
  }

  // The pair's slot, or the free one where it would go.
  std::size_t SlotIndex(std::uint64_t key) const {
    std::uint64_t hash = key * 0x9E3779B97F4A7C15u;
    hash = (hash ^ hash >> 32) * 0xD6E8FEB86659FD93u;
    std::size_t index = (hash ^ hash >> 32) & mask_;
    while (slots_[index].key != key && slots_[index].key != kNoKey) index = (index + 1) & mask_;
    return index;
  }

  std::vector<Slot> slots_;  // a power of two
  std::size_t mask_;
};

}  // namespace espalier
