#include "grammar/ebnf/lark_parser.h"

#include <string>
#include <utility>
#include <vector>

#include "grammar/ascii.h"
#include "grammar/ebnf/lark_cursor.h"
#include "grammar/ebnf/lark_terminals.h"
#include "grammar/ebnf/notation.h"
#include "grammar/ebnf/source_cursor.h"
#include "grammar/regex/code_point_set.h"

namespace espalier {
namespace {

constexpr std::string_view kIgnored = "%ignore";  // the rule of what stands between tokens

bool IsTerminalName(std::string_view name) {
  const std::size_t first = name.find_first_not_of('_');
  return first != std::string_view::npos && name[first] >= 'A' && name[first] <= 'Z';
}

class LarkParser {
 public:
  LarkParser(std::string_view text, TextRegex& regexes)
      : cursor_(text), regexes_(regexes), ignored_(rules_.Named(kIgnored, 0)) {}

  Result<ParsedGrammar> Parse();

 private:
  // Tokens of a rule may have ignored text behind them; those of a terminal may not.
  enum class Level { kRule, kTerminal };

  Status ParseStatement();
  Status ParseRule();
  Status CheckHead(std::size_t begin);
  Status ParseDirective();
  Status ParseImport(std::size_t begin);
  Status ImportOne(std::string_view name, std::size_t begin, std::string_view alias);
  Status Define(std::string_view name, std::size_t begin, ExprId body);

  Result<ExprId> ParseChoice(Level level);
  Result<ExprId> ParseSequence(Level level);
  Result<ExprId> ParseAtom(Level level);
  Result<ExprId> ParseGroup(Level level, std::size_t begin, std::string_view close);
  Result<ExprId> ParseName(Level level);
  Result<ExprId> ParseLiteral();
  Result<ExprId> ParseRange(std::string_view first, std::size_t begin);
  Result<ExprId> ParsePattern(std::size_t begin);
  Result<ExprId> ParseRepeat(ExprId atom, std::size_t begin);
  Result<ExprId> ParseTilde(ExprId atom, std::size_t begin);

  ExprId Token(ExprId token, Level level) {
    if (level == Level::kTerminal) return token;
    const ExprId parts[] = {token, rules_.Reference(ignored_)};
    return rules_.Sequence(parts);
  }
  Status Refuse(std::size_t begin, std::string_view what) const {
    return cursor_.ErrorAt(begin, std::string(what) + " not supported", Code::kUnsupported);
  }

