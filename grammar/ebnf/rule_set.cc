#include "grammar/ebnf/rule_set.h"

#include <algorithm>

#include "kernels/base/check.h"
#include "kernels/base/similar_name.h"

namespace espalier {

ExprId RuleSet::Regex(RegexId regex, std::size_t size) {
  exprs_.push_back({.kind = Expr::Kind::kRegex,
                    .id = regex,
                    .size = static_cast<std::uint32_t>(std::max<std::size_t>(size, 1))});
  return static_cast<ExprId>(exprs_.size() - 1);
}

ExprId RuleSet::Reference(RuleId rule) {
  exprs_.push_back({.kind = Expr::Kind::kRule, .id = rule});
  return static_cast<ExprId>(exprs_.size() - 1);
}

ExprId RuleSet::Compound(Expr expr, std::span<const ExprId> parts) {
  expr.first = static_cast<std::uint32_t>(parts_.size());
  expr.num_parts = static_cast<std::uint32_t>(parts.size());
  parts_.insert(parts_.end(), parts.begin(), parts.end());
  exprs_.push_back(expr);
  return static_cast<ExprId>(exprs_.size() - 1);
}

ExprId RuleSet::Sequence(std::span<const ExprId> parts) {
  if (parts.empty()) return Regex(RegexSet::kEmpty, 0);
  if (parts.size() == 1) return parts[0];
  return Compound({.kind = Expr::Kind::kSequence}, parts);
}

ExprId RuleSet::Choice(std::span<const ExprId> parts) {
  ESP_CHECK(!parts.empty());
  if (parts.size() == 1) return parts[0];
  return Compound({.kind = Expr::Kind::kChoice}, parts);
}

ExprId RuleSet::Repeat(ExprId part, std::uint32_t min, std::uint32_t max) {
  ESP_CHECK(min <= max);
  return Compound({.kind = Expr::Kind::kRepeat, .min = min, .max = max}, std::span(&part, 1));
}

ExprId RuleSet::Lookahead(ExprId part, std::size_t offset) {
  has_lookahead_ = true;
  return Compound({.kind = Expr::Kind::kLookahead, .id = static_cast<std::uint32_t>(offset)},
                  std::span(&part, 1));
}

ExprId RuleSet::Intersection(std::span<const ExprId> parts, std::size_t offset) {
  ESP_CHECK(!parts.empty());
  if (parts.size() == 1) return parts[0];
  return Compound({.kind = Expr::Kind::kIntersection, .id = static_cast<std::uint32_t>(offset)},
                  parts);
}

ExprId RuleSet::Difference(ExprId whole, ExprId excluded, std::size_t offset) {
  const ExprId parts[] = {whole, excluded};
  return Compound({.kind = Expr::Kind::kDifference, .id = static_cast<std::uint32_t>(offset)},
                  parts);
}

ExprId RuleSet::Shortest(ExprId part, std::size_t offset) {
  return Compound({.kind = Expr::Kind::kShortest, .id = static_cast<std::uint32_t>(offset)},
                  std::span(&part, 1));
}

ExprId RuleSet::Network(std::uint32_t network) {
  exprs_.push_back({.kind = Expr::Kind::kNetwork, .id = network});
  return static_cast<ExprId>(exprs_.size() - 1);
}

RuleId RuleSet::Import(const RuleSet& other, RuleId start, std::uint32_t first_network) {
  const auto first_expr = static_cast<ExprId>(exprs_.size());
  const auto first_part = static_cast<std::uint32_t>(parts_.size());
  const auto first_rule = static_cast<RuleId>(rules_.size());
  for (Expr expr : other.exprs_) {
    if (expr.kind == Expr::Kind::kRule) expr.id += first_rule;
    if (expr.kind == Expr::Kind::kNetwork) expr.id += first_network;
    expr.first += first_part;
    exprs_.push_back(expr);
  }
  for (const ExprId part : other.parts_) parts_.push_back(part + first_expr);
  for (const Rule& rule : other.rules_) {
    const RuleId id = Named("%" + std::to_string(rules_.size()) + rule.name, rule.offset);
    rules_[id].body = rule.body + first_expr;
    rules_[id].terminal = rule.terminal;
  }
  return start + first_rule;
}

RuleId RuleSet::Named(std::string_view name, std::size_t offset) {
  const auto [it, is_new] = by_name_.emplace(std::string(name), static_cast<RuleId>(rules_.size()));
  if (is_new) rules_.push_back({.name = std::string(name), .offset = offset});
  return it->second;
}

std::string_view RuleSet::MostLike(std::string_view name) const {
  std::vector<std::string_view> defined;
  for (const Rule& rule : rules_) {
    if (rule.body != kNoExpr) defined.emplace_back(rule.name);
  }
  return MostSimilar(name, defined);
}

}  // namespace espalier
