// Derivatives: what may follow a byte, computed once for each term and class of bytes
// (Owens, Reppy, Turon, "Regular-expression derivatives re-examined", 2009, sections 3.3
// and 4).
//
// A derivative is exact but may be a term whose language is empty; such a target stays
// marked in its row until somebody has found out (Settle), so that the fast path of
// RegexSet::Derive gives terms only that are alive.
//
// Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "grammar/regex/byte_partitions.h"
#include "grammar/regex/term_builder.h"

namespace espalier {

class Derivatives {
 public:
  // `builder` must outlive this object.
  explicit Derivatives(TermBuilder& builder) : builder_(builder), store_(builder.store()) {}

  std::span<const ByteSet> ByteClasses(RegexId id) { return partitions_.classes(PartitionOf(id)); }
  // Not kept if fuel ran out on the way: then it is too small.
  RegexId Derive(RegexId id, std::uint8_t byte);
  // From now on `byte` leads from `id` to `target`. REQUIRES: Derive(id, byte) was called.
  void Settle(RegexId id, std::uint8_t byte, RegexId target);

  std::size_t size_bytes() const;

 private:
  PartitionId PartitionOf(RegexId id);
  PartitionId ComputePartition(RegexId id);
  PartitionId PartitionOfDecimals();
  RegexId* RowOf(RegexId id);
  RegexId Compute(RegexId id, std::uint8_t byte);
  RegexId DeriveChain(RegexId id, std::uint8_t byte);
  RegexId DeriveRepeat(const Term& term, std::uint8_t byte);
  RegexId DeriveMultiples(const Term& term, std::uint8_t byte);
  RegexId DeriveChildren(const Term& term, std::uint8_t byte);
  RegexId* NewTargets(std::size_t count);

  TermBuilder& builder_;
  TermStore& store_;
  BytePartitions partitions_;
  std::vector<PartitionId> partition_of_;           // [term] once known
  std::vector<RegexId> stack_;                      // operands of the derivatives being computed
  std::vector<std::unique_ptr<RegexId[]>> blocks_;  // of targets; rows point into them
  std::size_t block_used_ = 0;
};

}  // namespace espalier
