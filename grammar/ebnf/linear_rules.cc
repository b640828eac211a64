#include "grammar/ebnf/linear_rules.h"

#include <optional>
#include <span>
#include <vector>

namespace espalier {
namespace {

enum class End { kLeft, kRight };

// An expression as alternatives: with the rule at the given end (these are what stands
// beside it), and without the rule.
struct Split {
  std::vector<ExprId> beside;
  std::vector<ExprId> plain;
};

class LinearRewriter {
 public:
  explicit LinearRewriter(RuleSet& rules) : rules_(rules), mentions_(rules.num_exprs(), false) {}

  void Rewrite(RuleId rule) {
    rule_ = rule;
    before_.clear();
    plain_.clear();
    after_.clear();
    const ExprId body = rules_.rule(rule).body;
    if (!MarkMentions(body) || !AddAlternatives(body) || plain_.empty()) return;
    std::vector<ExprId> parts;
    if (!before_.empty()) parts.push_back(Loop(before_));
    parts.push_back(rules_.Choice(plain_));
    if (!after_.empty()) parts.push_back(Loop(after_));
    rules_.rule(rule).body = rules_.Sequence(parts);
  }

 private:
  bool MarkMentions(ExprId id) {
    const Expr expr = rules_.expr(id);
    bool mentions = expr.kind == Expr::Kind::kRule && expr.id == rule_;
    for (const ExprId part : rules_.parts(expr)) mentions = MarkMentions(part) || mentions;
    mentions_[id] = mentions;
    return mentions;
  }
  bool Mentions(ExprId id) const { return id < mentions_.size() && mentions_[id]; }

  ExprId Loop(const std::vector<ExprId>& rounds) {
    return rules_.Repeat(rules_.Choice(rounds), 0, RegexSet::kUnbounded);
  }

  static bool IsOptional(const Expr& expr) {
    return expr.kind == Expr::Kind::kRepeat && expr.min == 0 && expr.max == 1;
  }
  std::vector<ExprId> PartsOf(const Expr& expr) const {
    const auto parts = rules_.parts(expr);
    return {parts.begin(), parts.end()};  // a copy: making expressions moves the parts
  }

  // False if an alternative has the rule elsewhere than at one end.
  bool AddAlternatives(ExprId id) {
    const Expr expr = rules_.expr(id);
    if (Mentions(id) && (expr.kind == Expr::Kind::kChoice || IsOptional(expr))) {
      if (IsOptional(expr)) plain_.push_back(rules_.Sequence({}));
      for (const ExprId part : PartsOf(expr)) {
        if (!AddAlternatives(part)) return false;
      }
      return true;
    }
    const bool at_left = expr.kind == Expr::Kind::kSequence && Mentions(rules_.parts(expr)[0]);
    const auto split = SplitAt(at_left ? End::kLeft : End::kRight, id);
    if (!split.has_value()) return false;
    std::vector<ExprId>& beside = at_left ? after_ : before_;
    beside.insert(beside.end(), split->beside.begin(), split->beside.end());
    plain_.insert(plain_.end(), split->plain.begin(), split->plain.end());
    return true;
  }

  std::optional<Split> SplitAt(End end, ExprId id) {
    if (!Mentions(id)) return Split{{}, {id}};
    const Expr expr = rules_.expr(id);
    if (expr.kind == Expr::Kind::kRule) return Split{{rules_.Sequence({})}, {}};
    if (expr.kind == Expr::Kind::kSequence) return SplitSequence(end, PartsOf(expr));
    if (expr.kind != Expr::Kind::kChoice && !IsOptional(expr)) return std::nullopt;
    Split all;
    if (IsOptional(expr)) all.plain.push_back(rules_.Sequence({}));
    for (const ExprId part : PartsOf(expr)) {
      const auto split = SplitAt(end, part);
      if (!split.has_value()) return std::nullopt;
      all.beside.insert(all.beside.end(), split->beside.begin(), split->beside.end());
      all.plain.insert(all.plain.end(), split->plain.begin(), split->plain.end());
    }
    return all;
  }

  // The part at the end is split; the others must be without the rule.
  std::optional<Split> SplitSequence(End end, const std::vector<ExprId>& parts) {
    const std::size_t at = end == End::kLeft ? 0 : parts.size() - 1;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i != at && Mentions(parts[i])) return std::nullopt;
    }
    const auto inner = SplitAt(end, parts[at]);
    if (!inner.has_value()) return std::nullopt;
    const auto with = [&](const std::vector<ExprId>& alternatives) {
      std::vector<ExprId> whole = parts;
      whole[at] = rules_.Choice(alternatives);
      return std::vector<ExprId>{rules_.Sequence(whole)};
    };
    Split split;
    if (!inner->beside.empty()) split.beside = with(inner->beside);
    if (!inner->plain.empty()) split.plain = with(inner->plain);
    return split;
  }

  RuleSet& rules_;
  std::vector<bool> mentions_;  // [exprs that were there]: the rule that they are of
  RuleId rule_ = 0;
  std::vector<ExprId> before_, plain_, after_;
};

}  // namespace

void RewriteLinearRules(RuleSet& rules) {
  LinearRewriter rewriter(rules);
  for (RuleId rule = 0; rule < rules.num_rules(); ++rule) rewriter.Rewrite(rule);
}

}  // namespace espalier
