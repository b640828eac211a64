// Replacement: what re.sub puts in the place of a match: "\1, \g<name>".
//
// Thread safety: immutable.
#pragma once

#include <string>
#include <vector>

#include "frontend_lang/script/regex/pattern.h"

namespace espalier::script::regex {

class Replacement {
 public:
  // An exception re.error or IndexError for a bad one. REQUIRES: text is a str.
  static Outcome<Replacement> Parse(Host& host, const Value& text, const Pattern& pattern);

  Fault AppendTo(Host& host, std::string& out, const lang::Str& subject, const Spans& spans) const;

 private:
  struct Piece {  // a text, then a group
    std::string text;
    int group = -1;  // none
  };
  friend class ReplacementParser;

  std::vector<Piece> pieces_;
};

}  // namespace espalier::script::regex