  LarkCursor cursor_;
  TextRegex& regexes_;
  RuleSet rules_;
  const RuleId ignored_;
  std::vector<ExprId> ignores_;
  int depth_ = 0;
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
    return ParsedGrammar{std::move(rules_), outermost};
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
  ESP_RETURN_IF_ERROR(CheckHead(begin));
  const bool is_terminal = IsTerminalName(name);
  ESP_ASSIGN_OR_RETURN(const ExprId body,
                       ParseChoice(is_terminal ? Level::kTerminal : Level::kRule));
  if (!cursor_.at_end() && !cursor_.AtStatement()) {
    return cursor_.Error("this closes nothing; remove it");
  }
  return Define(name, begin, body);
}

// What may stand between the name of a rule and its body.
Status LarkParser::CheckHead(std::size_t begin) {
  if (cursor_.Peek() == '{') return Refuse(begin, "templates, name{...}, are");
  if (cursor_.Peek() == '[') return Refuse(begin, "rule attributes, name[...], are");
  if (cursor_.Take(".")) {
    cursor_.Take("-");
    ESP_RETURN_IF_ERROR(TakeCount(cursor_).status());
  }
  cursor_.TakeWhile(LarkCursor::IsBlank);
  if (cursor_.Take(":")) return Status();
  return cursor_.Error(": is expected here, behind the name of a rule");
}

Status LarkParser::Define(std::string_view name, std::size_t begin, ExprId body) {
  Rule& rule = rules_.rule(rules_.Named(name, begin));
  if (rule.body != kNoExpr) {
    return cursor_.ErrorAt(
        begin, "\"" + std::string(name) + "\" is defined twice; join both with |, or rename one");
  }
  rule.offset = begin;
  rule.body = body;
  rule.terminal = IsTerminalName(name);
  return Status();
}

Status LarkParser::ParseDirective() {
  const std::size_t begin = cursor_.at();
  cursor_.Take("%");
  const std::string_view word = cursor_.TakeName();
  cursor_.TakeWhile(LarkCursor::IsBlank);
  if (word == "ignore") {
    ESP_ASSIGN_OR_RETURN(ignores_.emplace_back(), ParseChoice(Level::kTerminal));
    return Status();
  }
  if (word == "import") return ParseImport(begin);
  if (word == "llguidance" && cursor_.Take("{")) {
    cursor_.SkipBlanks();
    if (cursor_.Take("}")) return Status();
    return Refuse(begin, "options of %llguidance are");
  }
  return Refuse(begin, "%" + std::string(word) + " is");
}

// %import common.NAME, %import common.NAME -> ALIAS, %import common (NAME, NAME)
Status LarkParser::ParseImport(std::size_t begin) {
  if (!cursor_.Take("common")) return Refuse(begin, "%import of libraries other than common is");
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
  if (!IsTerminalName(alias)) {
    return cursor_.ErrorAt(begin, "an imported terminal needs a name in capitals");
  }
  ESP_ASSIGN_OR_RETURN(const RegexId regex, CompileLarkPattern(pattern, "", regexes_));
  return Define(alias, begin, rules_.Regex(regex, pattern.size()));
}

Result<ExprId> LarkParser::ParseChoice(Level level) {
  std::vector<ExprId> alternatives;
  do {
    ESP_ASSIGN_OR_RETURN(alternatives.emplace_back(), ParseSequence(level));
    if (cursor_.Take("->")) {  // the name of a tree node
      cursor_.TakeWhile(LarkCursor::IsBlank);
      if (cursor_.TakeName().empty()) return cursor_.Error("a name is expected behind ->");
      cursor_.SkipBlanks();
    }
  } while (cursor_.Take("|"));
  return rules_.Choice(alternatives);
}

Result<ExprId> LarkParser::ParseSequence(Level level) {
  std::vector<ExprId> parts;
  for (cursor_.SkipBlanks(); !cursor_.at_end(); cursor_.SkipBlanks()) {
    const char next = cursor_.Peek();
    if (next == '|' || next == ')' || next == ']' || cursor_.StartsWith("->")) break;
    if (cursor_.AtStatement()) break;
    const std::size_t begin = cursor_.at();
    ESP_ASSIGN_OR_RETURN(const ExprId atom, ParseAtom(level));
    ESP_ASSIGN_OR_RETURN(parts.emplace_back(), ParseRepeat(atom, begin));
  }
  return rules_.Sequence(parts);
}

Result<ExprId> LarkParser::ParseAtom(Level level) {
  const std::size_t begin = cursor_.at();
  const char next = cursor_.Peek();
  if (IsNameChar(next)) return ParseName(level);
  if (cursor_.Take("(")) return ParseGroup(level, begin, ")");
  if (cursor_.Take("[")) {
    ESP_ASSIGN_OR_RETURN(const ExprId inner, ParseGroup(level, begin, "]"));
    return rules_.Repeat(inner, 0, 1);
  }
  if (next == '"') {
    ESP_ASSIGN_OR_RETURN(const ExprId literal, ParseLiteral());
    return Token(literal, level);
  }
  if (cursor_.Take("/")) {
    ESP_ASSIGN_OR_RETURN(const ExprId pattern, ParsePattern(begin));
    return Token(pattern, level);
  }
  if (next == '%') {
    cursor_.Take("%");
    return Refuse(begin, "inline %" + std::string(cursor_.TakeName()) + " is");
  }
  if (next == '<') return Refuse(begin, "tokens in a grammar, <...>, are");
  if (next == '@') return Refuse(begin, "references to other grammars, @..., are");
  if (next == '~' || next == '&') return Refuse(begin, "~ and & before terminals are");
  if (next == '\'') return cursor_.Error("literals stand in double quotes: \"...\"");
  return cursor_.Error("a literal, a /pattern/, a name, ( or [ is expected here");
}

Result<ExprId> LarkParser::ParseGroup(Level level, std::size_t begin, std::string_view close) {
  if (++depth_ > kMaxNesting) {
    return cursor_.ErrorAt(begin,
                           "parentheses may nest " + std::to_string(kMaxNesting) +
                               " deep; give the inner part a rule of its own",
                           Code::kLimit);
  }
  ESP_ASSIGN_OR_RETURN(const ExprId inner, ParseChoice(level));
  if (!cursor_.Take(close)) {
    return cursor_.ErrorAt(begin, "this is not closed; add " + std::string(close));
  }
  --depth_;
  return inner;
}

Result<ExprId> LarkParser::ParseName(Level level) {
  const std::size_t begin = cursor_.at();
  const std::string_view name = cursor_.TakeName();
  const char argument = cursor_.Peek() == '{' ? cursor_.Peek(1) : '\0';
  if (IsLetter(argument) || argument == '_' || argument == '"' || argument == '/') {
    return Refuse(begin, "templates, name{...}, are");
  }
  const bool is_terminal = IsTerminalName(name);
  if (level == Level::kTerminal && !is_terminal) {
    return cursor_.ErrorAt(begin, "a terminal is made of terminals, and \"" + std::string(name) +
                                      "\" is a rule; write one of both names in the other case");
  }
  const ExprId reference = rules_.Reference(rules_.Named(name, begin));
  return is_terminal ? Token(reference, level) : reference;
}

Result<ExprId> LarkParser::ParseLiteral() {
  const std::size_t begin = cursor_.at();
  cursor_.Take("\"");
  ESP_ASSIGN_OR_RETURN(const std::string text, TakeQuoted(cursor_, begin));
  if (cursor_.StartsWith("..")) return ParseRange(text, begin);
  const bool any_case = cursor_.Peek() == 'i' && !IsNameChar(cursor_.Peek(1));
  if (any_case) cursor_.Take("i");
  const RegexId regex = any_case ? LiteralInAnyCase(text, regexes_) : regexes_.Literal(text);
  return rules_.Regex(regex, cursor_.at() - begin);
}

Result<ExprId> LarkParser::ParseRange(std::string_view first, std::size_t begin) {
  cursor_.Take("..");
  const std::size_t last_begin = cursor_.at();
  if (!cursor_.Take("\"")) return cursor_.Error("a range is written \"a\"..\"z\"");
  ESP_ASSIGN_OR_RETURN(const std::string last, TakeQuoted(cursor_, last_begin));
  SourceCursor from(first), to(last);
  const char32_t low = from.at_end() ? 0 : from.TakeCodePoint();
  const char32_t high = to.at_end() ? 0 : to.TakeCodePoint();
  if (first.empty() || last.empty() || !from.at_end() || !to.at_end() || high < low) {
    return cursor_.ErrorAt(begin, "a range is from one character to one that is not before it");
  }
  return rules_.Regex(regexes_.Char(CodePointSet::Of(low, high)), cursor_.at() - begin);
}

Result<ExprId> LarkParser::ParsePattern(std::size_t begin) {
  std::string pattern;
  while (!cursor_.Take("/")) {
    if (cursor_.at_end() || LarkCursor::IsLineEnd(cursor_.Peek())) {
      return cursor_.ErrorAt(begin, "this pattern is not closed on its line; end it with /");
    }
    if (cursor_.Take("\\/")) {
      pattern += '/';
      continue;
    }
    const std::size_t from = cursor_.at();
    cursor_.Take("\\");  // and whatever it escapes
    if (!cursor_.at_end() && !LarkCursor::IsLineEnd(cursor_.Peek())) cursor_.TakeCodePoint();
    pattern += cursor_.Since(from);
  }
  std::string flags;
  for (const char flag : cursor_.TakeWhile(IsLetter)) {
    if (flag != 'u') flags += flag;
  }
  const auto regex = CompileLarkPattern(pattern, flags, regexes_);
  if (!regex.ok()) {
    return cursor_.ErrorAt(begin, regex.status().message(), regex.status().code());
  }
  return rules_.Regex(*regex, cursor_.at() - begin);
}

// A quantifier stands on the line of what it repeats: a ? on the next may begin a rule.
Result<ExprId> LarkParser::ParseRepeat(ExprId atom, std::size_t begin) {
  cursor_.TakeWhile(LarkCursor::IsBlank);
  if (cursor_.Take("*")) return rules_.Repeat(atom, 0, RegexSet::kUnbounded);
  if (cursor_.Take("+")) return rules_.Repeat(atom, 1, RegexSet::kUnbounded);
  if (cursor_.Take("?")) return rules_.Repeat(atom, 0, 1);
  if (cursor_.Take("~")) return ParseTilde(atom, begin);
  if (!cursor_.Take("{")) return atom;
  ESP_ASSIGN_OR_RETURN(const Counts counts, TakeBraces(cursor_, begin));
  return rules_.Repeat(atom, counts.min, counts.max);
}

// ~ n and ~ n..m
Result<ExprId> LarkParser::ParseTilde(ExprId atom, std::size_t begin) {
  cursor_.TakeWhile(LarkCursor::IsBlank);
  Counts counts = {0, 0};
  ESP_ASSIGN_OR_RETURN(counts.min, TakeCount(cursor_));
  counts.max = counts.min;
  cursor_.TakeWhile(LarkCursor::IsBlank);
  if (cursor_.Take("..")) {
    cursor_.TakeWhile(LarkCursor::IsBlank);
    ESP_ASSIGN_OR_RETURN(counts.max, TakeCount(cursor_));
  }
  ESP_RETURN_IF_ERROR(CheckOrder(cursor_, counts, begin));
  return rules_.Repeat(atom, counts.min, counts.max);
}

}  // namespace

Result<ParsedGrammar> ParseLark(std::string_view text, TextRegex& regexes) {
  return LarkParser(text, regexes).Parse();
}

}  // namespace espalier
