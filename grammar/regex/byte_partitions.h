// BytePartitions: ways to cut the 256 bytes into classes, each kept once.
//
// Thread safety: none.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

#include "grammar/regex/byte_set.h"

namespace espalier {

using PartitionId = std::uint32_t;

class BytePartitions {
 public:
  static constexpr PartitionId kOneClass = 0;

  BytePartitions();

  // Into `set` and the rest.
  PartitionId Of(const ByteSet& set);
  // The coarsest partition that is finer than both.
  PartitionId Product(PartitionId x, PartitionId y);

  // Addresses stay. Classes are numbered by their smallest byte.
  const std::uint8_t* class_of(PartitionId id) const { return partitions_[id].class_of.data(); }
  std::span<const ByteSet> classes(PartitionId id) const { return partitions_[id].classes; }
  std::size_t size_bytes() const;

 private:
  using ClassOf = std::array<std::uint8_t, 256>;
  struct Partition {
    ClassOf class_of;
    std::vector<ByteSet> classes;
  };
  PartitionId Intern(const ClassOf& class_of);

  std::deque<Partition> partitions_;
  std::unordered_multimap<std::uint64_t, PartitionId> by_hash_;  // of class_of
  std::unordered_map<std::uint64_t, PartitionId> products_;      // smaller id << 32 | larger
};

}  // namespace espalier
