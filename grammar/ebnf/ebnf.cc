#include "grammar/ebnf/ebnf.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "grammar/ebnf/gbnf_parser.h"
#include "grammar/ebnf/joined_network.h"
#include "grammar/ebnf/lark_parser.h"
#include "grammar/ebnf/linear_rules.h"
#include "grammar/ebnf/lookahead.h"
#include "grammar/ebnf/notation.h"
#include "grammar/ebnf/rule_graph.h"
#include "grammar/ebnf/rule_network.h"
#include "grammar/ebnf/rule_regexes.h"
#include "grammar/ebnf/rules.h"
#include "grammar/ebnf/source_cursor.h"
#include "grammar/ebnf/token_text.h"
#include "grammar/regex/text_regex.h"
#include "kernels/base/utf8.h"

namespace espalier {
namespace {

Status CheckText(std::string_view text) {
  if (text.size() > kMaxGrammarBytes) {
    return Status(Code::kLimit, "the grammar has " + std::to_string(text.size()) +
                                    " bytes; the limit is " + std::to_string(kMaxGrammarBytes));
  }
  if (const std::size_t valid = ValidUtf8Prefix(text); valid < text.size()) {
    return Status(Code::kInvalidArgument,
                  "the grammar is not valid UTF-8 at byte " + std::to_string(valid));
  }
  return Status();
}

// Where the first statement begins: behind blanks and comments.
std::string_view SkipToStatement(std::string_view text) {
  for (;;) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    text.remove_prefix(first);
    if (!text.starts_with('#') && !text.starts_with("//")) return text;
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
}

// GBNF defines by "::=", Lark by ":"; what is neither gets the errors of the one that it
// looks more like.
bool IsGbnf(std::string_view text) {
  constexpr std::string_view kNameChars =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  std::string_view rest = SkipToStatement(text);
  const std::size_t name = std::min(rest.find_first_not_of(kNameChars), rest.size());
  rest = SkipToStatement(rest.substr(name));
  if (rest.starts_with("::=")) return true;
  constexpr std::string_view kLarkOnly = ":.{?!%";  // priorities, templates, modifiers
  const bool is_lark = !rest.empty() && kLarkOnly.find(rest.front()) != std::string_view::npos;
  return !is_lark && text.find("::=") != std::string_view::npos;
}

Status CheckTerminals(const RuleSet& rules, const RuleRegexes& regexes, std::string_view text) {
  for (RuleId id = 0; id < rules.num_rules(); ++id) {
    const Rule& rule = rules.rule(id);
    if (!rule.terminal || !regexes.recursive(id)) continue;
    return SourceCursor(text).ErrorAt(rule.offset, "terminal \"" + rule.name +
                                                       "\" is part of itself; write its name in "
                                                       "lower case, which makes it a rule");
  }
  for (ExprId id = 0; id < rules.num_exprs(); ++id) {
    const Expr& expr = rules.expr(id);
    if (!NeedsRegular(expr.kind) || regexes.regular(id)) continue;
    return SourceCursor(text).ErrorAt(
        expr.id, "what is intersected, negated or lazy is too large here; make it smaller",
        Code::kLimit);
  }
  return Status();
}

}  // namespace

Result<ParsedGrammar> ReadGrammar(std::string_view text, const GrammarSources& sources,
                                  RegexSet& set, Fuel& fuel) {
  ESP_RETURN_IF_ERROR(CheckText(text));
  if (!fuel.Spend(text.size())) return Status(Code::kLimit, "no fuel is left for the grammar");
  TextRegex regexes(set, Spelling::kUtf8);
  TokenText tokens(regexes, sources.vocabulary);
  ESP_ASSIGN_OR_RETURN(ParsedGrammar parsed, IsGbnf(text)
                                                 ? ParseGbnf(text, tokens)
                                                 : ParseLark(text, tokens, sources.schema_section));
  RewriteLinearRules(parsed.rules);
  ESP_RETURN_IF_ERROR(CheckTerminals(parsed.rules, RuleRegexes(parsed.rules, set), text));
  if (parsed.rules.has_lookahead()) ESP_RETURN_IF_ERROR(ResolveLookahead(parsed, text, set, fuel));
  return parsed;
}

Result<std::unique_ptr<Network>> MakeNetworkOf(ParsedGrammar grammar, RegexSet& set, Fuel& fuel) {
  const std::uint64_t num_steps = fuel.left();
  std::vector<std::uint64_t> costs;
  for (const auto& network : grammar.networks) {
    costs.push_back(network->MinBytes(network->start()));
  }
  RuleRegexes regexes(grammar.rules, set);
  RuleGraph graph(grammar.rules, grammar.start, regexes, set);
  auto rules = std::make_unique<RuleNetwork>(std::move(graph), set, fuel, costs);
  if (fuel.exhausted()) {
    return Status(Code::kLimit, "the grammar is too complex: it takes more than " +
                                    std::to_string(num_steps) + " steps to compile");
  }
  if (!rules->has_text()) {
    return Status(Code::kInvalidArgument,
                  "no text matches the grammar: its start can never be complete; every rule "
                  "needs a way that does not lead back to itself");
  }
  if (grammar.networks.empty()) return std::unique_ptr<Network>(std::move(rules));
  return std::unique_ptr<Network>(
      std::make_unique<JoinedNetwork>(std::move(rules), std::move(grammar.networks), fuel));
}

Result<std::unique_ptr<Network>> MakeEbnfNetwork(std::string_view text,
                                                 const GrammarSources& sources, RegexSet& set,
                                                 Fuel& fuel) {
  ESP_ASSIGN_OR_RETURN(ParsedGrammar grammar, ReadGrammar(text, sources, set, fuel));
  return MakeNetworkOf(std::move(grammar), set, fuel);
}

}  // namespace espalier
