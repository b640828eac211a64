// UTF-8 as the Unicode standard defines it (table 3-7): no overlong forms, no surrogates,
// nothing past U+10FFFF.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace espalier {

// Whether `byte` is one of a code point's bytes behind the first.
constexpr bool IsContinuation(char byte) {
  return (static_cast<std::uint8_t>(byte) & 0xC0) == 0x80;
}

// Of text that may be ill formed:

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

// The character at `offset`. What can never be well formed is cut as the standard
// recommends (chapter 3.9, "maximal subparts"): the longest prefix of a well-formed
// sequence, or one byte. REQUIRES: offset < text.size()
Utf8Char ReadUtf8(std::string_view text, std::size_t offset);

// The length of the longest prefix of `text` that is valid.
std::size_t ValidUtf8Prefix(std::string_view text);

// The text with each broken part, whatever continuation bytes follow it, as one U+FFFD.
std::string RepairUtf8(std::string_view text);

// `text` for an error message or a terminal: at most 60 bytes, ill-formed ones as U+FFFD and
// control characters as '?'.
std::string Printable(std::string_view text);

// Of valid text, which all of these REQUIRE:

std::int64_t NumCodePoints(std::string_view text);
std::u32string DecodeUtf8(std::string_view text);

// Bytes of the code point that begins with `lead`.
constexpr int CodePointBytes(unsigned char lead) {
  return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

// The code point at `offset`, which moves behind it. REQUIRES: offset < text.size()
char32_t NextCodePoint(std::string_view text, std::size_t& offset);
// The code point before `offset`, which moves in front of it. REQUIRES: offset > 0
char32_t PreviousCodePoint(std::string_view text, std::size_t& offset);

// REQUIRES: `code_point` is no surrogate, and at most U+10FFFF
void AppendCodePoint(std::string& text, char32_t code_point);

}  // namespace espalier
