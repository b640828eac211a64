// FreeText: text that goes on until one of some literals is complete for the first time.
//
// Thread safety: as TextRegex.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grammar/ebnf/token_text.h"

namespace espalier {

class FreeText {
 public:
  struct Literals {
    std::vector<std::string> stops;     // they end the text
    std::vector<std::string> excludes;  // they may never be in it
  };

  // No literal is empty.
  FreeText(TokenText& text, Filling filling, Literals literals);

  // Texts with none of the literals: the output may end in them.
  RegexId Open();
  // Texts that end in `stop`, and hold no stop that is complete before their end.
  // REQUIRES: `stop` is one of the stops
  RegexId Until(std::string_view stop);

 private:
  TokenText& text_;
  const Filling filling_;
  RegexId any_ = RegexSet::kNothing;  // of the literals
  RegexId excluded_ = RegexSet::kNothing;
};

}  // namespace espalier
