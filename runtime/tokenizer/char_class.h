// The classes of characters that pre-tokenizer patterns tell apart.
//
// Categories are utf8proc's (Unicode 15). \s is the property White_Space. An
// ill-formed byte is in no class of letters, numbers or spaces: kOther.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace espalier {

// A class is one bit, a set of classes their union; the end of text is in none.
using CharSet = std::uint8_t;
inline constexpr CharSet kEndOfText = 0;
inline constexpr CharSet kLetter = 1;                 // \p{L}
inline constexpr CharSet kNumber = 2;                 // \p{N}
inline constexpr CharSet kBlank = 4;                  // \s but not [\r\n]
inline constexpr CharSet kNewline = 8;                // [\r\n]
inline constexpr CharSet kOther = 16;                 // [^\s\p{L}\p{N}]
inline constexpr CharSet kSpace = kBlank | kNewline;  // \s

struct ClassifiedChar {
  CharSet char_class = kEndOfText;
  std::uint8_t size = 0;  // bytes
};

// The character at `pos`, or {kEndOfText, 0} at the end and beyond.
ClassifiedChar ClassifyAt(std::string_view text, std::size_t pos);

// The first position from `pos` on whose character is not in `set`.
std::size_t SkipWhile(CharSet set, std::string_view text, std::size_t pos);

// \w of the added tokens' "single word" rule: letter, mark, number, connector.
bool IsWordChar(char32_t code);

}  // namespace espalier
