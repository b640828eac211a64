// RuleRegexes: which expressions of a grammar are regular, and their regexes.
//
// An expression counts as regular if it refers to no rule that recurses, and if its regex
// would hold copies of rules up to a bound: `a ::= b b`, `b ::= c c`, ... doubles with
// every rule, and stays rules from where the copies would be too many. Intersections,
// differences and the like have no other form: they must be regular.
//
// Thread safety: as RegexSet.
#pragma once

#include <cstdint>
#include <vector>

#include "grammar/ebnf/components.h"
#include "grammar/ebnf/rule_set.h"
#include "grammar/regex/regex_set.h"

namespace espalier {

class RuleRegexes {
 public:
  // `rules` and `set` must outlive this object. REQUIRES: all rules are defined
  RuleRegexes(const RuleSet& rules, RegexSet& set);

  bool recursive(RuleId rule) const { return recursive_[rule]; }
  bool regular(ExprId expr) const { return extents_[expr].regular; }
  // True if parts that hold this much of other rules can be one regex.
  static bool MayJoin(std::uint64_t copied) { return copied <= kMaxCopied; }
  std::uint64_t copied(ExprId expr) const { return extents_[expr].copied; }

  RegexId Of(ExprId expr);  // REQUIRES: regular(expr)

 private:
  static constexpr std::uint64_t kMaxCopied = 4096;
  static constexpr std::uint32_t kMaxHeight = 400;  // of nested expressions and rules

  struct Extent {
    bool regular = true;
    std::uint32_t height = 1;
    std::uint64_t size = 1;    // of the regex
    std::uint64_t copied = 0;  // the part of it that other rules wrote
  };

  Extent Measure(ExprId expr);
  Extent MeasureParts(const Expr& expr);
  RegexId Make(const Expr& expr);

  const RuleSet& rules_;
  RegexSet& set_;
  std::vector<bool> recursive_;   // [rules]
  std::vector<Extent> extents_;   // [exprs]
  std::vector<RegexId> regexes_;  // [exprs], kUnmade until asked for
};

}  // namespace espalier
