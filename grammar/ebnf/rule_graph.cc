#include "grammar/ebnf/rule_graph.h"

#include <algorithm>
#include <utility>

namespace espalier {

// Positions are made backwards: an expression is compiled to the position that comes
// before it, given the one that comes after.
class RuleGraphBuilder {
 public:
  RuleGraphBuilder(const RuleSet& rules, RuleRegexes& regexes, RegexSet& set, RuleGraph& graph)
      : rules_(rules),
        regexes_(regexes),
        set_(set),
        graph_(graph),
        of_rule_(rules.num_rules(), kNoSubnet) {}

  void Build(RuleId start) {
    SubnetOf(start);
    while (!pending_.empty()) {
      const auto [subnet, body] = pending_.back();
      pending_.pop_back();
      current_ = subnet;
      const Position start_position = Compile(body, graph_.subnets_[subnet].end);
      graph_.subnets_[subnet].start = start_position;
    }
  }

 private:
  SubnetId SubnetOf(RuleId rule) {
    if (of_rule_[rule] == kNoSubnet) of_rule_[rule] = AddSubnet(rules_.rule(rule).body);
    return of_rule_[rule];
  }

  SubnetId AddSubnet(ExprId body) {
    const auto id = static_cast<SubnetId>(graph_.subnets_.size());
    graph_.subnets_.push_back({.end = AddPosition(id)});
    pending_.emplace_back(id, body);
    return id;
  }

  Position AddPosition(SubnetId owner) {
    graph_.arcs_.emplace_back();
    graph_.owners_.push_back(owner);
    return static_cast<Position>(graph_.arcs_.size() - 1);
  }

  void AddArc(Position from, Arc::Kind kind, std::uint32_t label, Position target) {
    graph_.arcs_[from].push_back({kind, label, target});
  }
  void AddEmpty(Position from, Position target) { AddArc(from, Arc::Kind::kEmpty, 0, target); }

  Position Compile(ExprId id, Position next) {
    if (regexes_.regular(id)) return CompileRegex(regexes_.Of(id), next);
    const Expr& expr = rules_.expr(id);
    switch (expr.kind) {
      case Expr::Kind::kSequence: return CompileSequence(expr, next);
      case Expr::Kind::kChoice: return CompileChoice(expr, next);
      case Expr::Kind::kRepeat: return CompileRepeat(expr, next);
      case Expr::Kind::kNetwork: return CompileArc(Arc::Kind::kNetwork, expr.id, next);
      default: return CompileArc(Arc::Kind::kCall, SubnetOf(expr.id), next);
    }
  }

  Position CompileArc(Arc::Kind kind, std::uint32_t label, Position next) {
    const Position from = AddPosition(current_);
    AddArc(from, kind, label, next);
    return from;
  }

  Position CompileRegex(RegexId regex, Position next) {
    if (regex == RegexSet::kEmpty) return next;
    const Position from = AddPosition(current_);
    if (set_.nullable(regex)) {
      AddEmpty(from, next);
      regex = set_.And(regex, set_.Not(RegexSet::kEmpty));
    }
    if (!set_.IsNothing(regex)) AddArc(from, Arc::Kind::kEdge, regex, next);
    return from;
  }

  // Runs of regular parts become one edge, as long as they may be joined.
  Position CompileSequence(const Expr& expr, Position next) {
    const auto parts = rules_.parts(expr);
    std::vector<RegexId> run;  // last part first
    std::uint64_t copied = 0;
    const auto flush = [&] {
      std::reverse(run.begin(), run.end());
      if (!run.empty()) next = CompileRegex(set_.Concat(run), next);
      run.clear();
      copied = 0;
    };
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
      const bool regular = regexes_.regular(*part);
      if (!regular || !RuleRegexes::MayJoin(copied + regexes_.copied(*part))) flush();
      if (regular) {
        run.push_back(regexes_.Of(*part));
        copied += regexes_.copied(*part);
      } else {
        next = Compile(*part, next);
      }
    }
    flush();
    return next;
  }

  Position CompileChoice(const Expr& expr, Position next) {
    const Position from = AddPosition(current_);
    std::vector<RegexId> regular;
    for (const ExprId part : rules_.parts(expr)) {
      if (regexes_.regular(part) && RuleRegexes::MayJoin(regexes_.copied(part))) {
        regular.push_back(regexes_.Of(part));
      } else {
        AddEmpty(from, Compile(part, next));
      }
    }
    if (!regular.empty()) AddEmpty(from, CompileRegex(set_.Or(regular), next));
    return from;
  }

  Position CompileRepeat(const Expr& expr, Position next) {
    const ExprId part = rules_.parts(expr)[0];
    if (expr.max == 0) return next;
    if (expr.max == 1 && expr.min == 1) return Compile(part, next);
    if (expr.max == 1) {
      const Position from = AddPosition(current_);
      AddEmpty(from, next);
      AddEmpty(from, Compile(part, next));
      return from;
    }
    if (expr.max == RegexSet::kUnbounded && expr.min <= 1) {
      const Position again = AddPosition(current_);
      const Position body = Compile(part, again);
      AddEmpty(again, body);
      AddEmpty(again, next);
      return expr.min == 0 ? again : body;
    }
    return CompileArc(Arc::Kind::kCall, AddCounter(part, expr), next);
  }

  SubnetId AddCounter(ExprId part, const Expr& expr) {
    const Expr& body = rules_.expr(part);
    const SubnetId callee = body.kind == Expr::Kind::kRule ? SubnetOf(body.id) : AddSubnet(part);
    const auto id = static_cast<SubnetId>(graph_.subnets_.size());
    const Position position = AddPosition(id);
    graph_.subnets_.push_back(
        {.start = position, .end = position, .body = callee, .min = expr.min, .max = expr.max});
    return id;
  }

  const RuleSet& rules_;
  RuleRegexes& regexes_;
  RegexSet& set_;
  RuleGraph& graph_;
  std::vector<SubnetId> of_rule_;
  std::vector<std::pair<SubnetId, ExprId>> pending_;
  SubnetId current_ = 0;
};

RuleGraph::RuleGraph(const RuleSet& rules, RuleId start, RuleRegexes& regexes, RegexSet& set) {
  RuleGraphBuilder(rules, regexes, set, *this).Build(start);
}

}  // namespace espalier
