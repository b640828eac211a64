#include "grammar/regex/shortest.h"

#include <algorithm>

#include "grammar/saturating.h"

namespace espalier {

namespace {

constexpr std::size_t kMaxTerms = 4096;  // looked at in one search

}  // namespace

std::uint64_t Shortest::MinBytes(RegexId id) {
  const Term term = store_[id];
  if (term.plain || term.nullable) return term.min_bytes;
  if (!emptiness_.IsAlive(id)) return kNoBound;
  if (const auto found = known_.find(id); found != known_.end()) return found->second;
  std::uint64_t min_bytes = kNoBound;
  switch (term.op) {
    case TermOp::kNothing:
    case TermOp::kEmpty:
    case TermOp::kMultiples: break;
    case TermOp::kStep:
    case TermOp::kConcat: min_bytes = MinBytesOfChain(id); break;
    case TermOp::kRepeat: min_bytes = SaturatingMultiply(MinBytes(term.a), term.min); break;
    case TermOp::kOr:
      for (std::uint32_t i = 0; i < term.b; ++i) {
        min_bytes = std::min(min_bytes, MinBytes(store_.children(store_[id])[i]));
      }
      break;
    case TermOp::kAnd:
    case TermOp::kNot: return FindShortest(id);
  }
  if (!store_.fuel().exhausted()) known_.emplace(id, min_bytes);
  return min_bytes;
}

std::uint64_t Shortest::MinBytesOfChain(RegexId id) {
  std::uint64_t sum = 0;
  for (;; id = store_[id].b) {
    const TermOp op = store_[id].op;
    if (op != TermOp::kStep && op != TermOp::kConcat) return SaturatingAdd(sum, MinBytes(id));
    sum = SaturatingAdd(sum, op == TermOp::kStep ? 1 : MinBytes(store_[id].a));
  }
}

std::uint64_t Shortest::FindShortest(RegexId id) {
  Way way;
  way.Push({0, 0, id, id});
  for (std::size_t num_terms = 0; !way.queue.empty(); ++num_terms) {
    if (!store_.fuel().Spend(1)) return kNoBound;
    const Reached reached = way.queue.top();
    if (num_terms == kMaxTerms) {
      known_[id] = reached.bound;
      return reached.bound;
    }
    way.queue.pop();
    if (reached.id == RegexSet::kNothing) return Keep(way, reached);
    if (reached.distance == way.steps.at(reached.id).distance) Expand(reached, way);
  }
  return kNoBound;
}

void Shortest::Expand(const Reached& reached, Way& way) {
  for (const ByteSet& bytes : derivatives_.ByteClasses(reached.id)) {
    const RegexId next = emptiness_.DeriveAlive(reached.id, bytes.first());
    if (next == RegexSet::kNothing) continue;
    const Term term = store_[next];
    const std::uint64_t distance = reached.distance + 1;
    const bool searched = term.op == TermOp::kAnd || term.op == TermOp::kNot;
    if (searched && !term.nullable && !known_.contains(next)) {
      way.Push({SaturatingAdd(distance, term.min_bytes), distance, next, reached.id});
    } else {
      const std::uint64_t all = SaturatingAdd(distance, MinBytes(next));
      way.queue.push({all, all, RegexSet::kNothing, reached.id});
    }
  }
}

// The rest of a shortest way is a shortest way.
std::uint64_t Shortest::Keep(const Way& way, const Reached& end) {
  for (RegexId id = end.from;;) {
    const Step& step = way.steps.at(id);
    known_[id] = end.distance - step.distance;
    if (step.from == id) return end.distance;
    id = step.from;
  }
}

void Shortest::Way::Push(const Reached& reached) {
  const auto [it, is_new] = steps.try_emplace(reached.id, Step{reached.distance, reached.from});
  if (!is_new) {
    if (it->second.distance <= reached.distance) return;
    it->second = {reached.distance, reached.from};
  }
  queue.push(reached);
}

std::size_t Shortest::size_bytes() const {
  constexpr std::size_t kNodeBytes = 4 * sizeof(void*);
  return known_.size() * kNodeBytes + known_.bucket_count() * sizeof(void*);
}

}  // namespace espalier
