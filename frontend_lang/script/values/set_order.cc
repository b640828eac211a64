// Set::Arrange: the order of CPython's set, where it is one that programs can rely on.
//
// A set there is a table that ints are put in by their value (their hash), at the first
// free place of a short run; so small ints come out sorted. Here the members are put
// into such a table in the order in which they came, and taken out in the table's order.
// The order of other members (str) changes from run to run there, so any order will do.
#include <cstdint>
#include <vector>

#include "frontend_lang/script/values/dict.h"

namespace espalier::lang {
namespace {

class IntTable {
 public:
  IntTable() : slots_(kMinSize, kFree) {}

  // Entry number `number`, an int, comes next.
  void Add(std::uint64_t hash, std::int32_t number) {
    hashes_.push_back(hash);
    Place(hash, number);
    ++num_used_;
    if (num_used_ * 5 < (slots_.size() - 1) * 3) return;
    Grow();
  }

  std::vector<std::int32_t> Order() const {
    std::vector<std::int32_t> order;
    for (const std::int32_t slot : slots_) {
      if (slot != kFree) order.push_back(slot);
    }
    return order;
  }

 private:
  static constexpr std::int32_t kFree = -1;
  static constexpr std::size_t kMinSize = 8, kRun = 9, kLarge = 50000;

  void Place(std::uint64_t hash, std::int32_t number) {
    const std::size_t mask = slots_.size() - 1;
    std::uint64_t perturb = hash;
    for (std::size_t at = hash & mask;;) {
      const std::size_t last = at + kRun <= mask ? at + kRun : at;
      for (std::size_t i = at; i <= last; ++i) {
        if (slots_[i] != kFree) continue;
        slots_[i] = number;
        return;
      }
      perturb >>= 5;
      at = (at * 5 + 1 + perturb) & mask;
    }
  }

  void Grow() {
    const std::size_t wanted = num_used_ > kLarge ? num_used_ * 2 : num_used_ * 4;
    std::size_t size = kMinSize;
    while (size <= wanted) size *= 2;
    const std::vector<std::int32_t> old = Order();
    slots_.assign(size, kFree);
    for (const std::int32_t number : old) Place(hashes_[static_cast<std::size_t>(number)], number);
  }

  std::vector<std::int32_t> slots_;    // entry numbers
  std::vector<std::uint64_t> hashes_;  // of each entry
  std::size_t num_used_ = 0;
};

// CPython's hash of an int: its value modulo 2^61 - 1, with its sign, and -2 for -1.
std::uint64_t HashOfInt(std::int64_t value) {
  constexpr std::int64_t kPrime = (std::int64_t{1} << 61) - 1;
  const std::int64_t hash = value % kPrime;  // C++ keeps the sign
  return static_cast<std::uint64_t>(hash == -1 ? -2 : hash);
}

}  // namespace

void Set::Arrange() {
  if (arranged_) return;
  arranged_ = true;
  IntTable ints;
  std::int32_t number = 0;
  for (std::size_t at = 0; const HashTable::Entry* entry = EntryAt(at); ++at) {
    if (!entry->key.is_integral()) return;
    ints.Add(HashOfInt(entry->key.as_int()), number++);
  }
  table_.Arrange(ints.Order());
}

}  // namespace espalier::lang
