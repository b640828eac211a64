#include "grammar/regex/term_store.h"

#include <algorithm>
#include <array>

#include "grammar/mix.h"
#include "grammar/regex/term_facts.h"

namespace espalier {

namespace {

// Bit 31 of a target marks what is not a plain answer, so ids stay below it.
constexpr std::size_t kMaxTerms = (std::size_t{1} << 31) - 2;
constexpr std::size_t kFirstSlots = 64;

constexpr std::array<std::uint8_t, 256> kOneClass{};

std::size_t HashSet(const ByteSet& set) {
  std::uint64_t hash = 0;
  for (const std::uint64_t word : set.words()) hash = Mix(hash, word);
  return static_cast<std::size_t>(hash);
}

}  // namespace

TermStore::TermStore(Fuel& fuel) : fuel_(fuel), slots_(kFirstSlots, 0), set_slots_(kFirstSlots, 0) {
  for (const TermOp op : {TermOp::kNothing, TermOp::kEmpty}) {
    Term term{.op = op};
    FillFacts(*this, {}, term);
    terms_.push_back(term);
  }
  // kAnything is a repeat of kAnyByte but has the smaller id, so it is made by hand.
  sets_.push_back(ByteSet::All());
  set_slots_[HashSet(ByteSet::All()) & (kFirstSlots - 1)] = 1;
  Term any_byte{.op = TermOp::kStep, .a = 0, .b = RegexSet::kEmpty};
  FillFacts(*this, {}, any_byte);
  terms_.resize(4);
  terms_[kAnyByte] = any_byte;
  Term anything{.op = TermOp::kRepeat, .a = kAnyByte, .min = 0, .max = RegexSet::kUnbounded};
  FillFacts(*this, {}, anything);
  terms_[RegexSet::kAnything] = anything;
  rows_.assign(4, {kOneClass.data(), &no_target_});
  Grow();
}

std::size_t TermStore::size_bytes() const {
  return terms_.capacity() * sizeof(Term) + rows_.capacity() * sizeof(rows_[0]) +
         children_.capacity() * sizeof(RegexId) + sets_.capacity() * sizeof(ByteSet) +
         (slots_.capacity() + set_slots_.capacity()) * sizeof(std::uint32_t) +
         multiples_.capacity() * sizeof(multiples_[0]) +
         multiples_index_.size() * (sizeof(*multiples_index_.begin()) + 4 * sizeof(void*));
}

RegexId TermStore::Step(const ByteSet& set, RegexId next) {
  return Intern({.op = TermOp::kStep, .a = InternSet(set), .b = next}, {});
}

RegexId TermStore::Concat(RegexId first, RegexId rest) {
  return Intern({.op = TermOp::kConcat, .a = first, .b = rest}, {});
}

RegexId TermStore::Repeat(RegexId body, std::uint32_t min, std::uint32_t max) {
  return Intern({.op = TermOp::kRepeat, .a = body, .min = min, .max = max}, {});
}

RegexId TermStore::Not(RegexId body) { return Intern({.op = TermOp::kNot, .a = body}, {}); }

RegexId TermStore::Multiples(const DecimalMultiples& place) {
  const auto [known, is_new] =
      multiples_index_.try_emplace(place, static_cast<std::uint32_t>(multiples_.size()));
  if (is_new) multiples_.push_back(place);
  return Intern({.op = TermOp::kMultiples, .a = known->second}, {});
}

RegexId TermStore::Many(TermOp op, std::span<const RegexId> children) {
  return Intern({.op = op, .b = static_cast<std::uint32_t>(children.size())}, children);
}

bool TermStore::SameShape(const Term& x, const Term& shape,
                          std::span<const RegexId> children) const {
  if (x.hash != shape.hash || x.op != shape.op || x.b != shape.b) return false;
  if (!children.empty()) return std::ranges::equal(this->children(x), children);
  return x.a == shape.a && x.min == shape.min && x.max == shape.max;
}

RegexId TermStore::Intern(const Term& shape, std::span<const RegexId> children) {
  Term term = shape;
  FillFacts(*this, children, term);
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = static_cast<std::size_t>(term.hash.low) & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    if (SameShape(terms_[slots_[slot] - 1], term, children)) return slots_[slot] - 1;
  }
  if (term.depth > kMaxDepth || terms_.size() >= kMaxTerms) fuel_.Exhaust();
  if (!fuel_.Spend(1 + children.size() / 8)) return RegexSet::kNothing;
  if (!children.empty()) {
    term.a = static_cast<std::uint32_t>(children_.size());
    children_.insert(children_.end(), children.begin(), children.end());
  }
  terms_.push_back(term);
  rows_.push_back({kOneClass.data(), &no_target_});
  slots_[slot] = static_cast<std::uint32_t>(terms_.size());
  if (terms_.size() * 2 > slots_.size()) Grow();
  return static_cast<RegexId>(terms_.size() - 1);
}

void TermStore::Grow() {
  slots_.assign(slots_.size() * 2, 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t id = 0; id < terms_.size(); ++id) {
    std::size_t slot = static_cast<std::size_t>(terms_[id].hash.low) & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<std::uint32_t>(id + 1);
  }
}

std::uint32_t TermStore::InternSet(const ByteSet& set) {
  const auto find = [this](const ByteSet& wanted) {
    const std::size_t mask = set_slots_.size() - 1;
    std::size_t slot = HashSet(wanted) & mask;
    while (set_slots_[slot] != 0 && sets_[set_slots_[slot] - 1] != wanted) {
      slot = (slot + 1) & mask;
    }
    return slot;
  };
  const std::size_t slot = find(set);
  if (set_slots_[slot] != 0) return set_slots_[slot] - 1;
  sets_.push_back(set);
  set_slots_[slot] = static_cast<std::uint32_t>(sets_.size());
  if (sets_.size() * 2 > set_slots_.size()) {
    set_slots_.assign(set_slots_.size() * 2, 0);
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      set_slots_[find(sets_[i])] = static_cast<std::uint32_t>(i + 1);
    }
  }
  return static_cast<std::uint32_t>(sets_.size() - 1);
}

}  // namespace espalier
