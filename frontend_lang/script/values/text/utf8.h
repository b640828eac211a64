// UTF-8 for the languages: counting, walking and repairing text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace espalier::lang {

// Number of code points. REQUIRES: valid UTF-8 (so is every text below).
std::int64_t CountCodePoints(std::string_view text);

// Bytes of the code point that begins with `lead`.
inline int CodePointBytes(unsigned char lead) {
  return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}
inline bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// The code point at `offset`, which moves behind it. REQUIRES: offset < text.size().
char32_t NextCodePoint(std::string_view text, std::size_t& offset);
// The code point before `offset`, which moves in front of it. REQUIRES: offset > 0.
char32_t PreviousCodePoint(std::string_view text, std::size_t& offset);

void AppendCodePoint(std::string& text, char32_t code_point);

// Length of the longest valid beginning; text.size() when all of it is valid.
std::size_t ValidUtf8Length(std::string_view text);
// The text with each broken part replaced by one U+FFFD.
std::string RepairUtf8(std::string_view text);

}  // namespace espalier::lang
