// One character of UTF-8 at a time, with ill-formed bytes as values and not errors.
//
// What can never be well formed is cut as the Unicode standard recommends (chapter
// 3.9, "maximal subparts"): the longest prefix of a well-formed sequence, or one byte.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace espalier {

enum class Utf8Kind : std::uint8_t {
  kValid,
  kInvalid,     // no continuation makes these bytes well formed
  kUnfinished,  // the text ends inside a character
};

struct Utf8Char {
  char32_t code = 0xFFFD;  // U+FFFD unless kValid
  std::uint8_t size = 1;   // bytes, 1..4
  Utf8Kind kind = Utf8Kind::kInvalid;
};

// The character at `pos`. REQUIRES: pos < text.size()
Utf8Char ReadUtf8(std::string_view text, std::size_t pos);

// REQUIRES: code is a Unicode scalar value
void AppendUtf8(char32_t code, std::string& out);

// `text` for an error message: at most 60 bytes, ill-formed ones as U+FFFD.
std::string Printable(std::string_view text);

}  // namespace espalier
