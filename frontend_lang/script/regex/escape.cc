#include "frontend_lang/script/regex/escape.h"

#include <algorithm>

namespace espalier::script::regex {

std::optional<char32_t> SimpleEscape(char32_t letter) {
  switch (letter) {
    case 'a': return U'\a';
    case 'b': return U'\b';
    case 'f': return U'\f';
    case 'n': return U'\n';
    case 'r': return U'\r';
    case 't': return U'\t';
    case 'v': return U'\v';
    case '\\': return U'\\';
    default: return std::nullopt;
  }
}

std::optional<char32_t> HexEscape(PatternSource& source, char32_t letter) {
  const std::size_t wanted = letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
  if (wanted == 0) return std::nullopt;
  const std::u32string digits = source.GetWhile(wanted, U"0123456789abcdefABCDEF");
  const std::string escape = ToUtf8(std::u32string(U"\\") + letter + digits);
  if (digits.size() != wanted) {
    source.Fail("incomplete escape " + escape, escape.size());
    return std::nullopt;
  }
  const std::size_t point = ToNumber(digits, 16);
  if (point > 0x10FFFF) {
    source.Fail("bad escape " + escape, escape.size());
    return std::nullopt;
  }
  // No text of the language has surrogates.
  return point >= 0xD800 && point < 0xE000 ? char32_t{0xFFFD} : static_cast<char32_t>(point);
}

bool IsOctal(char32_t c) { return c >= '0' && c <= '7'; }
bool IsDigit(char32_t c) { return c >= '0' && c <= '9'; }
bool IsAsciiLetter(char32_t c) { return c < 0x80 && (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

std::size_t ToNumber(std::u32string_view digits, unsigned base) {
  constexpr std::size_t kCap = std::size_t{1} << 40;
  std::size_t number = 0;
  for (const char32_t c : digits) {
    const unsigned digit = IsDigit(c) ? c - '0' : (c | 0x20) - 'a' + 10;
    number = std::min(kCap, number * base + digit);
  }
  return number;
}

}  // namespace espalier::script::regex
