#include "grammar/ebnf/lookahead.h"

#include <cstdint>
#include <string>

#include "grammar/ebnf/rule_regexes.h"
#include "grammar/ebnf/source_cursor.h"

namespace espalier {
namespace {

constexpr int kMaxDepth = 400;             // of nested rules and parentheses
constexpr std::uint32_t kMaxRounds = 100;  // of a repeat with assertions in it

class LookaheadCompiler {
 public:
  LookaheadCompiler(const RuleSet& rules, RegexSet& set, Fuel& fuel)
      : rules_(rules), regexes_(rules, set), set_(set), fuel_(fuel) {}

  // The texts of `id` with the texts of `rest` behind them.
  Result<RegexId> Before(ExprId id, RegexId rest) {
    if (regexes_.regular(id)) return set_.Concat(regexes_.Of(id), rest);
    if (!fuel_.Spend(1) || depth_ == kMaxDepth) {
      return Status(Code::kLimit,
                    "the grammar takes too much work to compile with its lookahead assertions; "
                    "make it smaller");
    }
    ++depth_;
    auto regex = Compose(rules_.expr(id), rest);
    --depth_;
    return regex;
  }

 private:
  Result<RegexId> Compose(const Expr& expr, RegexId rest) {
    const auto parts = rules_.parts(expr);
    switch (expr.kind) {
      case Expr::Kind::kRule:
        if (regexes_.recursive(expr.id)) return Recursive(rules_.rule(expr.id));
        return Before(rules_.rule(expr.id).body, rest);
      case Expr::Kind::kChoice: {
        std::vector<RegexId> alternatives;
        for (const ExprId part : parts) {
          ESP_ASSIGN_OR_RETURN(alternatives.emplace_back(), Before(part, rest));
        }
        return set_.Or(alternatives);
      }
      case Expr::Kind::kRepeat: return Rounds(expr, rest);
      case Expr::Kind::kLookahead: {
        ESP_ASSIGN_OR_RETURN(const RegexId begin, Before(parts[0], RegexSet::kAnything));
        return set_.And(begin, rest);
      }
      default:
        for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
          ESP_ASSIGN_OR_RETURN(rest, Before(*part, rest));
        }
        return rest;
    }
  }

  Result<RegexId> Rounds(const Expr& expr, RegexId rest) {
    if (expr.max > kMaxRounds) {
      return Status(Code::kUnsupported, "a lookahead assertion in a repeat of more than " +
                                            std::to_string(kMaxRounds) +
                                            " rounds is not supported");
    }
    RegexId rounds = rest;
    for (std::uint32_t round = expr.max; round-- > 0;) {
      ESP_ASSIGN_OR_RETURN(rounds, Before(rules_.parts(expr)[0], rounds));
      if (round >= expr.min) rounds = set_.Or(rounds, rest);
    }
    return rounds;
  }

  static Status Recursive(const Rule& rule) {
    return Status(Code::kUnsupported,
                  "lookahead assertions are supported in grammars without recursion, and rule \"" +
                      rule.name + "\" leads back to itself");
  }

  const RuleSet& rules_;
  RuleRegexes regexes_;
  RegexSet& set_;
  Fuel& fuel_;
  int depth_ = 0;
};

std::size_t FirstLookahead(const RuleSet& rules) {
  ExprId id = 0;
  while (rules.expr(id).kind != Expr::Kind::kLookahead) ++id;
  return rules.expr(id).id;
}

}  // namespace

Status ResolveLookahead(ParsedGrammar& grammar, std::string_view text, RegexSet& set, Fuel& fuel) {
  RuleSet& rules = grammar.rules;
  Rule& start = rules.rule(grammar.start);
  const auto regex = LookaheadCompiler(rules, set, fuel).Before(start.body, RegexSet::kEmpty);
  if (!regex.ok()) {
    return SourceCursor(text).ErrorAt(FirstLookahead(rules), regex.status().message(),
                                      regex.status().code());
  }
  start.body = rules.Regex(*regex, 1);
  return Status();
}

}  // namespace espalier
