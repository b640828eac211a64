// One JSON value, spelled in other ways: other whitespace between its tokens, other escapes
// in its strings. Numbers keep their digits, members their order.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace espalier {

struct JsonSpelling {
  enum class Whitespace : std::uint8_t {
    kNone,
    kAfterSeparators,  // ", " and ": "
    kRandom,           // between any tokens, at most one newline and 20 blanks
  };
  enum class Escapes : std::uint8_t {
    kFewest,  // what must be escaped, shortly; all else raw
    kRandom,  // any character as \uXXXX or by its short escape
  };
  Whitespace whitespace = Whitespace::kNone;
  Escapes escapes = Escapes::kFewest;
  std::uint64_t seed = 0;  // of what is random
};

// REQUIRES: `json` is valid JSON. A string with an escape of half a surrogate pair, which
// stands for no text, stays as it is.
std::string Respell(std::string_view json, const JsonSpelling& spelling);

}  // namespace espalier
