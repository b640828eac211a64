// Reads escapes such as \n, \x41 and \N of patterns and replacements.
#pragma once

#include <optional>
#include <string>

#include "frontend_lang/script/regex/pattern_source.h"

namespace espalier::script::regex {

// \a \b \f \n \r \t \v \\ : the character, or nothing.
std::optional<char32_t> SimpleEscape(char32_t letter);

// \x41 \u0041 \U00000041, whose beginning has been taken; nothing when `letter` begins
// none of them, or at a problem.
std::optional<char32_t> HexEscape(PatternSource& source, char32_t letter);

bool IsOctal(char32_t c);
bool IsDigit(char32_t c);  // 0-9
bool IsAsciiLetter(char32_t c);
// REQUIRES: digits of that base. Capped far above any use.
std::size_t ToNumber(std::u32string_view digits, unsigned base);

}  // namespace espalier::script::regex
