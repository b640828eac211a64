// How names and punctuation are spelled in the JSON texts of a schema.
//
// Thread safety: none.
#pragma once

#include <string>
#include <string_view>

#include "grammar/constraint.h"
#include "grammar/regex/regex_set.h"

namespace espalier {

// The inside of a JSON string that spells `text`, the shortest way.
std::string SpellJson(std::string_view text);

// The languages of what stands between values.
struct Punctuation {
  Punctuation(JsonWhitespace whitespace, RegexSet& set);

  RegexId open_object, close_object;  // close: behind a member
  RegexId open_array, close_array;
  RegexId close_empty_object, close_empty_array;
  RegexId comma, colon;
  std::size_t comma_bytes, colon_bytes;  // at least
};

}  // namespace espalier
