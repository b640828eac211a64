#include "grammar/ebnf/lark_terminals.h"

#include <vector>

#include "grammar/ebnf/source_cursor.h"
#include "grammar/regex/code_point_set.h"
#include "grammar/regex/pattern.h"

namespace espalier {
namespace {

struct Row {
  std::string_view name;
  std::string_view pattern;
};

// As Lark's lexer would cut them: a string or comment ends at the first place that can
// end it.
constexpr Row kCommon[] = {
    {"DIGIT", "[0-9]"},
    {"HEXDIGIT", "[0-9a-fA-F]"},
    {"INT", "[0-9]+"},
    {"SIGNED_INT", "[+-]?[0-9]+"},
    {"DECIMAL", "[0-9]+\\.[0-9]*|\\.[0-9]+"},
    {"FLOAT", "[0-9]+[eE][+-]?[0-9]+|([0-9]+\\.[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?"},
    {"SIGNED_FLOAT", "[+-]?([0-9]+[eE][+-]?[0-9]+|([0-9]+\\.[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?)"},
    {"NUMBER", "([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]+)?"},
    {"SIGNED_NUMBER", "[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]+)?"},
    {"ESCAPED_STRING", "\"([^\"\\\\\\n]|\\\\[^\\n])*\""},
    {"LCASE_LETTER", "[a-z]"},
    {"UCASE_LETTER", "[A-Z]"},
    {"LETTER", "[a-zA-Z]"},
    {"WORD", "[a-zA-Z]+"},
    {"CNAME", "[a-zA-Z_][a-zA-Z0-9_]*"},
    {"WS_INLINE", "[ \\t]+"},
    {"WS", "[ \\t\\f\\r\\n]+"},
    {"CR", "\\r"},
    {"LF", "\\n"},
    {"NEWLINE", "(\\r?\\n)+"},
    {"SH_COMMENT", "#[^\\n]*"},
    {"CPP_COMMENT", "//[^\\n]*"},
    {"C_COMMENT", "/\\*([^*]|\\*+[^*/])*\\*+/"},
    {"SQL_COMMENT", "--[^\\n]*"},
};

}  // namespace

std::string_view CommonTerminal(std::string_view name) {
  for (const Row& row : kCommon) {
    if (row.name == name) return row.pattern;
  }
  return {};
}

std::string CommonTerminalNames() {
  std::string names;
  for (const Row& row : kCommon) {
    if (!names.empty()) names += ", ";
    names += row.name;
  }
  return names;
}

Result<RegexId> CompileLarkPattern(std::string_view pattern, std::string_view flags,
                                   TextRegex& regexes) {
  std::string whole;
  if (!flags.empty()) whole = "(?" + std::string(flags) + ")";
  whole += pattern;
  return CompilePattern(whole, PatternDialect::kPython, regexes);
}

RegexId LiteralInAnyCase(std::string_view utf8, TextRegex& regexes) {
  std::vector<RegexId> chars;
  for (SourceCursor cursor(utf8); !cursor.at_end();) {
    chars.push_back(regexes.Char(CodePointSet::Of(cursor.TakeCodePoint()).FoldCase()));
  }
  return regexes.set().Concat(chars);
}

}  // namespace espalier
