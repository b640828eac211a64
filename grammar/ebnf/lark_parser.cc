#include "grammar/ebnf/lark_parser.h"

#include <string>
#include <utility>
#include <vector>

#include "grammar/ebnf/lark_cursor.h"
#include "grammar/ebnf/lark_expressions.h"
#include "grammar/ebnf/lark_terminals.h"
#include "grammar/ebnf/notation.h"

namespace espalier {
namespace {

constexpr std::string_view kIgnored = "%ignore";  // the rule of what stands between tokens

class LarkParser {
 public:
  LarkParser(std::string_view text, TokenText& tokens, const SchemaSection& schema_section)
      : cursor_(text),
        regexes_(tokens.text()),
        ignored_(rules_.Named(kIgnored, 0)),
        expressions_(cursor_, tokens, schema_section, rules_, ignored_) {}

  Result<ParsedGrammar> Parse();

 private:
  using Level = LarkExpressions::Level;

  // What stands in brackets behind the name of a rule.
  struct Attributes {
    bool lazy = false;  // the rule ends as soon as it can
    std::vector<ExprId> suffix;
  };

  Status ParseStatement();
  Status ParseRule();
  Result<ExprId> ParseLazyBody(const Attributes& attributes, std::size_t begin);
  Result<Attributes> ParseHead(std::size_t begin);
  Status ParseAttribute(Attributes& attributes);
  Status ParseDirective();
  Status ParseImport(std::size_t begin);
  Status ImportOne(std::string_view name, std::size_t begin, std::string_view alias);
  Status Define(std::string_view name, std::size_t begin, ExprId body);

