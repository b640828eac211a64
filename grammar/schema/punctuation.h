// Punctuation: what stands between the values of JSON texts.
//
// Thread safety: none.
#pragma once

#include <string>
#include <string_view>

#include "grammar/constraint.h"
#include "grammar/regex/regex_set.h"

namespace espalier {

// Languages, for one kind of whitespace.
struct Punctuation {
  Punctuation(JsonWhitespace whitespace, RegexSet& set);

  RegexId open_object, close_object;  // close: behind a member
  RegexId open_array, close_array;
  RegexId close_empty_object, close_empty_array;
  RegexId comma, colon;
  std::size_t comma_bytes, colon_bytes;  // at least
};

}  // namespace espalier
