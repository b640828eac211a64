#include "grammar/ebnf/lark_cursor.h"

#include "grammar/ascii.h"
#include "grammar/ebnf/notation.h"

namespace espalier {

void LarkCursor::SkipBlanks() {
  const auto is_space = [](char c) { return IsBlank(c) || IsLineEnd(c); };
  TakeWhile(is_space);
  while (StartsWith("//") || Peek() == '#') {
    TakeWhile([](char c) { return !IsLineEnd(c); });
    TakeWhile(is_space);
  }
}

std::string_view LarkCursor::TakeName() {
  const std::size_t begin = at();
  while (IsNameChar(Peek()) && !StartsWith("->")) MoveTo(at() + 1);
  return Since(begin);
}

bool LarkCursor::AtStatement() {
  const std::size_t begin = at();
  TakeWhile([](char c) { return c == '?' || c == '!'; });
  bool is_head = !TakeName().empty();
  if (Peek() == '.' && IsDigit(Peek(1))) {
    Take(".");
    TakeWhile(IsDigit);
  }
  if (Peek() == '[' && IsLetter(Peek(1))) {
    TakeWhile([](char c) { return c != ']' && !IsLineEnd(c); });
    Take("]");
  }
  if (Peek() == '{' && IsLetter(Peek(1))) {
    TakeWhile([](char c) { return c != '}' && !IsLineEnd(c); });
    Take("}");
  }
  TakeWhile(IsBlank);
  is_head = is_head && Peek() == ':';
  MoveTo(begin);
  if (is_head) return true;
  for (const std::string_view word :
       {"%ignore", "%import", "%declare", "%extend", "%override", "%llguidance"}) {
    if (StartsWith(word)) return true;
  }
  return false;
}

}  // namespace espalier