  LarkCursor cursor_;
  TextRegex& regexes_;
  RuleSet rules_;
  const RuleId ignored_;
  LarkExpressions expressions_;
  std::vector<ExprId> ignores_;
};

Result<ParsedGrammar> LarkParser::Parse() {
  for (cursor_.SkipBlanks(); !cursor_.at_end(); cursor_.SkipBlanks()) {
    ESP_RETURN_IF_ERROR(ParseStatement());
  }
  rules_.rule(ignored_).body =
      ignores_.empty() ? rules_.Sequence({})
                       : rules_.Repeat(rules_.Choice(ignores_), 0, RegexSet::kUnbounded);
  ESP_RETURN_IF_ERROR(CheckDefined(rules_, cursor_));
  for (RuleId id = 0; id < rules_.num_rules(); ++id) {
    if (rules_.rule(id).name != "start") continue;
    // Ignored text may also come first.
    const ExprId parts[] = {rules_.Reference(ignored_), rules_.Reference(id)};
    const RuleId outermost = rules_.Named("%start", 0);
    rules_.rule(outermost).body = rules_.Sequence(parts);
    return ParsedGrammar{std::move(rules_), outermost, expressions_.TakeNetworks()};
  }
  return cursor_.ErrorAt(
      0,
      "the grammar has no rule start; outputs begin there, so name the first rule "
      "start (or write ::= throughout, which makes it GBNF)");
}

Status LarkParser::ParseStatement() {
  return cursor_.Peek() == '%' ? ParseDirective() : ParseRule();
}

Status LarkParser::ParseRule() {
  cursor_.TakeWhile([](char c) { return c == '?' || c == '!'; });
  const std::size_t begin = cursor_.at();
  const std::string_view name = cursor_.TakeName();
  if (name.empty()) return cursor_.Error("a rule is expected here: name: ...");
  ESP_ASSIGN_OR_RETURN(const Attributes attributes, ParseHead(begin));
  ExprId body;
  if (attributes.lazy) {
    ESP_ASSIGN_OR_RETURN(body, ParseLazyBody(attributes, begin));
  } else {
    const Level level = IsLarkTerminal(name) ? Level::kTerminal : Level::kRule;
    ESP_ASSIGN_OR_RETURN(body, expressions_.ParseChoice(level));
  }
  if (!cursor_.at_end() && !cursor_.AtStatement()) {
    return cursor_.Error("this closes nothing; remove it");
  }
  return Define(name, begin, body);
}

// A lazy rule is one token, of terminals.
Result<ExprId> LarkParser::ParseLazyBody(const Attributes& attributes, std::size_t begin) {
  ESP_ASSIGN_OR_RETURN(const ExprId body, expressions_.ParseChoice(Level::kTerminal));
  std::vector<ExprId> parts = {body};
  parts.insert(parts.end(), attributes.suffix.begin(), attributes.suffix.end());
  return expressions_.Token(rules_.Shortest(rules_.Sequence(parts), begin), Level::kRule);
}

// What may stand between the name of a rule and its body.
Result<LarkParser::Attributes> LarkParser::ParseHead(std::size_t begin) {
  Attributes attributes;
  if (cursor_.Peek() == '{') return expressions_.Refuse(begin, "templates, name{...}, are");
  if (cursor_.Take("[")) {
    do {
      cursor_.SkipBlanks();
      ESP_RETURN_IF_ERROR(ParseAttribute(attributes));
      cursor_.SkipBlanks();
    } while (cursor_.Take(","));
    if (!cursor_.Take("]")) return cursor_.Error("these attributes are not closed; add ]");
  }
  if (cursor_.Take(".")) {
    cursor_.Take("-");
    ESP_RETURN_IF_ERROR(TakeCount(cursor_).status());
  }
  cursor_.TakeWhile(LarkCursor::IsBlank);
  if (cursor_.Take(":")) return attributes;
  return cursor_.Error(": is expected here, behind the name of a rule");
}

Status LarkParser::ParseAttribute(Attributes& attributes) {
  const std::size_t begin = cursor_.at();
  const std::string_view name = cursor_.TakeName();
  if (name == "lazy") {
    attributes.lazy = true;
    return Status();
  }
  const bool has_text = cursor_.Take("=") && cursor_.Peek() == '"';
  if (name == "suffix" && has_text) {
    attributes.lazy = true;
    ESP_ASSIGN_OR_RETURN(attributes.suffix.emplace_back(), expressions_.ParseLiteral());
    return Status();
  }
  if (name == "capture") {  // what is captured has the same texts
    return has_text ? expressions_.ParseLiteral().status() : Status();
  }
  if (name == "stop") {
    return expressions_.Refuse(begin,
                               "stop, which takes text out of the output again (write "
                               "suffix=\"...\"), is");
  }
  return expressions_.Refuse(begin, "the rule attribute " + std::string(name) + " is");
}

Status LarkParser::Define(std::string_view name, std::size_t begin, ExprId body) {
  Rule& rule = rules_.rule(rules_.Named(name, begin));
  if (rule.body != kNoExpr) {
    return cursor_.ErrorAt(
        begin, "\"" + std::string(name) + "\" is defined twice; join both with |, or rename one");
  }
  rule.offset = begin;
  rule.body = body;
  rule.terminal = IsLarkTerminal(name);
  return Status();
}

Status LarkParser::ParseDirective() {
  const std::size_t begin = cursor_.at();
  cursor_.Take("%");
  const std::string_view word = cursor_.TakeName();
  cursor_.TakeWhile(LarkCursor::IsBlank);
  if (word == "ignore") {
    ESP_ASSIGN_OR_RETURN(ignores_.emplace_back(), expressions_.ParseChoice(Level::kTerminal));
    return Status();
  }
  if (word == "import") return ParseImport(begin);
  if (word == "llguidance" && cursor_.Take("{")) {
    cursor_.SkipBlanks();
    if (cursor_.Take("}")) return Status();
    return expressions_.Refuse(begin, "options of %llguidance are");
  }
  return expressions_.Refuse(begin, "%" + std::string(word) + " is");
}

// %import common.NAME, %import common.NAME -> ALIAS, %import common (NAME, NAME)
Status LarkParser::ParseImport(std::size_t begin) {
  if (!cursor_.Take("common"))
    return expressions_.Refuse(begin, "%import of libraries other than common is");
  if (cursor_.Take(".")) {
    const std::string_view name = cursor_.TakeName();
    std::string_view alias = name;
    cursor_.TakeWhile(LarkCursor::IsBlank);
    if (cursor_.Take("->")) {
      cursor_.TakeWhile(LarkCursor::IsBlank);
      alias = cursor_.TakeName();
    }
    return ImportOne(name, begin, alias);
  }
  cursor_.TakeWhile(LarkCursor::IsBlank);
  if (!cursor_.Take("(")) return cursor_.Error(".NAME or (NAME, ...) is expected here");
  do {
    cursor_.SkipBlanks();
    const std::string_view name = cursor_.TakeName();
    ESP_RETURN_IF_ERROR(ImportOne(name, begin, name));
    cursor_.SkipBlanks();
  } while (cursor_.Take(","));
  if (!cursor_.Take(")")) return cursor_.Error("this list of imports is not closed; add )");
  return Status();
}

Status LarkParser::ImportOne(std::string_view name, std::size_t begin, std::string_view alias) {
  const std::string_view pattern = CommonTerminal(name);
  if (pattern.empty()) {
    return cursor_.ErrorAt(begin, "common has no terminal \"" + std::string(name) + "\"; it has " +
                                      CommonTerminalNames());
  }
  if (!IsLarkTerminal(alias)) {
    return cursor_.ErrorAt(begin, "an imported terminal needs a name in capitals");
  }
  ESP_ASSIGN_OR_RETURN(const RegexId regex, CompileLarkPattern(pattern, "", regexes_));
  return Define(alias, begin, rules_.Regex(regex, pattern.size()));
}

}  // namespace

Result<ParsedGrammar> ParseLark(std::string_view text, TokenText& tokens,
                                const SchemaSection& schema_section) {
  return LarkParser(text, tokens, schema_section).Parse();
}

}  // namespace espalier
