// RegexSet: regular languages over bytes, closed under And and Not, and their
// derivatives.
//
// A regex is an index. Equal terms have one index: terms are hash-consed and simplified
// as they are made (Owens, Reppy, Turon, "Regular-expression derivatives re-examined",
// 2009, section 4), so the derivatives of a term are the states of a small automaton that
// is built as far as it is walked. Derivatives are computed for classes of bytes (section
// 3.3 there), and each is kept where its class says.
//
// Counted repeats keep their count in the term, so a bound of 100,000 costs no more than
// the steps that are taken. And and Not cost nothing until they are walked.
//
// Every operation spends fuel. When it has run out, operations return kNothing: a
// language that is too small, never one that is too large.
//
// Thread safety: none: walking adds to the tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/fuel.h"
#include "grammar/regex/byte_set.h"
#include "grammar/regex/decimal_multiples.h"

namespace espalier {

using RegexId = std::uint32_t;

namespace internal {

// Where the bytes lead: targets[class_of[byte]], a term or, above kLastTarget, not known yet.
struct DerivativeRow {
  const std::uint8_t* class_of;  // [256]
  RegexId* targets;              // [number of classes]
};
inline constexpr RegexId kLastTarget = (RegexId{1} << 31) - 1;
inline constexpr RegexId kNoTarget = ~RegexId{0};

}  // namespace internal

class RegexSet {
 public:
  static constexpr RegexId kNothing = 0;   // no string
  static constexpr RegexId kEmpty = 1;     // the empty string alone
  static constexpr RegexId kAnything = 2;  // every string of bytes
  static constexpr std::uint32_t kUnbounded = ~std::uint32_t{0};

  // `fuel` must outlive the set.
  explicit RegexSet(Fuel& fuel);
  RegexSet(const RegexSet&) = delete;
  RegexSet& operator=(const RegexSet&) = delete;
  ~RegexSet();

  RegexId Bytes(const ByteSet& set);  // strings of one byte
  RegexId Literal(std::string_view text);
  // Any of the texts, shared as a trie: a derivative costs O(alternatives of one byte).
  RegexId Literals(std::vector<std::string> texts);
  RegexId Concat(RegexId first, RegexId second);
  RegexId Concat(std::span<const RegexId> parts);
  RegexId Or(RegexId a, RegexId b);
  RegexId Or(std::span<const RegexId> parts);
  RegexId And(RegexId a, RegexId b);
  RegexId And(std::span<const RegexId> parts);
  RegexId Not(RegexId regex);
  // `regex` min to max times; max may be kUnbounded. REQUIRES: min <= max
  RegexId Repeat(RegexId regex, std::uint32_t min, std::uint32_t max);
  RegexId Star(RegexId regex) { return Repeat(regex, 0, kUnbounded); }
  RegexId Optional(RegexId regex) { return Repeat(regex, 0, 1); }
  // The rest of a decimal text, from a place in it.
  RegexId Multiples(const DecimalMultiples& place);

  // True if the empty string is in the language.
  bool nullable(RegexId regex) const;

  // What may follow `byte`. kNothing exactly when no string of the language begins with
  // it, even through And and Not: a walk never enters a dead end.
  RegexId Derive(RegexId regex, std::uint8_t byte) {
    const internal::DerivativeRow& row = rows_[regex];
    const RegexId target = row.targets[row.class_of[byte]];
    return target <= internal::kLastTarget ? target : DeriveFirst(regex, byte);
  }
  // The bytes with which strings of the language begin.
  ByteSet FirstBytes(RegexId regex);
  // Sets of bytes that `regex` treats alike; they are disjoint and cover all 256.
  std::span<const ByteSet> ByteClasses(RegexId regex);

  bool IsNothing(RegexId regex);  // the language has no string; exact
  bool Matches(RegexId regex, std::string_view text);
  // Of the shortest string; ~0 if IsNothing. Where And or Not put it thousands of bytes
  // away, a lower bound may be all that is found.
  std::uint64_t MinBytes(RegexId regex);
  // True if the language surely is infinite, and so is what may follow every beginning,
  // unless nothing may follow it: true of the inside of a JSON string with its closing
  // quote. false may also mean "not known".
  bool IsInfiniteEverywhere(RegexId regex);

  // x for (x & !y) z, where y is finite and may be followed in x without end; else `regex`.
  // Every beginning of a string of x is a beginning of a string of `regex`.
  RegexId WithoutExceptions(RegexId regex);

  // A term with the same strings of up to `num_bytes` bytes, and the same beginnings of
  // that length: counts above num_bytes are made unbounded, so that terms which no token
  // can tell apart become one.
  RegexId Clamp(RegexId regex, std::uint32_t num_bytes);

  // Equal for equal terms of all sets in this process.
  struct Hash {
    std::uint64_t low = 0, high = 0;
    friend bool operator==(const Hash&, const Hash&) = default;
  };
  Hash hash(RegexId regex) const;

  std::size_t num_terms() const;
  std::size_t size_bytes() const;  // of all tables

 private:
  struct Tables;

  explicit RegexSet(std::unique_ptr<Tables> tables);
  RegexId DeriveFirst(RegexId regex, std::uint8_t byte);

  const std::unique_ptr<Tables> tables_;
  const std::vector<internal::DerivativeRow>& rows_;  // of tables_
};

}  // namespace espalier
