// TermBuilder: makes terms by their operators, simplified.
//
// Simplification decides how many derivatives a term has, and so how large an automaton
// grows. The rules keep the language exactly, and look at most two terms deep:
//   chains are nested to the right; kNothing and kEmpty are absorbed
//   r{a,b} r{c,d} = r{a+c,b+d};  (r{a,b}){c,d} = r{ac,bd} where that leaves no gaps
//   Or and And are flat, sorted sets; sets of bytes with one tail are merged in Or, as are
//   counts of one body with one tail (r{0,3} t | r{2,9} t | t = r{0,9} t); x | x&y = x
//   complements are pulled out of And: x & !y & !z = x & !(y | z)
//   lengths that cannot meet, or bytes that cannot meet, make And nothing
//
// When fuel has run out every operation is kNothing.
//
// Thread safety: none.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grammar/regex/byte_set.h"
#include "grammar/regex/term_store.h"

namespace espalier {

class TermBuilder {
 public:
  // `store` must outlive this object.
  explicit TermBuilder(TermStore& store) : store_(store) {}

  // A repeat at the head of a chain: body{min,max} tail.
  struct Counted {
    RegexId body, tail;
    std::uint32_t min, max;
  };

  TermStore& store() { return store_; }

  RegexId Step(const ByteSet& set, RegexId next);
  RegexId Concat(RegexId first, RegexId rest);
  RegexId Repeat(RegexId body, std::uint32_t min, std::uint32_t max);
  RegexId Or(std::span<const RegexId> parts);
  RegexId And(std::span<const RegexId> parts);
  RegexId Not(RegexId body);

  // False if `id` is no such chain.
  bool AsCounted(RegexId id, Counted* counted) const;

 private:
  bool IsDead(RegexId id) const { return store_[id].life == Life::kDead; }
  RegexId Prepend(RegexId first, RegexId rest);
  RegexId OtherLengths(RegexId repeat);

  // The steps of Or, on or_list_.
  bool Flatten(std::span<const RegexId> parts, bool* has_empty);
  void MergeSteps();
  void MergeCounts();
  void Absorb(std::vector<RegexId>& list, TermOp inner);
  bool HasComplements(const std::vector<RegexId>& list) const;

  bool CanMeet(std::span<const RegexId> parts) const;
  bool TakeComplements();

  TermStore& store_;
  // Scratch of the operation at hand.
  std::vector<RegexId> or_list_, and_list_, not_list_, chain_, merged_;
  std::vector<RegexId> tails_;  // sorted
  std::vector<Counted> counted_;
};

}  // namespace espalier
