// RuleSet: the rules of a grammar, as expressions over regexes and rules. Both notations
// are read into it, and everything behind it forgets which one it was.
//
// An expression is an index; its parts are made before it, so an index is larger than
// those of its parts, and one walk upwards sees parts first.
//
// Thread safety: a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grammar/network.h"
#include "grammar/regex/regex_set.h"

namespace espalier {

using ExprId = std::uint32_t;
using RuleId = std::uint32_t;
inline constexpr ExprId kNoExpr = ~ExprId{0};

struct Expr {
  enum class Kind : std::uint8_t {
    kRegex,
    kRule,
    kSequence,
    kChoice,
    kRepeat,
    kLookahead,
    kNetwork,
    kIntersection,
    kDifference,
    kShortest
  };

  Kind kind = Kind::kRegex;
  std::uint32_t id = 0;     // kRegex: RegexId; kRule: RuleId; kNetwork: which of the networks
                            // beside the rules; kLookahead and those of regular languages
                            // alone: offset in the text
  std::uint32_t size = 1;   // kRegex: about how many bytes it took to write
  std::uint32_t first = 0;  // its parts: parts()[first, first + num_parts)
  std::uint32_t num_parts = 0;
  std::uint32_t min = 1, max = 1;  // kRepeat; max may be RegexSet::kUnbounded
};

struct Rule {
  std::string name;
  std::size_t offset;     // of its definition in the text, or else of its first use
  ExprId body = kNoExpr;  // kNoExpr: used, and not defined so far
  bool terminal = false;  // must not recurse
};

class RuleSet {
 public:
  ExprId Regex(RegexId regex, std::size_t size);
  ExprId Reference(RuleId rule);
  ExprId Sequence(std::span<const ExprId> parts);                    // none: the empty text
  ExprId Choice(std::span<const ExprId> parts);                      // REQUIRES: !parts.empty()
  ExprId Repeat(ExprId part, std::uint32_t min, std::uint32_t max);  // REQUIRES: min <= max
  // Spells nothing; what follows must begin with `part`.
  ExprId Lookahead(ExprId part, std::size_t offset);

  // Of regular languages alone (see RuleRegexes); `offset` is where to say so.
  ExprId Intersection(std::span<const ExprId> parts, std::size_t offset);  // REQUIRES: not empty
  ExprId Difference(ExprId whole, ExprId excluded, std::size_t offset);
  // The texts of `part` that begin with no other text of it.
  ExprId Shortest(ExprId part, std::size_t offset);

  // What a network beside the rules takes; never the empty text.
  ExprId Network(std::uint32_t network);

  // Takes over another grammar's rules under names that are no names in any notation, with
  // `first_network` for its network 0; returns what its start stands for.
  RuleId Import(const RuleSet& other, RuleId start, std::uint32_t first_network);

  // The rule of that name, made without a body if there was none.
  RuleId Named(std::string_view name, std::size_t offset);

  const Expr& expr(ExprId id) const { return exprs_[id]; }
  std::size_t num_exprs() const { return exprs_.size(); }
  std::span<const ExprId> parts(const Expr& expr) const {
    return std::span(parts_).subspan(expr.first, expr.num_parts);
  }
  Rule& rule(RuleId id) { return rules_[id]; }
  const Rule& rule(RuleId id) const { return rules_[id]; }
  std::size_t num_rules() const { return rules_.size(); }

  bool has_lookahead() const { return has_lookahead_; }

  // The defined rule whose name is most like `name`; empty if none is.
  std::string_view MostLike(std::string_view name) const;

 private:
  ExprId Compound(Expr expr, std::span<const ExprId> parts);

  std::vector<Expr> exprs_;
  std::vector<ExprId> parts_;
  std::vector<Rule> rules_;
  std::unordered_map<std::string, RuleId> by_name_;
  bool has_lookahead_ = false;
};

inline bool NeedsRegular(Expr::Kind kind) {
  return kind == Expr::Kind::kIntersection || kind == Expr::Kind::kDifference ||
         kind == Expr::Kind::kShortest;
}

struct ParsedGrammar {
  RuleSet rules;  // all defined
  RuleId start = 0;
  std::vector<std::unique_ptr<Network>> networks;  // that the rules refer to
};

}  // namespace espalier
