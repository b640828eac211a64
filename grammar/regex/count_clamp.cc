#include "grammar/regex/count_clamp.h"

#include <algorithm>
#include <vector>

namespace espalier {

namespace {

// Enough for a pair of JSON's \uXXXX escapes, and for the options of most patterns.
constexpr std::size_t kMaxChain = 16;

}  // namespace

RegexId CountClamp::Apply(RegexId id, std::uint32_t num_bytes) {
  const std::uint64_t key = std::uint64_t{num_bytes} << 32 | id;
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  const RegexId clamped = Compute(id, num_bytes);
  if (store_.fuel().exhausted()) return RegexSet::kNothing;
  known_.emplace(key, clamped);
  return clamped;
}

RegexId CountClamp::Compute(RegexId id, std::uint32_t num_bytes) {
  switch (store_[id].op) {
    case TermOp::kStep:
    case TermOp::kConcat: return ApplyToChain(id, num_bytes);
    case TermOp::kRepeat: return ApplyToRepeat(id, num_bytes);
    case TermOp::kOr: return ApplyToOr(id, num_bytes);
    case TermOp::kMultiples: {
      const DecimalMultiples clamped = store_.multiples(store_[id]).Clamp(num_bytes);
      return store_.Multiples(clamped);
    }
    default: return id;
  }
}

// Each time that is not empty takes a byte, so num_bytes bytes begin at most num_bytes
// times, and are over before a time above that is due.
RegexId CountClamp::ApplyToRepeat(RegexId id, std::uint32_t num_bytes) {
  const Term term = store_[id];
  if (term.max < num_bytes) return id;
  const std::uint32_t min = term.min <= num_bytes ? term.min : num_bytes + 1;
  return builder_.Repeat(term.a, min, RegexSet::kUnbounded);
}

RegexId CountClamp::ApplyToChain(RegexId whole, std::uint32_t num_bytes) {
  RegexId id = whole;
  std::vector<RegexId> chain;
  bool changed = false;
  std::uint64_t min_bytes = 0;
  while (chain.size() < kMaxChain && min_bytes < num_bytes) {
    const Term term = store_[id];
    if (term.op != TermOp::kStep && term.op != TermOp::kConcat) break;
    if (term.op == TermOp::kStep) {
      chain.push_back(id);
      min_bytes += 1;
    } else {
      chain.push_back(Apply(term.a, num_bytes));
      changed |= chain.back() != term.a;
      min_bytes += store_[term.a].min_bytes;
    }
    id = term.b;
  }
  const bool is_chain = store_[id].op == TermOp::kStep || store_[id].op == TermOp::kConcat;
  RegexId rest = is_chain ? id : Apply(id, num_bytes);
  changed |= rest != id;
  if (!changed) return whole;
  for (; !chain.empty(); chain.pop_back()) {
    const Term part = store_[chain.back()];
    rest = part.op == TermOp::kStep ? builder_.Step(ByteSet(store_.set(part)), rest)
                                    : builder_.Concat(chain.back(), rest);
  }
  return rest;
}

RegexId CountClamp::ApplyToOr(RegexId id, std::uint32_t num_bytes) {
  const std::uint32_t num_children = store_[id].b;
  std::vector<RegexId> parts;
  for (std::uint32_t i = 0; i < num_children; ++i) {
    parts.push_back(Apply(store_.children(store_[id])[i], num_bytes));
  }
  return builder_.Or(parts);
}

std::size_t CountClamp::size_bytes() const {
  constexpr std::size_t kNodeBytes = 4 * sizeof(void*);
  return known_.size() * kNodeBytes + known_.bucket_count() * sizeof(void*);
}

}  // namespace espalier
