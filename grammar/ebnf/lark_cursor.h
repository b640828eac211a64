// LarkCursor: a place in a Lark grammar, where blanks, comments and the beginnings of
// statements are recognised.
//
// Thread safety: as SourceCursor.
#pragma once

#include <string_view>

#include "grammar/ebnf/source_cursor.h"

namespace espalier {

class LarkCursor : public SourceCursor {
 public:
  using SourceCursor::SourceCursor;

  static bool IsBlank(char c) { return c == ' ' || c == '\t'; }
  static bool IsLineEnd(char c) { return c == '\n' || c == '\r'; }

  void SkipBlanks();            // and line ends and comments
  std::string_view TakeName();  // may have '-', but not the one of an alias: a->b
  // True where a definition or a directive begins: nothing else has a colon behind a name.
  bool AtStatement();
};

}  // namespace espalier
