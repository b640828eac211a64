#include "grammar/ebnf/gbnf_parser.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "grammar/ebnf/notation.h"
#include "grammar/ebnf/source_cursor.h"
#include "grammar/ebnf/token_reference.h"
#include "grammar/regex/code_point_set.h"

namespace espalier {
namespace {

constexpr std::string_view kMacros[] = {"TagDispatch", "Token", "ExcludeToken", "TokenTagDispatch",
                                        "AnyTokens",   "Regex", "JSONSchema",   "Substring"};

class GbnfParser {
 public:
  GbnfParser(std::string_view text, TokenText& tokens)
      : cursor_(text), tokens_(tokens), regexes_(tokens.text()) {}

  Result<ParsedGrammar> Parse() {
    for (SkipBlanks(); !cursor_.at_end(); SkipBlanks()) ESP_RETURN_IF_ERROR(ParseRule());
    ESP_RETURN_IF_ERROR(CheckDefined(rules_, cursor_));
    for (RuleId id = 0; id < rules_.num_rules(); ++id) {
      if (rules_.rule(id).name == "root") return ParsedGrammar{std::move(rules_), id, {}};
    }
    return cursor_.ErrorAt(0,
                           "the grammar has no rule root; outputs begin there, so name the first "
                           "rule root");
  }

 private:
  // Blanks, line ends and comments.
  void SkipBlanks() {
    const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
    cursor_.TakeWhile(is_blank);
    while (cursor_.Peek() == '#') {
      cursor_.TakeWhile([](char c) { return c != '\n'; });
      cursor_.TakeWhile(is_blank);
    }
  }

  // A dot inside of a name belongs to it.
  std::string_view TakeName() {
    const std::size_t begin = cursor_.at();
    while (IsNameChar(cursor_.Peek()) ||
           (cursor_.Peek() == '.' && cursor_.at() > begin && IsNameChar(cursor_.Peek(1)))) {
      cursor_.MoveTo(cursor_.at() + 1);
    }
    return cursor_.Since(begin);
  }

  Status ParseRule() {
    const std::size_t begin = cursor_.at();
    const std::string_view name = TakeName();
    if (name.empty()) return cursor_.Error("a rule is expected here: name ::= ...");
    SkipBlanks();
    if (!cursor_.Take("::=")) {
      return cursor_.Error("::= is expected here, behind the name of a rule");
    }
    const RuleId rule = rules_.Named(name, begin);
    if (rules_.rule(rule).body != kNoExpr) {
      return cursor_.ErrorAt(begin, "rule \"" + std::string(name) +
                                        "\" is defined twice; join both with |, or rename one");
    }
    ESP_ASSIGN_OR_RETURN(ExprId body, ParseChoice());
    if (cursor_.StartsWith("(=")) {
      ESP_ASSIGN_OR_RETURN(const ExprId assertion, ParseLookahead());
      const ExprId parts[] = {body, assertion};
      body = rules_.Sequence(parts);
    }
    if (cursor_.Peek() == ')') return cursor_.Error("this ) closes nothing; remove it");
    rules_.rule(rule).body = body;
    return Status();
  }

  Result<ExprId> ParseLookahead() {
    const std::size_t begin = cursor_.at();
    cursor_.Take("(=");
    ESP_ASSIGN_OR_RETURN(const ExprId inner, ParseGroup(begin));
    SkipBlanks();
    if (!cursor_.at_end() && !AtRuleBegin()) {
      return cursor_.Error("a lookahead assertion is the last part of its rule");
    }
    return rules_.Lookahead(inner, begin);
  }

  Result<ExprId> ParseChoice() {
    std::vector<ExprId> alternatives;
    do {
      ESP_ASSIGN_OR_RETURN(alternatives.emplace_back(), ParseSequence());
    } while (cursor_.Take("|"));
    return rules_.Choice(alternatives);
  }

  Result<ExprId> ParseSequence() {
    std::vector<ExprId> parts;
    for (SkipBlanks(); !AtSequenceEnd(); SkipBlanks()) {
      const std::size_t begin = cursor_.at();
      ESP_ASSIGN_OR_RETURN(const ExprId atom, ParseAtom());
      ESP_ASSIGN_OR_RETURN(parts.emplace_back(), ParseRepeat(atom, begin));
    }
    return rules_.Sequence(parts);
  }

  bool AtSequenceEnd() {
    const char next = cursor_.Peek();
    return cursor_.at_end() || next == '|' || next == ')' || cursor_.StartsWith("(=") ||
           AtRuleBegin();
  }

  bool AtRuleBegin() {
    const std::size_t begin = cursor_.at();
    const bool has_name = !TakeName().empty();
    if (has_name) SkipBlanks();
    const bool is_rule = has_name && cursor_.StartsWith("::=");
    cursor_.MoveTo(begin);
    return is_rule;
  }

