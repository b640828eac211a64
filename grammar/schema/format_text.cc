// UUIDs (RFC 4122), JSON pointers (RFC 6901), regular expressions (ECMA-262).
#include <string>
#include <string_view>

#include "grammar/schema/format_pattern.h"

namespace espalier {
namespace {

constexpr std::string_view kJsonPointer = "(?:/(?:[^/~]|~[01])*)*";

// Ranges of a class whose ends are in order: a-[a-z]|b-[b-z]|...
std::string Ranges(char first, char last) {
  std::string pattern;
  for (char from = first; from <= last; ++from) {
    if (from != first) pattern += "|";
    pattern.append({from, '-', '[', from, '-', last, ']'});
  }
  return pattern;
}

std::string ClassPattern() {
  const std::string member = "[^\\]\\[\\\\^-]|\\\\[dDwWsSbfnrtv\\^$\\\\.*+?()\\[\\]{}|/-]";
  return "\\[\\^?-?(?:" + Ranges('a', 'z') + "|" + Ranges('A', 'Z') + "|" + Ranges('0', '9') + "|" +
         member + ")*-?\\]";
}

// Alternatives of terms; groups are nested `depth` deep.
std::string Alternatives(int depth) {
  const std::string escape =
      "\\\\(?:[dDwWsSfnrtv^$\\\\.*+?()\\[\\]{}|/]|c[A-Za-z]|x[0-9A-Fa-f]{2}"
      "|u[0-9A-CE-Fa-ce-f][0-9A-Fa-f]{3})";
  const std::string quantifier = "(?:(?:[*+?]|\\{[0-9]{1,3}(?:,|,9[0-9]{3})?\\})[?]?)?";
  std::string atom = "[^\\^$\\\\.*+?()\\[\\]{}|]|\\.|" + escape + "|" + ClassPattern();
  std::string assertion = "[\\^$]|\\\\[bB]";
  if (depth > 0) {
    const std::string inner = Alternatives(depth - 1) + "\\)";
    atom += "|\\((?:\\?:)?" + inner;
    assertion += "|\\(\\?<?[=!]" + inner;
  }
  return "(?:(?:" + atom + ")" + quantifier + "|" + assertion + "|\\|)*";
}

}  // namespace

RegexId UuidFormat(TextRegex& text) {
  return FullMatch("[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}", text);
}

RegexId JsonPointerFormat(TextRegex& text) { return FullMatch(kJsonPointer, text); }

RegexId RelativeJsonPointerFormat(TextRegex& text) {
  return FullMatch("(?:0|[1-9][0-9]*)(?:#|" + std::string(kJsonPointer) + ")", text);
}

RegexId RegexFormat(TextRegex& text) { return FullMatch(Alternatives(2), text); }

}  // namespace espalier
