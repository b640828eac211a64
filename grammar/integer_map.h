// IntegerMap: a map from 64-bit keys to 32-bit values, whose entries are never removed.
//
// Thread safety: thread-compatible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "grammar/mix.h"

namespace espalier {

class IntegerMap {
 public:
  IntegerMap() : slots_(64) {}

  // Null if the key is absent. Valid until the next Set().
  const std::uint32_t* Find(std::uint64_t key) const {
    for (std::size_t i = Home(key);; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].key == key + 1) return &slots_[i].value;
      if (slots_[i].key == 0) return nullptr;
    }
  }
  // REQUIRES: key is absent and not ~0.
  void Set(std::uint64_t key, std::uint32_t value) {
    Place(key + 1, value);
    if (2 * ++size_ <= slots_.size()) return;
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.key != 0) Place(slot.key, slot.value);
    }
  }
  std::size_t size_bytes() const { return slots_.capacity() * sizeof(Slot); }

 private:
  struct Slot {
    std::uint64_t key = 0;  // plus one; 0: free
    std::uint32_t value = 0;
  };

  std::size_t Home(std::uint64_t key) const { return Mix(key, 1) & (slots_.size() - 1); }
  void Place(std::uint64_t stored_key, std::uint32_t value) {
    std::size_t i = Home(stored_key - 1);
    while (slots_[i].key != 0) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = {stored_key, value};
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace espalier
