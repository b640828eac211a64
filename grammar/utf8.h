// UTF-8 as the Unicode standard defines it (table 3-7): no overlong forms, no
// surrogates, nothing past U+10FFFF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace espalier {

// The length of the longest prefix of `text` that is valid UTF-8.
std::size_t ValidUtf8Prefix(std::string_view text);

// Whether `byte` is one of a code point's bytes behind the first.
constexpr bool IsContinuation(char byte) {
  return (static_cast<std::uint8_t>(byte) & 0xC0) == 0x80;
}

// REQUIRES for the next two: valid UTF-8
std::size_t NumCodePoints(std::string_view text);
std::u32string DecodeUtf8(std::string_view text);

// REQUIRES: `code_point` is no surrogate, and at most U+10FFFF
void AppendCodePoint(char32_t code_point, std::string& text);

}  // namespace espalier
