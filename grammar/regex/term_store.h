// TermStore: the terms of a RegexSet, each kept once, with what follows from its shape.
//
// A term is an operator over earlier terms. Chains are nested to the right and begin with
// one byte set (kStep) or one other term (kConcat), so a literal is one term a byte and
// the tail of every term of a chain is a term itself. What is known of a term (nullable,
// bounds on its lengths, its hash) is computed when it is made, from its children alone:
// nothing here walks a term.
//
// Invariants:
// 1. Children have smaller ids; equal terms have one id.
// 2. No term but kNothing is built of kNothing.
// 3. depth counts nesting without tails of chains, and is at most kMaxDepth; recursion
//    over anything but such tails is bounded by it.
//
// Thread safety: none.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "grammar/fuel.h"
#include "grammar/regex/byte_set.h"
#include "grammar/regex/decimal_multiples.h"
#include "grammar/regex/regex_set.h"

namespace espalier {

enum class TermOp : std::uint8_t {
  kNothing,
  kEmpty,
  kStep,
  kConcat,
  kRepeat,
  kOr,
  kAnd,
  kNot,
  kMultiples,
};

// Whether a language has a string at all.
enum class Life : std::uint8_t { kUnknown, kAlive, kDead };

inline constexpr std::uint64_t kNoBound = ~std::uint64_t{0};

struct Term {
  TermOp op = TermOp::kNothing;
  Life life = Life::kUnknown;  // written by TermStore, and by Emptiness when it finds out
  bool nullable = false;
  bool plain = true;  // neither And nor Not inside: bounds are exact, and it is alive
  // Every derivative of one byte or more is {}, {""} or infinite; and the language itself is.
  bool derivatives_infinite = false;
  bool infinite_everywhere = false;
  bool endless = false;  // the language is infinite, and so is what follows every beginning
  std::uint16_t depth = 0;
  // kStep: set, next. kConcat: first, rest. kRepeat: body. kNot: body. kOr, kAnd: their
  // children are [a, a + b) of the store's list. kMultiples: the place is multiples(term).
  std::uint32_t a = 0, b = 0;
  std::uint32_t min = 0, max = 0;  // kRepeat
  std::uint64_t min_bytes = 0;     // no string is shorter
  std::uint64_t max_bytes = 0;     // no string is longer; kNoBound: not bounded or not known
  RegexSet::Hash hash;
};

class TermStore {
 public:
  static constexpr std::uint16_t kMaxDepth = 1000;
  static constexpr RegexId kAnyByte = 3;  // the term behind kAnything

  explicit TermStore(Fuel& fuel);
  TermStore(const TermStore&) = delete;
  TermStore& operator=(const TermStore&) = delete;

  Fuel& fuel() { return fuel_; }
  const Term& operator[](RegexId id) const { return terms_[id]; }
  const ByteSet& set(const Term& step) const { return sets_[step.a]; }
  const DecimalMultiples& multiples(const Term& term) const { return multiples_[term.a]; }
  std::span<const RegexId> children(const Term& term) const {
    return std::span(children_).subspan(term.a, term.b);
  }
  std::size_t size() const { return terms_.size(); }
  std::size_t size_bytes() const;

  // The term of this shape, made if it is new. These do not simplify: callers give shapes
  // that are simplified. A new term costs fuel, and is kNothing when there is none.
  RegexId Step(const ByteSet& set, RegexId next);
  RegexId Concat(RegexId first, RegexId rest);
  RegexId Repeat(RegexId body, std::uint32_t min, std::uint32_t max);
  RegexId Not(RegexId body);
  RegexId Multiples(const DecimalMultiples& place);
  // `op` is kOr or kAnd; `children` sorted, at least two.
  RegexId Many(TermOp op, std::span<const RegexId> children);

  void set_life(RegexId id, Life life) { terms_[id].life = life; }

  // One row a term: where each class of bytes leads (see derivatives.h, which makes them).
  std::vector<internal::DerivativeRow>& rows() { return rows_; }
  bool has_row(RegexId id) const { return rows_[id].targets != &no_target_; }

 private:
  RegexId Intern(const Term& shape, std::span<const RegexId> children);
  bool SameShape(const Term& x, const Term& shape, std::span<const RegexId> children) const;
  void Grow();
  std::uint32_t InternSet(const ByteSet& set);

  Fuel& fuel_;
  RegexId no_target_ = internal::kNoTarget;  // the whole row of a term without one
  std::vector<Term> terms_;
  std::vector<internal::DerivativeRow> rows_;
  std::vector<RegexId> children_;
  std::vector<ByteSet> sets_;
  std::vector<DecimalMultiples> multiples_;
  std::map<DecimalMultiples, std::uint32_t> multiples_index_;  // into multiples_
  std::vector<std::uint32_t> slots_;      // open addressing by hash: id + 1, 0 is free
  std::vector<std::uint32_t> set_slots_;  // the same over sets_
};

}  // namespace espalier
