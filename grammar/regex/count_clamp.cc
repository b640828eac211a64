#include "grammar/regex/count_clamp.h"

#include <algorithm>
#include <vector>

namespace espalier {

namespace {

// Enough for a pair of JSON's \uXXXX escapes, and for the options of most patterns.
constexpr std::size_t kMaxChain = 16;

}  // namespace

RegexId CountClamp::Apply(RegexId id, Reach reach) {
  const std::uint64_t key =
      std::uint64_t{reach.num_bytes} << 33 | static_cast<std::uint64_t>(reach.where) << 32 | id;
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  const RegexId clamped = Compute(id, reach);
  if (store_.fuel().exhausted()) return RegexSet::kNothing;
  known_.emplace(key, clamped);
  return clamped;
}

RegexId CountClamp::Compute(RegexId id, Reach reach) {
  switch (store_[id].op) {
    case TermOp::kStep:
    case TermOp::kConcat: return ApplyToChain(id, reach);
    case TermOp::kRepeat: return ApplyToRepeat(id, reach);
    case TermOp::kOr: return builder_.Or(ApplyToChildren(id, reach));
    case TermOp::kAnd: return reach.where == Where::kInAnd ? id : ApplyToAnd(id, reach);
    case TermOp::kMultiples: {
      if (reach.where == Where::kInAnd) return id;
      const DecimalMultiples clamped = store_.multiples(store_[id]).Clamp(reach.num_bytes);
      return store_.Multiples(clamped);
    }
    default: return id;
  }
}

// Each time that is not empty takes a byte, so num_bytes bytes begin at most num_bytes
// times, and are over before a time above that is due.
RegexId CountClamp::ApplyToRepeat(RegexId id, Reach reach) {
  const Term term = store_[id];
  if (reach.where == Where::kInAnd) return ForgetBound(id, reach.num_bytes);
  if (term.max < reach.num_bytes) return id;
  const std::uint32_t min = term.min <= reach.num_bytes ? term.min : reach.num_bytes + 1;
  return builder_.Repeat(term.a, min, RegexSet::kUnbounded);
}

// Where ClampProof::kRoom more times may follow those that num_bytes bytes take.
RegexId CountClamp::ForgetBound(RegexId id, std::uint32_t num_bytes) {
  const Term term = store_[id];
  const std::uint64_t bytes_each = std::max<std::uint64_t>(store_[term.a].min_bytes, 1);
  const std::uint64_t num_times = (num_bytes + bytes_each - 1) / bytes_each;
  if (term.max < num_times + ClampProof::kRoom) return id;
  return builder_.Repeat(term.a, term.min, RegexSet::kUnbounded);
}

RegexId CountClamp::ApplyToAnd(RegexId id, Reach reach) {
  const RegexId clamped = builder_.And(ApplyToChildren(id, {reach.num_bytes, Where::kInAnd}));
  return clamped == id || proof_.Holds(clamped, reach.num_bytes) ? clamped : id;
}

RegexId CountClamp::ApplyToChain(RegexId whole, Reach reach) {
  RegexId id = whole;
  std::vector<RegexId> chain;
  bool changed = false;
  std::uint64_t min_bytes = 0;
  while (chain.size() < kMaxChain && min_bytes < reach.num_bytes) {
    const Term term = store_[id];
    if (term.op != TermOp::kStep && term.op != TermOp::kConcat) break;
    if (term.op == TermOp::kStep) {
      chain.push_back(id);
      min_bytes += 1;
    } else {
      chain.push_back(Apply(term.a, reach));
      changed |= chain.back() != term.a;
      min_bytes += store_[term.a].min_bytes;
    }
    id = term.b;
  }
  const bool is_chain = store_[id].op == TermOp::kStep || store_[id].op == TermOp::kConcat;
  RegexId rest = is_chain ? id : Apply(id, reach);
  changed |= rest != id;
  if (!changed) return whole;
  for (; !chain.empty(); chain.pop_back()) {
    const Term part = store_[chain.back()];
    rest = part.op == TermOp::kStep ? builder_.Step(ByteSet(store_.set(part)), rest)
                                    : builder_.Concat(chain.back(), rest);
  }
  return rest;
}

std::vector<RegexId> CountClamp::ApplyToChildren(RegexId id, Reach reach) {
  const std::uint32_t num_children = store_[id].b;
  std::vector<RegexId> parts;
  for (std::uint32_t i = 0; i < num_children; ++i) {
    parts.push_back(Apply(store_.children(store_[id])[i], reach));
  }
  return parts;
}

std::size_t CountClamp::size_bytes() const {
  constexpr std::size_t kNodeBytes = 4 * sizeof(void*);
  return known_.size() * kNodeBytes + known_.bucket_count() * sizeof(void*);
}

}  // namespace espalier
