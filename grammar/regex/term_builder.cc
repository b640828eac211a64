#include "grammar/regex/term_builder.h"

#include <algorithm>
#include <limits>

namespace espalier {

namespace {

constexpr RegexId kNothing = RegexSet::kNothing;
constexpr RegexId kEmpty = RegexSet::kEmpty;
constexpr RegexId kAnything = RegexSet::kAnything;
constexpr std::uint32_t kUnbounded = RegexSet::kUnbounded;

// Counts add up to at most kUnbounded - 1, unless one is unbounded; false if they do not.
bool AddCounts(std::uint32_t a, std::uint32_t b, std::uint32_t* sum) {
  if (a == kUnbounded || b == kUnbounded) {
    *sum = kUnbounded;
    return true;
  }
  *sum = a + b;
  return std::uint64_t{a} + b < kUnbounded;
}

bool MultiplyCounts(std::uint32_t a, std::uint32_t b, std::uint32_t* product) {
  if (a == 0 || b == 0) {
    *product = 0;
    return true;
  }
  if (a == kUnbounded || b == kUnbounded) {
    *product = kUnbounded;
    return true;
  }
  *product = a * b;
  return std::uint64_t{a} * b < kUnbounded;
}

// Whether the counts k*a .. k*b, over all k of c .. d, leave no gap: the widest gap can
// only be the first one.
bool NestedCountsAreDense(const Term& inner, std::uint32_t c, std::uint32_t d) {
  if (c == d || inner.max == kUnbounded) return c > 0 || inner.min <= 1 || c == d;
  return (std::uint64_t{c} + 1) * inner.min <= std::uint64_t{c} * inner.max + 1;
}

}  // namespace

bool TermBuilder::AsCounted(RegexId id, Counted* counted) const {
  const Term& term = store_[id];
  if (term.op == TermOp::kRepeat) {
    *counted = {term.a, kEmpty, term.min, term.max};
    return true;
  }
  if (term.op != TermOp::kConcat || store_[term.a].op != TermOp::kRepeat) return false;
  const Term& head = store_[term.a];
  *counted = {head.a, term.b, head.min, head.max};
  return true;
}

RegexId TermBuilder::Step(const ByteSet& set, RegexId next) {
  if (set.empty() || IsDead(next)) return kNothing;
  Counted counted;
  if (AsCounted(next, &counted)) {
    const Term& body = store_[counted.body];
    if (body.op == TermOp::kStep && body.b == kEmpty && store_.set(body) == set &&
        AddCounts(counted.min, 1, &counted.min) && AddCounts(counted.max, 1, &counted.max)) {
      return Prepend(store_.Repeat(counted.body, counted.min, counted.max), counted.tail);
    }
  }
  return store_.Step(set, next);
}

RegexId TermBuilder::Prepend(RegexId first, RegexId rest) {
  if (first == kNothing || rest == kNothing) return kNothing;
  if (rest == kEmpty) return first;
  const Term head = store_[first];
  Counted counted;
  if (head.op == TermOp::kRepeat && AsCounted(rest, &counted) && counted.body == head.a) {
    std::uint32_t min = 0, max = 0;
    if (AddCounts(head.min, counted.min, &min) && AddCounts(head.max, counted.max, &max)) {
      return Prepend(store_.Repeat(head.a, min, max), counted.tail);
    }
  }
  return store_.Concat(first, rest);
}

RegexId TermBuilder::Concat(RegexId first, RegexId rest) {
  if (IsDead(first) || IsDead(rest)) return kNothing;
  if (rest == kEmpty) return first;
  chain_.clear();
  while (first != kEmpty) {
    chain_.push_back(first);
    const Term& term = store_[first];
    if (term.op != TermOp::kStep && term.op != TermOp::kConcat) break;
    first = term.b;
  }
  for (; !chain_.empty(); chain_.pop_back()) {
    const Term term = store_[chain_.back()];
    switch (term.op) {
      case TermOp::kStep: rest = Step(ByteSet(store_.set(term)), rest); break;
      case TermOp::kConcat: rest = Prepend(term.a, rest); break;
      default: rest = Prepend(chain_.back(), rest); break;
    }
  }
  return rest;
}

RegexId TermBuilder::Repeat(RegexId body, std::uint32_t min, std::uint32_t max) {
  if (!store_.fuel().Spend(1)) return kNothing;
  if (max == 0 || body == kEmpty) return kEmpty;
  if (IsDead(body)) return min == 0 ? kEmpty : kNothing;
  const Term term = store_[body];
  if (term.nullable) min = 0;
  if (max == 1 && (min == 1 || term.nullable)) return body;
  if (term.op == TermOp::kRepeat && NestedCountsAreDense(term, min, max)) {
    std::uint32_t all_min = 0, all_max = 0;
    if (MultiplyCounts(term.min, min, &all_min) && MultiplyCounts(term.max, max, &all_max)) {
      return store_.Repeat(term.a, all_min, all_max);
    }
  }
  return store_.Repeat(body, min, max);
}

// Texts of any bytes that are not of length min .. max.
RegexId TermBuilder::OtherLengths(RegexId repeat) {
  const Term term = store_[repeat];
  const RegexId any = TermStore::kAnyByte;
  RegexId parts[2] = {kNothing, kNothing};
  if (term.min > 0) parts[0] = Repeat(any, 0, term.min - 1);
  if (term.max < kUnbounded - 1) parts[1] = Repeat(any, term.max + 1, kUnbounded);
  return Or(parts);
}

RegexId TermBuilder::Not(RegexId body) {
  if (!store_.fuel().Spend(1)) return kNothing;
  if (IsDead(body)) return kAnything;
  if (body == kAnything) return kNothing;
  if (body == kEmpty) return Repeat(TermStore::kAnyByte, 1, kUnbounded);
  const Term& term = store_[body];
  if (term.op == TermOp::kNot) return term.a;
  const bool counts_bytes = term.op == TermOp::kRepeat && term.a == TermStore::kAnyByte;
  return counts_bytes ? OtherLengths(body) : store_.Not(body);
}

// Leaves the parts of an Or in or_list_: neither an Or, nor an option, nor kEmpty is among
// them. Returns false if the Or is kAnything.
bool TermBuilder::Flatten(std::span<const RegexId> parts, bool* has_empty) {
  or_list_.clear();
  for (RegexId part : parts) {
    const Term* term = &store_[part];
    if (part == kAnything) return false;
    if (term->life == Life::kDead) continue;
    const bool option = term->op == TermOp::kRepeat && term->min == 0 && term->max == 1;
    *has_empty |= option || part == kEmpty;
    if (part == kEmpty) continue;
    if (option) {
      part = term->a;
      term = &store_[part];
    }
    if (term->op == TermOp::kOr) {
      const auto children = store_.children(*term);
      or_list_.insert(or_list_.end(), children.begin(), children.end());
    } else {
      or_list_.push_back(part);
    }
  }
  return true;
}

void TermBuilder::MergeSteps() {
  const auto is_other = [this](RegexId id) { return store_[id].op != TermOp::kStep; };
  const auto steps = std::partition(or_list_.begin(), or_list_.end(), is_other);
  std::sort(steps, or_list_.end(), [this](RegexId x, RegexId y) {
    return store_[x].b != store_[y].b ? store_[x].b < store_[y].b : x < y;
  });
  auto out = steps;
  for (auto it = steps; it != or_list_.end();) {
    const RegexId next = store_[*it].b;
    const auto first = it;
    ByteSet set;
    for (; it != or_list_.end() && store_[*it].b == next; ++it) set |= store_.set(store_[*it]);
    *out++ = it == first + 1 ? *first : Step(set, next);
  }
  or_list_.erase(out, or_list_.end());
}

// Leaves or_list_ sorted.
void TermBuilder::MergeCounts() {
  counted_.clear();
  merged_.clear();
  std::erase_if(or_list_, [this](RegexId id) {
    Counted counted;
    if (!AsCounted(id, &counted)) return false;
    counted_.push_back(counted);
    return true;
  });
  std::sort(or_list_.begin(), or_list_.end());
  or_list_.erase(std::unique(or_list_.begin(), or_list_.end()), or_list_.end());
  std::sort(counted_.begin(), counted_.end(), [](const Counted& x, const Counted& y) {
    if (x.tail != y.tail) return x.tail < y.tail;
    return x.body != y.body ? x.body < y.body : x.min < y.min;
  });
  tails_.clear();
  for (std::size_t i = 0; i < counted_.size();) {
    Counted all = counted_[i];
    if (all.min <= 1 && std::ranges::binary_search(or_list_, all.tail)) {
      all.min = 0;  // the tail alone is none of the body
      tails_.push_back(all.tail);
    }
    for (++i; i < counted_.size(); ++i) {
      const Counted& next = counted_[i];
      const bool meets = next.body == all.body && next.tail == all.tail &&
                         (all.max == kUnbounded || next.min <= all.max + 1);
      if (!meets) break;
      all.max = std::max(all.max, next.max);
    }
    merged_.push_back(Prepend(Repeat(all.body, all.min, all.max), all.tail));
  }
  std::erase_if(or_list_, [this](RegexId id) { return std::ranges::binary_search(tails_, id); });
  or_list_.insert(or_list_.end(), merged_.begin(), merged_.end());
  std::sort(or_list_.begin(), or_list_.end());
  or_list_.erase(std::unique(or_list_.begin(), or_list_.end()), or_list_.end());
}

// x | x&y = x and x & (x|y) = x: drops terms of `inner` that share a child with the list.
void TermBuilder::Absorb(std::vector<RegexId>& list, TermOp inner) {
  const auto absorbed = [&](RegexId id) {
    if (store_[id].op != inner) return false;
    return std::ranges::any_of(store_.children(store_[id]), [&](RegexId child) {
      return std::binary_search(list.begin(), list.end(), child);
    });
  };
  // Nothing that is dropped absorbs, as it is of `inner` and so no child of such a term.
  if (std::ranges::none_of(list, absorbed)) return;
  std::vector<RegexId> kept;
  for (const RegexId id : list) {
    if (!absorbed(id)) kept.push_back(id);
  }
  list.swap(kept);
}

bool TermBuilder::HasComplements(const std::vector<RegexId>& list) const {
  return std::ranges::any_of(list, [&](RegexId id) {
    return store_[id].op == TermOp::kNot &&
           std::binary_search(list.begin(), list.end(), store_[id].a);
  });
}

RegexId TermBuilder::Or(std::span<const RegexId> parts) {
  if (!store_.fuel().Spend(1 + parts.size() / 8)) return kNothing;
  bool has_empty = false;
  if (!Flatten(parts, &has_empty)) return kAnything;
  MergeSteps();
  MergeCounts();
  Absorb(or_list_, TermOp::kAnd);
  if (std::binary_search(or_list_.begin(), or_list_.end(), kAnything)) return kAnything;
  if (HasComplements(or_list_)) return kAnything;
  if (or_list_.empty()) return has_empty ? kEmpty : kNothing;
  const bool nullable =
      std::ranges::any_of(or_list_, [this](RegexId id) { return store_[id].nullable; });
  const RegexId all = or_list_.size() == 1 ? or_list_[0] : store_.Many(TermOp::kOr, or_list_);
  return has_empty && !nullable ? Repeat(all, 0, 1) : all;
}

// False if lengths or first bytes show that the languages share nothing.
bool TermBuilder::CanMeet(std::span<const RegexId> parts) const {
  std::uint64_t min_bytes = 0, max_bytes = kNoBound;
  ByteSet first = ByteSet::All();
  for (const RegexId id : parts) {
    const Term& term = store_[id];
    min_bytes = std::max(min_bytes, term.min_bytes);
    max_bytes = std::min(max_bytes, term.max_bytes);
    if (term.op == TermOp::kStep) first &= store_.set(term);
  }
  return min_bytes <= max_bytes && !first.empty();
}

// Makes the complements in and_list_ one. False if that leaves nothing.
bool TermBuilder::TakeComplements() {
  not_list_.clear();
  std::erase_if(and_list_, [this](RegexId id) {
    if (store_[id].op != TermOp::kNot) return false;
    not_list_.push_back(store_[id].a);
    return true;
  });
  if (not_list_.empty()) return true;
  const RegexId excluded = Or(not_list_);
  const RegexId complement = Not(excluded);
  if (complement == kNothing) return false;
  std::uint64_t min_bytes = 0, max_bytes = kNoBound;
  for (const RegexId id : and_list_) {
    min_bytes = std::max(min_bytes, store_[id].min_bytes);
    max_bytes = std::min(max_bytes, store_[id].max_bytes);
    const Term& term = store_[excluded];
    const bool is_child =
        term.op == TermOp::kOr && std::ranges::binary_search(store_.children(term), id);
    if (id == excluded || is_child) return false;
  }
  const Term& term = store_[excluded];
  const bool excludes_other_lengths = term.max_bytes < min_bytes || term.min_bytes > max_bytes;
  if (!excludes_other_lengths && complement != kAnything) and_list_.push_back(complement);
  return true;
}

RegexId TermBuilder::And(std::span<const RegexId> parts) {
  if (!store_.fuel().Spend(1 + parts.size() / 8)) return kNothing;
  and_list_.clear();
  for (const RegexId part : parts) {
    const Term& term = store_[part];
    if (term.life == Life::kDead) return kNothing;
    if (part == kAnything) continue;
    if (term.op == TermOp::kAnd) {
      const auto children = store_.children(term);
      and_list_.insert(and_list_.end(), children.begin(), children.end());
    } else {
      and_list_.push_back(part);
    }
  }
  if (!TakeComplements() || !CanMeet(and_list_)) return kNothing;
  std::ranges::sort(and_list_);
  and_list_.erase(std::unique(and_list_.begin(), and_list_.end()), and_list_.end());
  if (and_list_.empty()) return kAnything;
  if (and_list_[0] == kEmpty) {
    const auto nullable = [this](RegexId id) { return store_[id].nullable; };
    return std::ranges::all_of(and_list_, nullable) ? kEmpty : kNothing;
  }
  Absorb(and_list_, TermOp::kOr);
  return and_list_.size() == 1 ? and_list_[0] : store_.Many(TermOp::kAnd, and_list_);
}

}  // namespace espalier
