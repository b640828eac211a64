#include "grammar/regex/byte_partitions.h"

#include <algorithm>
#include <cstring>

#include "grammar/mix.h"

namespace espalier {

namespace {

std::uint64_t HashOf(const std::array<std::uint8_t, 256>& class_of) {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < class_of.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, class_of.data() + i, 8);
    hash = Mix(hash, word);
  }
  return hash;
}

}  // namespace

BytePartitions::BytePartitions() { Intern({}); }

PartitionId BytePartitions::Of(const ByteSet& set) {
  ClassOf class_of{};
  const bool first = set.contains(0);
  for (unsigned b = 0; b < 256; ++b) {
    class_of[b] = set.contains(static_cast<std::uint8_t>(b)) == first ? 0 : 1;
  }
  return Intern(class_of);
}

PartitionId BytePartitions::Product(PartitionId x, PartitionId y) {
  if (x == y || y == kOneClass) return x;
  if (x == kOneClass) return y;
  const std::uint64_t key = std::uint64_t{std::min(x, y)} << 32 | std::max(x, y);
  if (const auto found = products_.find(key); found != products_.end()) return found->second;
  const Partition& px = partitions_[x];
  const Partition& py = partitions_[y];
  const std::size_t num_y = py.classes.size();
  std::vector<std::int16_t> renamed(px.classes.size() * num_y, -1);
  ClassOf class_of{};
  std::int16_t num_classes = 0;
  for (std::size_t b = 0; b < 256; ++b) {
    std::int16_t& name = renamed[px.class_of[b] * num_y + py.class_of[b]];
    if (name < 0) name = num_classes++;
    class_of[b] = static_cast<std::uint8_t>(name);
  }
  const PartitionId product = Intern(class_of);
  products_.emplace(key, product);
  return product;
}

PartitionId BytePartitions::Intern(const ClassOf& class_of) {
  const std::uint64_t hash = HashOf(class_of);
  const auto [begin, end] = by_hash_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    if (partitions_[it->second].class_of == class_of) return it->second;
  }
  Partition& partition = partitions_.emplace_back(Partition{class_of, {}});
  for (unsigned b = 0; b < 256; ++b) {
    const std::size_t cls = class_of[b];
    if (cls == partition.classes.size()) partition.classes.emplace_back();
    partition.classes[cls] |= ByteSet::Of(static_cast<std::uint8_t>(b));
  }
  const auto id = static_cast<PartitionId>(partitions_.size() - 1);
  by_hash_.emplace(hash, id);
  return id;
}

std::size_t BytePartitions::size_bytes() const {
  std::size_t bytes = 0;
  for (const Partition& partition : partitions_) {
    bytes += sizeof(Partition) + partition.classes.capacity() * sizeof(ByteSet);
  }
  constexpr std::size_t kNodeBytes = 4 * sizeof(void*);  // of an unordered_map
  return bytes + (by_hash_.size() + products_.size()) * kNodeBytes;
}

}  // namespace espalier
