#include "grammar/regex/term_facts.h"

#include <algorithm>

#include "grammar/saturating.h"

namespace espalier {

namespace {

// As in wyhash, but without a key, so that equal terms of different sets have equal hashes.
std::uint64_t MultiplyAndFold(std::uint64_t a, std::uint64_t b) {
  const unsigned __int128 product =
      static_cast<unsigned __int128>(a ^ 0x9e3779b97f4a7c15u) * (b ^ 0xe7037ed1a0b428dbu);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

RegexSet::Hash Absorb(RegexSet::Hash hash, std::uint64_t low, std::uint64_t high) {
  const std::uint64_t mixed_low = MultiplyAndFold(hash.low ^ low, hash.high + 0xa0761d6478bd642fu);
  const std::uint64_t mixed_high = MultiplyAndFold(hash.high ^ high, low + 0x8ebc6af09c88c6e3u);
  return {mixed_low + (mixed_high << 1 | mixed_high >> 63), mixed_high ^ mixed_low >> 7};
}

RegexSet::Hash Absorb(RegexSet::Hash hash, RegexSet::Hash other) {
  return Absorb(hash, other.low, other.high);
}

RegexSet::Hash HashShape(const TermStore& store, std::span<const RegexId> children,
                         const Term& term) {
  RegexSet::Hash hash = Absorb({}, static_cast<std::uint64_t>(term.op) + 1, 0x51ed);
  switch (term.op) {
    case TermOp::kNothing:
    case TermOp::kEmpty: return hash;
    case TermOp::kStep: {
      const auto& words = store.set(term).words();
      hash = Absorb(Absorb(hash, words[0], words[1]), words[2], words[3]);
      return Absorb(hash, store[term.b].hash);
    }
    case TermOp::kConcat: return Absorb(Absorb(hash, store[term.a].hash), store[term.b].hash);
    case TermOp::kNot: return Absorb(hash, store[term.a].hash);
    case TermOp::kRepeat: return Absorb(Absorb(hash, store[term.a].hash), term.min, term.max);
    case TermOp::kMultiples: {
      const auto words = store.multiples(term).words();
      return Absorb(Absorb(hash, words[0], words[1]), words[2], words[3]);
    }
    case TermOp::kOr:
    case TermOp::kAnd: break;
  }
  // Children are sorted by id, which differs from set to set: the sum does not depend on it.
  RegexSet::Hash sum;
  for (const RegexId child : children) {
    const RegexSet::Hash mixed = Absorb(hash, store[child].hash);
    sum.low += mixed.low;
    sum.high += mixed.high;
  }
  return Absorb(Absorb(hash, sum), children.size(), children.size());
}

Life Both(Life a, Life b) {
  return a == Life::kAlive && b == Life::kAlive ? Life::kAlive : Life::kUnknown;
}

std::uint16_t DepthAbove(const Term& term) { return static_cast<std::uint16_t>(term.depth + 1); }

void FillStep(const Term& next, Term& term) {
  term.nullable = false;
  term.plain = next.plain;
  term.life = next.life;
  term.depth = next.depth;
  term.min_bytes = SaturatingAdd(1, next.min_bytes);
  term.max_bytes = SaturatingAdd(1, next.max_bytes);
  term.infinite_everywhere = next.infinite_everywhere;
  term.derivatives_infinite = next.infinite_everywhere || next.op == TermOp::kEmpty;
  term.endless = next.endless;
}

void FillConcat(const Term& first, const Term& rest, Term& term) {
  term.nullable = first.nullable && rest.nullable;
  term.plain = first.plain && rest.plain;
  term.life = Both(first.life, rest.life);
  term.depth = std::max(DepthAbove(first), rest.depth);
  term.min_bytes = SaturatingAdd(first.min_bytes, rest.min_bytes);
  term.max_bytes = SaturatingAdd(first.max_bytes, rest.max_bytes);
  // Either all that follows `first` is infinite, or `first` repeats without end, and a
  // byte of `rest` ends it or is infinite again.
  const bool repeats = first.op == TermOp::kRepeat && first.infinite_everywhere;
  term.derivatives_infinite = rest.infinite_everywhere || (repeats && rest.derivatives_infinite);
  term.infinite_everywhere = term.derivatives_infinite && term.life == Life::kAlive;
  term.endless = rest.endless && first.plain;
}

void FillRepeat(const Term& body, Term& term) {
  term.nullable = term.min == 0;
  term.plain = body.plain;
  term.life = term.min == 0 ? Life::kAlive : body.life;
  term.depth = DepthAbove(body);
  term.min_bytes = SaturatingMultiply(body.min_bytes, term.min);
  const std::uint64_t max = term.max == RegexSet::kUnbounded ? kNoBound : term.max;
  term.max_bytes = SaturatingMultiply(body.max_bytes, max);
  // Not plain, the body may be no more than the empty string.
  term.infinite_everywhere = term.max == RegexSet::kUnbounded && body.plain;
  term.derivatives_infinite = term.infinite_everywhere || term.max_bytes <= 1;
  term.endless = term.infinite_everywhere;
}

void FillNot(const Term& body, Term& term) {
  term.nullable = !body.nullable;
  term.plain = false;
  term.depth = DepthAbove(body);
  term.min_bytes = term.nullable ? 0 : 1;
  term.max_bytes = kNoBound;
  const bool cofinite = body.max_bytes != kNoBound;
  term.life = term.nullable || cofinite ? Life::kAlive : Life::kUnknown;
  term.infinite_everywhere = cofinite;
  term.derivatives_infinite = cofinite;
}

// More zeros may always be written behind the point.
void FillMultiples(const DecimalMultiples& place, Term& term) {
  term.nullable = place.nullable();
  term.life = Life::kAlive;
  term.min_bytes = place.MinBytes();
  term.max_bytes = kNoBound;
  term.infinite_everywhere = true;
  term.derivatives_infinite = true;
}

void FillOr(const TermStore& store, std::span<const RegexId> children, Term& term) {
  term.min_bytes = kNoBound;
  term.derivatives_infinite = term.endless = true;
  bool any_infinite = false;
  for (const RegexId id : children) {
    const Term& child = store[id];
    term.nullable |= child.nullable;
    term.plain &= child.plain;
    if (child.life == Life::kAlive) term.life = Life::kAlive;
    term.depth = std::max(term.depth, DepthAbove(child));
    term.min_bytes = std::min(term.min_bytes, child.min_bytes);
    term.max_bytes = std::max(term.max_bytes, child.max_bytes);
    term.derivatives_infinite &= child.derivatives_infinite;
    any_infinite |= child.infinite_everywhere;
    term.endless &= child.endless;
  }
  term.infinite_everywhere = any_infinite && term.derivatives_infinite;
}

// "x but not y" has a string where x has longer ones than y, whatever they are.
bool OutlivesExcluded(const TermStore& store, std::span<const RegexId> children) {
  if (children.size() != 2) return false;
  const bool second_is_not = store[children[1]].op == TermOp::kNot;
  const Term& negated = store[children[second_is_not ? 1 : 0]];
  const Term& kept = store[children[second_is_not ? 0 : 1]];
  return negated.op == TermOp::kNot && kept.plain && kept.max_bytes > store[negated.a].max_bytes;
}

void FillAnd(const TermStore& store, std::span<const RegexId> children, Term& term) {
  term.nullable = true;
  term.plain = false;
  term.max_bytes = kNoBound;
  bool all_infinite = true;
  std::size_t num_not_cofinite = 0;
  for (const RegexId id : children) {
    const Term& child = store[id];
    term.nullable &= child.nullable;
    term.depth = std::max(term.depth, DepthAbove(child));
    term.min_bytes = std::max(term.min_bytes, child.min_bytes);
    term.max_bytes = std::min(term.max_bytes, child.max_bytes);
    const bool cofinite = child.op == TermOp::kNot && store[child.a].max_bytes != kNoBound;
    num_not_cofinite += cofinite ? 0 : 1;
    all_infinite &= child.infinite_everywhere;
  }
  if (!term.nullable) term.min_bytes = std::max<std::uint64_t>(term.min_bytes, 1);
  // Infinite less finitely many is infinite; two infinite languages may share nothing.
  term.infinite_everywhere = all_infinite && num_not_cofinite <= 1;
  term.derivatives_infinite = term.infinite_everywhere;
  const bool alive = term.nullable || OutlivesExcluded(store, children);
  term.life = alive ? Life::kAlive : Life::kUnknown;
}

}  // namespace

void FillFacts(const TermStore& store, std::span<const RegexId> children, Term& term) {
  switch (term.op) {
    case TermOp::kNothing:
      term.life = Life::kDead;
      term.min_bytes = kNoBound;
      term.derivatives_infinite = true;
      break;
    case TermOp::kEmpty:
      term.life = Life::kAlive;
      term.nullable = true;
      term.derivatives_infinite = true;
      break;
    case TermOp::kStep: FillStep(store[term.b], term); break;
    case TermOp::kConcat: FillConcat(store[term.a], store[term.b], term); break;
    case TermOp::kRepeat: FillRepeat(store[term.a], term); break;
    case TermOp::kNot: FillNot(store[term.a], term); break;
    case TermOp::kOr: FillOr(store, children, term); break;
    case TermOp::kAnd: FillAnd(store, children, term); break;
    case TermOp::kMultiples: FillMultiples(store.multiples(term), term); break;
  }
  term.hash = HashShape(store, children, term);
}

}  // namespace espalier
