#include "grammar/regex/clamp_proof.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace espalier {

namespace {

// Beyond this the masks that a proof would let places share are cheaper.
constexpr std::size_t kMaxDerivatives = 4'000;
constexpr std::uint32_t kMaxBytes = 32;

}  // namespace

bool ClampProof::Holds(RegexId clamped, std::uint32_t num_bytes) {
  if (num_bytes > kMaxBytes) return false;
  const std::uint64_t key = std::uint64_t{num_bytes} << 32 | clamped;
  if (const auto known = holds_.find(key); known != holds_.end()) return known->second;
  const bool holds = Explore(clamped, num_bytes);
  if (store_.fuel().exhausted()) return false;
  holds_.emplace(key, holds);
  return holds;
}

bool ClampProof::Explore(RegexId root, std::uint32_t num_bytes) {
  std::unordered_set<RegexId> seen = {root};
  std::vector<RegexId> level = {root};
  std::size_t num_derivatives = 0;
  for (std::uint32_t depth = 0; !level.empty(); ++depth) {
    std::vector<RegexId> next;
    for (const RegexId id : level) {
      if (!emptiness_.IsAlive(Bounded(id))) return false;
      if (depth == num_bytes) continue;
      const auto classes = derivatives_.ByteClasses(id);
      for (const ByteSet& same : std::vector(classes.begin(), classes.end())) {
        const RegexId behind = emptiness_.DeriveAlive(id, same.first());
        if (++num_derivatives > kMaxDerivatives) return false;
        if (behind != RegexSet::kNothing && seen.insert(behind).second) next.push_back(behind);
      }
    }
    level = std::move(next);
  }
  return true;
}

// A part of the language: no repeat comes more than kRoom times unless it must.
RegexId ClampProof::Bounded(RegexId id) {
  if (const auto known = bounded_.find(id); known != bounded_.end()) return known->second;
  const Term term = store_[id];
  RegexId bounded = id;
  switch (term.op) {
    case TermOp::kStep:
    case TermOp::kConcat: bounded = BoundedChain(id); break;
    case TermOp::kRepeat:
      bounded =
          builder_.Repeat(Bounded(term.a), term.min, std::min(term.max, std::max(term.min, kRoom)));
      break;
    case TermOp::kOr:
    case TermOp::kAnd: bounded = BoundedChildren(id); break;
    default: break;  // no bound is forgotten inside a complement
  }
  if (!store_.fuel().exhausted()) bounded_.emplace(id, bounded);
  return bounded;
}

RegexId ClampProof::BoundedChain(RegexId id) {
  std::vector<RegexId> chain;
  for (; store_[id].op == TermOp::kStep || store_[id].op == TermOp::kConcat; id = store_[id].b) {
    chain.push_back(id);
  }
  RegexId rest = Bounded(id);
  for (; !chain.empty(); chain.pop_back()) {
    const Term part = store_[chain.back()];
    rest = part.op == TermOp::kStep ? builder_.Step(ByteSet(store_.set(part)), rest)
                                    : builder_.Concat(Bounded(part.a), rest);
  }
  return rest;
}

RegexId ClampProof::BoundedChildren(RegexId id) {
  const Term term = store_[id];
  std::vector<RegexId> parts;
  for (std::uint32_t i = 0; i < term.b; ++i) {
    parts.push_back(Bounded(store_.children(term)[i]));
  }
  return term.op == TermOp::kOr ? builder_.Or(parts) : builder_.And(parts);
}

std::size_t ClampProof::size_bytes() const {
  constexpr std::size_t kNodeBytes = 3 * sizeof(void*);
  return (bounded_.size() + holds_.size()) * kNodeBytes +
         (bounded_.bucket_count() + holds_.bucket_count()) * sizeof(void*);
}

}  // namespace espalier
