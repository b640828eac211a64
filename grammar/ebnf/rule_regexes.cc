#include "grammar/ebnf/rule_regexes.h"

#include <algorithm>

#include "kernels/base/check.h"

namespace espalier {
namespace {

constexpr RegexId kUnmade = ~RegexId{0};

// The rules that each rule refers to. Expressions that share a part would be walked
// twice; parsers make trees.
Adjacency References(const RuleSet& rules) {
  Adjacency graph(rules.num_rules());
  std::vector<ExprId> open;
  for (RuleId rule = 0; rule < rules.num_rules(); ++rule) {
    open.assign(1, rules.rule(rule).body);
    while (!open.empty()) {
      const Expr& expr = rules.expr(open.back());
      open.pop_back();
      if (expr.kind == Expr::Kind::kRule) graph[rule].push_back(expr.id);
      const auto parts = rules.parts(expr);
      open.insert(open.end(), parts.begin(), parts.end());
    }
  }
  return graph;
}

}  // namespace

RuleRegexes::RuleRegexes(const RuleSet& rules, RegexSet& set)
    : rules_(rules),
      set_(set),
      recursive_(rules.num_rules(), false),
      extents_(rules.num_exprs()),
      regexes_(rules.num_exprs(), kUnmade) {
  const Adjacency graph = References(rules);
  for (const auto& members : StrongComponents(graph).members) {
    const RuleId first = members[0];
    const bool calls_itself =
        std::find(graph[first].begin(), graph[first].end(), first) != graph[first].end();
    for (const RuleId rule : members) recursive_[rule] = members.size() > 1 || calls_itself;
    // What a rule refers to, outside of its component, has been measured.
    for (const RuleId rule : members) Measure(rules.rule(rule).body);
  }
}

RuleRegexes::Extent RuleRegexes::Measure(ExprId id) {
  const Expr& expr = rules_.expr(id);
  Extent extent;
  switch (expr.kind) {
    case Expr::Kind::kRegex: extent.size = expr.size; break;
    case Expr::Kind::kRule: {
      extent.regular = !recursive_[expr.id];
      if (!extent.regular) break;
      extent = extents_[rules_.rule(expr.id).body];
      extent.copied = extent.size;
      extent.height += 1;
      extent.regular = extent.regular && extent.height <= kMaxHeight;
      break;
    }
    default: extent = MeasureParts(expr);
  }
  return extents_[id] = extent;
}

RuleRegexes::Extent RuleRegexes::MeasureParts(const Expr& expr) {
  Extent extent = {.regular =
                       expr.kind != Expr::Kind::kLookahead && expr.kind != Expr::Kind::kNetwork};
  for (const ExprId part : rules_.parts(expr)) {
    const Extent inner = Measure(part);
    extent.regular = extent.regular && inner.regular;
    extent.height = std::max(extent.height, inner.height + 1);
    extent.size += inner.size;
    extent.copied += inner.copied;
  }
  const bool may_join = expr.num_parts == 1 || MayJoin(extent.copied);
  extent.regular = extent.regular && may_join && extent.height <= kMaxHeight;
  return extent;
}

RegexId RuleRegexes::Of(ExprId id) {
  ESP_CHECK(regular(id));
  if (regexes_[id] == kUnmade) {
    const RegexId made = Make(rules_.expr(id));
    regexes_[id] = made;
  }
  return regexes_[id];
}

RegexId RuleRegexes::Make(const Expr& expr) {
  if (expr.kind == Expr::Kind::kRegex) return expr.id;
  if (expr.kind == Expr::Kind::kRule) return Of(rules_.rule(expr.id).body);
  std::vector<RegexId> parts;
  for (const ExprId part : rules_.parts(expr)) parts.push_back(Of(part));
  switch (expr.kind) {
    case Expr::Kind::kSequence: return set_.Concat(parts);
    case Expr::Kind::kChoice: return set_.Or(parts);
    case Expr::Kind::kIntersection: return set_.And(parts);
    case Expr::Kind::kDifference: return set_.And(parts[0], set_.Not(parts[1]));
    case Expr::Kind::kShortest: {
      const RegexId longer[] = {parts[0], set_.Bytes(ByteSet::All()), RegexSet::kAnything};
      return set_.And(parts[0], set_.Not(set_.Concat(longer)));
    }
    default: return set_.Repeat(parts[0], expr.min, expr.max);
  }
}

}  // namespace espalier
