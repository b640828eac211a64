#include "grammar/ebnf/lark_expressions.h"

#include <string>

#include "grammar/ascii.h"
#include "grammar/ebnf/lark_terminals.h"
#include "grammar/ebnf/notation.h"
#include "grammar/ebnf/token_reference.h"
#include "grammar/regex/code_point_set.h"

namespace espalier {

bool IsLarkTerminal(std::string_view name) {
  const std::size_t first = name.find_first_not_of('_');
  return first != std::string_view::npos && name[first] >= 'A' && name[first] <= 'Z';
}

ExprId LarkExpressions::Token(ExprId token, Level level) {
  if (level == Level::kTerminal) return token;
  const ExprId parts[] = {token, rules_.Reference(ignored_)};
  return rules_.Sequence(parts);
}

Status LarkExpressions::Refuse(std::size_t begin, std::string_view what) const {
  return cursor_.ErrorAt(begin, std::string(what) + " not supported", Code::kUnsupported);
}

Result<ExprId> LarkExpressions::ParseChoice(Level level) {
  std::vector<ExprId> alternatives;
  do {
    ESP_ASSIGN_OR_RETURN(alternatives.emplace_back(), ParseConjunction(level));
    if (cursor_.Take("->")) {  // the name of a tree node
      cursor_.TakeWhile(LarkCursor::IsBlank);
      if (cursor_.TakeName().empty()) return cursor_.Error("a name is expected behind ->");
      cursor_.SkipBlanks();
    }
  } while (cursor_.Take("|"));
  return rules_.Choice(alternatives);
}

// & binds less than what stands side by side.
Result<ExprId> LarkExpressions::ParseConjunction(Level level) {
  const std::size_t begin = cursor_.at();
  std::vector<ExprId> parts;
  do {
    if (!parts.empty() && level == Level::kRule) {
      return cursor_.ErrorAt(cursor_.at() - 1, "& stands in terminals only; name this in capitals",
                             Code::kUnsupported);
    }
    ESP_ASSIGN_OR_RETURN(parts.emplace_back(), ParseSequence(level));
  } while (cursor_.Take("&"));
  return rules_.Intersection(parts, begin);
}

Result<ExprId> LarkExpressions::ParseSequence(Level level) {
  std::vector<ExprId> parts;
  for (cursor_.SkipBlanks(); !cursor_.at_end(); cursor_.SkipBlanks()) {
    const char next = cursor_.Peek();
    if (next == '|' || next == '&' || next == ')' || next == ']') break;
    if (cursor_.StartsWith("->")) break;
    if (cursor_.AtStatement()) break;
    const std::size_t begin = cursor_.at();
    ESP_ASSIGN_OR_RETURN(const ExprId atom, ParseAtom(level));
    ESP_ASSIGN_OR_RETURN(parts.emplace_back(), ParseRepeat(atom, begin));
  }
  return rules_.Sequence(parts);
}

Result<ExprId> LarkExpressions::ParseAtom(Level level) {
  const char next = cursor_.Peek();
  if (IsNameChar(next)) return ParseName(level);
  switch (next) {
    case '(': return ParseGroup(level, ")");
    case '[': {
      ESP_ASSIGN_OR_RETURN(const ExprId inner, ParseGroup(level, "]"));
      return rules_.Repeat(inner, 0, 1);
    }
    case '"': {
      ESP_ASSIGN_OR_RETURN(const ExprId literal, ParseLiteral());
      return Token(literal, level);
    }
    case '/': {
      ESP_ASSIGN_OR_RETURN(const ExprId pattern, ParsePattern());
      return Token(pattern, level);
    }
    case '%': return ParseInline(level);
    case '~': return ParseComplement(level);
    case '@': return Refuse(cursor_.at(), "references to other grammars, @..., are");
    case '\'': return cursor_.Error("literals stand in double quotes: \"...\"");
    default:
      if (AtTokenReference(cursor_)) return ParseTokens(level);
      return cursor_.Error("a literal, a /pattern/, a name, ( or [ is expected here");
  }
}

// ~ binds more than a quantifier: ~A+ is (~A)+.
Result<ExprId> LarkExpressions::ParseComplement(Level level) {
  const std::size_t begin = cursor_.at();
  cursor_.Take("~");
  if (level == Level::kRule) {
    return cursor_.ErrorAt(begin, "~ stands in terminals only; name this in capitals",
                           Code::kUnsupported);
  }
  cursor_.TakeWhile(LarkCursor::IsBlank);
  if (cursor_.Peek() == '~') return cursor_.Error("~ of ~ needs parentheses");
  ESP_ASSIGN_OR_RETURN(const ExprId excluded, ParseAtom(level));
  const ExprId any_text = rules_.Regex(regexes_.AnyText(), 1);
  return rules_.Difference(any_text, excluded, begin);
}

Result<ExprId> LarkExpressions::ParseTokens(Level level) {
  const std::size_t begin = cursor_.at();
  if (level == Level::kTerminal) {
    return cursor_.ErrorAt(begin, "tokens stand in rules, not in terminals");
  }
  ESP_ASSIGN_OR_RETURN(const RegexId regex, TakeTokenReference(cursor_, tokens_));
  return Token(rules_.Regex(regex, cursor_.at() - begin), level);
}

// %json {...}
Result<ExprId> LarkExpressions::ParseInline(Level level) {
  const std::size_t begin = cursor_.at();
  cursor_.Take("%");
  const std::string_view word = cursor_.TakeName();
  if (word != "json") return Refuse(begin, "inline %" + std::string(word) + " is");
  if (level == Level::kTerminal) {
    return cursor_.ErrorAt(begin, "%json stands in rules, not in terminals");
  }
  cursor_.SkipBlanks();
  const std::string_view schema = TakeObject();
  if (schema.empty()) return cursor_.Error("a schema, {...}, is expected behind %json");
  auto network = schema_section_(schema, PropertyOrder::kSchema);
  if (!network.ok()) {
    return cursor_.ErrorAt(begin, network.status().message(), network.status().code());
  }
  networks_.push_back(std::move(network).value());
  return Token(rules_.Network(static_cast<std::uint32_t>(networks_.size() - 1)), level);
}

// Up to the brace that closes the one that is next; empty if there is none.
std::string_view LarkExpressions::TakeObject() {
  const std::size_t begin = cursor_.at();
  std::size_t depth = 0;
  bool in_string = false;
  while (!cursor_.at_end()) {
    const char next = cursor_.Peek();
    cursor_.MoveTo(cursor_.at() + 1);
    if (in_string && next == '\\' && !cursor_.at_end()) cursor_.MoveTo(cursor_.at() + 1);
    if (next == '"') in_string = !in_string;
    if (in_string) continue;
    if (next == '{') ++depth;
    if (depth == 0) break;  // it begins with no brace
    if (next == '}' && --depth == 0) return cursor_.Since(begin);
  }
  cursor_.MoveTo(begin);
  return {};
}

Result<ExprId> LarkExpressions::ParseGroup(Level level, std::string_view close) {
  const std::size_t begin = cursor_.at();
  cursor_.MoveTo(begin + 1);
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

Result<ExprId> LarkExpressions::ParseName(Level level) {
  const std::size_t begin = cursor_.at();
  const std::string_view name = cursor_.TakeName();
  const char argument = cursor_.Peek() == '{' ? cursor_.Peek(1) : '\0';
  if (IsLetter(argument) || argument == '_' || argument == '"' || argument == '/') {
    return Refuse(begin, "templates, name{...}, are");
  }
  const bool is_terminal = IsLarkTerminal(name);
  if (level == Level::kTerminal && !is_terminal) {
    return cursor_.ErrorAt(begin, "a terminal is made of terminals, and \"" + std::string(name) +
                                      "\" is a rule; write one of both names in the other case");
  }
  const ExprId reference = rules_.Reference(rules_.Named(name, begin));
  return is_terminal ? Token(reference, level) : reference;
}

Result<ExprId> LarkExpressions::ParseLiteral() {
  const std::size_t begin = cursor_.at();
  cursor_.Take("\"");
  ESP_ASSIGN_OR_RETURN(const std::string text, TakeQuoted(cursor_, begin));
  if (cursor_.StartsWith("..")) return ParseRange(text, begin);
  const bool any_case = cursor_.Peek() == 'i' && !IsNameChar(cursor_.Peek(1));
  if (any_case) cursor_.Take("i");
  const RegexId regex = any_case ? LiteralInAnyCase(text, regexes_) : regexes_.Literal(text);
  return rules_.Regex(regex, cursor_.at() - begin);
}

Result<ExprId> LarkExpressions::ParseRange(std::string_view first, std::size_t begin) {
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

Result<ExprId> LarkExpressions::ParsePattern() {
  const std::size_t begin = cursor_.at();
  cursor_.Take("/");
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
Result<ExprId> LarkExpressions::ParseRepeat(ExprId atom, std::size_t begin) {
  cursor_.TakeWhile(LarkCursor::IsBlank);
  if (cursor_.Take("*")) return rules_.Repeat(atom, 0, RegexSet::kUnbounded);
  if (cursor_.Take("+")) return rules_.Repeat(atom, 1, RegexSet::kUnbounded);
  if (cursor_.Take("?")) return rules_.Repeat(atom, 0, 1);
  if (AtTildeCount()) return ParseTilde(atom, begin);
  if (!cursor_.Take("{")) return atom;
  ESP_ASSIGN_OR_RETURN(const Counts counts, TakeBraces(cursor_, begin));
  return rules_.Repeat(atom, counts.min, counts.max);
}

// A ~ with a count; without, it begins a part of its own.
bool LarkExpressions::AtTildeCount() const {
  if (cursor_.Peek() != '~') return false;
  std::size_t ahead = 1;
  while (LarkCursor::IsBlank(cursor_.Peek(ahead))) ++ahead;
  return IsDigit(cursor_.Peek(ahead));
}

// ~ n and ~ n..m
Result<ExprId> LarkExpressions::ParseTilde(ExprId atom, std::size_t begin) {
  cursor_.Take("~");
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

}  // namespace espalier
