#include "grammar/regex/derivatives.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace espalier {

namespace {

constexpr std::size_t kBlockTargets = 4096;
constexpr PartitionId kUnknownPartition = ~PartitionId{0};
constexpr RegexId kUnsettled = RegexId{1} << 31;

std::uint32_t OneLess(std::uint32_t count) {
  return count == 0 || count == RegexSet::kUnbounded ? count : count - 1;
}

}  // namespace

PartitionId Derivatives::PartitionOf(RegexId id) {
  if (partition_of_.size() <= id) partition_of_.resize(store_.size(), kUnknownPartition);
  if (partition_of_[id] == kUnknownPartition) {
    const PartitionId partition = ComputePartition(id);
    partition_of_[id] = partition;
  }
  return partition_of_[id];
}

PartitionId Derivatives::ComputePartition(RegexId id) {
  const Term& term = store_[id];
  switch (term.op) {
    case TermOp::kNothing:
    case TermOp::kEmpty: return BytePartitions::kOneClass;
    case TermOp::kStep: return partitions_.Of(store_.set(term));
    case TermOp::kRepeat:
    case TermOp::kNot: return PartitionOf(term.a);
    case TermOp::kMultiples: return PartitionOfDecimals();
    case TermOp::kConcat:
    case TermOp::kOr:
    case TermOp::kAnd: break;
  }
  PartitionId all = BytePartitions::kOneClass;
  if (term.op != TermOp::kConcat) {
    for (const RegexId child : store_.children(term)) {
      all = partitions_.Product(all, PartitionOf(child));
    }
    return all;
  }
  for (; store_[id].op == TermOp::kConcat; id = store_[id].b) {
    all = partitions_.Product(all, PartitionOf(store_[id].a));
    if (!store_[store_[id].a].nullable) return all;
  }
  return partitions_.Product(all, PartitionOf(id));
}

// Every digit and the point for themselves.
PartitionId Derivatives::PartitionOfDecimals() {
  PartitionId all = BytePartitions::kOneClass;
  for (const char byte : std::string_view("0123456789.")) {
    const ByteSet set = ByteSet::Of(static_cast<std::uint8_t>(byte));
    all = partitions_.Product(all, partitions_.Of(set));
  }
  return all;
}

RegexId* Derivatives::NewTargets(std::size_t count) {
  if (blocks_.empty() || block_used_ + count > kBlockTargets) {
    blocks_.push_back(std::make_unique<RegexId[]>(kBlockTargets));
    block_used_ = 0;
  }
  RegexId* targets = blocks_.back().get() + block_used_;
  block_used_ += count;
  std::fill_n(targets, count, internal::kNoTarget);
  return targets;
}

RegexId* Derivatives::RowOf(RegexId id) {
  internal::DerivativeRow& row = store_.rows()[id];
  if (!store_.has_row(id)) {
    const PartitionId partition = PartitionOf(id);
    row = {partitions_.class_of(partition), NewTargets(partitions_.classes(partition).size())};
  }
  return row.targets;
}

RegexId Derivatives::Derive(RegexId id, std::uint8_t byte) {
  const Term& term = store_[id];
  if (term.op == TermOp::kStep && store_[term.b].life == Life::kAlive) {
    return store_.set(term).contains(byte) ? term.b : RegexSet::kNothing;
  }
  RowOf(id);
  const internal::DerivativeRow row = store_.rows()[id];
  RegexId& target = row.targets[row.class_of[byte]];
  if (target != internal::kNoTarget) return target & ~kUnsettled;
  const RegexId derivative = Compute(id, byte);
  if (store_.fuel().exhausted()) return derivative;
  const bool settled = derivative == RegexSet::kNothing || store_[derivative].life == Life::kAlive;
  target = settled ? derivative : derivative | kUnsettled;
  return derivative;
}

void Derivatives::Settle(RegexId id, std::uint8_t byte, RegexId target) {
  RowOf(id)[store_.rows()[id].class_of[byte]] = target;
}

RegexId Derivatives::Compute(RegexId id, std::uint8_t byte) {
  if (!store_.fuel().Spend(1)) return RegexSet::kNothing;
  const Term term = store_[id];
  switch (term.op) {
    case TermOp::kNothing:
    case TermOp::kEmpty: return RegexSet::kNothing;
    case TermOp::kStep: return store_.set(term).contains(byte) ? term.b : RegexSet::kNothing;
    case TermOp::kConcat: return DeriveChain(id, byte);
    case TermOp::kRepeat: return DeriveRepeat(term, byte);
    case TermOp::kOr:
    case TermOp::kAnd: return DeriveChildren(term, byte);
    case TermOp::kNot: return builder_.Not(Derive(term.a, byte));
    case TermOp::kMultiples: return DeriveMultiples(term, byte);
  }
  return RegexSet::kNothing;
}

// A nullable first part lets the byte fall on what follows: one alternative a part.
RegexId Derivatives::DeriveChain(RegexId id, std::uint8_t byte) {
  const std::size_t base = stack_.size();
  while (store_[id].op == TermOp::kConcat) {
    const RegexId first = store_[id].a, rest = store_[id].b;
    stack_.push_back(builder_.Concat(Derive(first, byte), rest));
    if (!store_.fuel().Spend(1)) break;
    id = rest;
    if (!store_[first].nullable) {
      id = RegexSet::kNothing;
      break;
    }
  }
  const RegexId last = Derive(id, byte);
  stack_.push_back(last);
  const RegexId all = stack_.size() == base + 2 && last == RegexSet::kNothing
                          ? stack_[base]
                          : builder_.Or(std::span(stack_).subspan(base));
  stack_.resize(base);
  return all;
}

// A nullable body has min 0 (TermBuilder), so to skip bodies adds nothing.
RegexId Derivatives::DeriveRepeat(const Term& term, std::uint8_t byte) {
  const RegexId inside = Derive(term.a, byte);
  if (inside == RegexSet::kNothing) return inside;
  return builder_.Concat(inside, builder_.Repeat(term.a, OneLess(term.min), OneLess(term.max)));
}

RegexId Derivatives::DeriveMultiples(const Term& term, std::uint8_t byte) {
  const std::optional<DecimalMultiples> next = store_.multiples(term).Derive(byte);
  return next ? store_.Multiples(*next) : RegexSet::kNothing;
}

RegexId Derivatives::DeriveChildren(const Term& term, std::uint8_t byte) {
  const std::size_t base = stack_.size();
  for (std::uint32_t i = 0; i < term.b; ++i) {
    const RegexId derivative = Derive(store_.children(term)[i], byte);
    if (derivative != RegexSet::kNothing) {
      stack_.push_back(derivative);
    } else if (term.op == TermOp::kAnd) {
      stack_.resize(base);
      return derivative;
    }
  }
  const auto operands = std::span(stack_).subspan(base);
  const RegexId all = term.op == TermOp::kOr ? builder_.Or(operands) : builder_.And(operands);
  stack_.resize(base);
  return all;
}

std::size_t Derivatives::size_bytes() const {
  return partitions_.size_bytes() + partition_of_.capacity() * sizeof(PartitionId) +
         stack_.capacity() * sizeof(RegexId) +
         blocks_.size() * (kBlockTargets * sizeof(RegexId) + sizeof(blocks_[0]));
}

}  // namespace espalier
