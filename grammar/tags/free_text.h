// FreeText: text that goes on until one of some strings is complete for the first time.
//
// Thread safety: as TextRegex.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grammar/regex/text_regex.h"

namespace espalier {

class FreeText {
 public:
  // `stops` end the text; `excludes` may never be in it. All are UTF-8 and not empty.
  FreeText(TextRegex& text, std::vector<std::string> stops, std::vector<std::string> excludes);

  // Texts with none of the strings: the output may end in them.
  RegexId Open();
  // Texts that end in `stop`, and hold no stop that is complete before their end.
  // REQUIRES: `stop` is one of the stops
  RegexId Until(std::string_view stop);

 private:
  TextRegex& text_;
  RegexId any_ = RegexSet::kNothing;  // of the strings
  RegexId excluded_ = RegexSet::kNothing;
};

}  // namespace espalier