  Result<ExprId> ParseAtom() {
    const std::size_t begin = cursor_.at();
    if (IsNameChar(cursor_.Peek())) return ParseName();
    if (cursor_.Take("(")) return ParseGroup(begin);
    if (cursor_.Take("\"")) {
      ESP_ASSIGN_OR_RETURN(const std::string text, TakeQuoted(cursor_, begin));
      return Spelled(regexes_.Literal(text), begin);
    }
    if (cursor_.Take("[")) return ParseClass(begin);
    if (cursor_.Take(".")) return Spelled(regexes_.AnyChar(), begin);
    if (AtTokenReference(cursor_)) {
      ESP_ASSIGN_OR_RETURN(const RegexId regex, TakeTokenReference(cursor_, tokens_));
      return Spelled(regex, begin);
    }
    return cursor_.ErrorAt(begin, Unexpected());
  }

  std::string_view Unexpected() const {
    if (cursor_.StartsWith("::=")) {
      return "a name is expected before ::=, and nothing else: rule options are not supported";
    }
    switch (cursor_.Peek()) {
      case '*':
      case '+':
      case '?':
      case '{': return "there is nothing here to repeat; for a repeat of a repeat use parentheses";
      case '\'': return "literals stand in double quotes: \"...\"";
      default: return "a literal, a character class, a rule or ( is expected here";
    }
  }

  Result<ExprId> ParseName() {
    const std::size_t begin = cursor_.at();
    const std::string_view name = TakeName();
    const bool is_macro =
        std::find(std::begin(kMacros), std::end(kMacros), name) != std::end(kMacros);
    if (is_macro && cursor_.Peek() == '(') {
      return cursor_.ErrorAt(begin, "the macro " + std::string(name) + " is not supported",
                             Code::kUnsupported);
    }
    return rules_.Reference(rules_.Named(name, begin));
  }

  Result<ExprId> ParseGroup(std::size_t begin) {
    if (++depth_ > kMaxNesting) {
      return cursor_.ErrorAt(begin,
                             "parentheses may nest " + std::to_string(kMaxNesting) +
                                 " deep; give the inner part a rule of its own",
                             Code::kLimit);
    }
    ESP_ASSIGN_OR_RETURN(const ExprId inner, ParseChoice());
    if (!cursor_.Take(")")) return cursor_.ErrorAt(begin, "this ( is not closed; add )");
    --depth_;
    return inner;
  }

  Result<ExprId> ParseRepeat(ExprId atom, std::size_t begin) {
    SkipBlanks();
    if (cursor_.Take("*")) return rules_.Repeat(atom, 0, RegexSet::kUnbounded);
    if (cursor_.Take("+")) return rules_.Repeat(atom, 1, RegexSet::kUnbounded);
    if (cursor_.Take("?")) return rules_.Repeat(atom, 0, 1);
    if (!cursor_.Take("{")) return atom;
    ESP_ASSIGN_OR_RETURN(const Counts counts, TakeBraces(cursor_, begin));
    return rules_.Repeat(atom, counts.min, counts.max);
  }

  Result<ExprId> ParseClass(std::size_t begin) {
    const bool is_negated = cursor_.Take("^");
    std::vector<CodePointSet::Range> ranges;
    while (!cursor_.Take("]")) {
      const std::size_t range_begin = cursor_.at();
      ESP_ASSIGN_OR_RETURN(const char32_t first, ParseClassChar(begin));
      char32_t last = first;
      if (cursor_.Peek() == '-' && cursor_.Peek(1) != ']') {
        cursor_.Take("-");
        ESP_ASSIGN_OR_RETURN(last, ParseClassChar(begin));
      }
      if (last < first) {
        return cursor_.ErrorAt(range_begin, "this range is empty: it ends before it begins");
      }
      ranges.push_back({first, last});
    }
    const CodePointSet chars = CodePointSet::FromRanges(std::move(ranges));
    return Spelled(regexes_.Char(is_negated ? chars.Complement() : chars), begin);
  }

  Result<char32_t> ParseClassChar(std::size_t begin) {
    if (cursor_.at_end() || cursor_.Peek() == '\n') {
      return cursor_.ErrorAt(begin, "this character class is not closed on its line; add ]");
    }
    if (cursor_.Take("\\")) return TakeEscape(cursor_, "]-[^.*+(){}|$");
    return cursor_.TakeCodePoint();
  }

  ExprId Spelled(RegexId regex, std::size_t begin) {
    return rules_.Regex(regex, cursor_.at() - begin);
  }

  SourceCursor cursor_;
  TokenText& tokens_;
  TextRegex& regexes_;
  RuleSet rules_;
  int depth_ = 0;
};

}  // namespace

Result<ParsedGrammar> ParseGbnf(std::string_view text, TokenText& tokens) {
  return GbnfParser(text, tokens).Parse();
}

}  // namespace espalier
