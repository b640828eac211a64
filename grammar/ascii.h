// Classes of ASCII characters, of bytes and of code points.
//
// Thread safety: pure functions.
#pragma once

#include <optional>

namespace espalier {

constexpr bool IsDigit(char32_t c) { return c >= '0' && c <= '9'; }

constexpr bool IsLetter(char32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Empty if `c` is no hexadecimal digit.
constexpr std::optional<unsigned> HexValue(char32_t c) {
  if (IsDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

}  // namespace espalier
