#include "runtime/tokenizer/char_class.h"

#include <utf8proc.h>

#include <array>

#include "kernels/base/utf8.h"

namespace espalier {
namespace {

CharSet ClassifyCode(char32_t code) {
  if (code == '\r' || code == '\n') return kNewline;
  // The white space that is a control character by category.
  if ((code >= 0x09 && code <= 0x0D) || code == 0x85) return kBlank;
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(code))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO: return kLetter;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO: return kNumber;
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP: return kBlank;
    default: return kOther;
  }
}

const std::array<CharSet, 128>& AsciiClasses() {
  static const std::array<CharSet, 128> classes = [] {
    std::array<CharSet, 128> table{};
    for (char32_t code = 0; code < 128; ++code) table[code] = ClassifyCode(code);
    return table;
  }();
  return classes;
}

}  // namespace

ClassifiedChar ClassifyAt(std::string_view text, std::size_t pos) {
  if (pos >= text.size()) return {};
  const auto first = static_cast<std::uint8_t>(text[pos]);
  if (first < 0x80) return {.char_class = AsciiClasses()[first], .size = 1};
  const Utf8Char read = ReadUtf8(text, pos);
  return {.char_class = ClassifyCode(read.code), .size = read.size};
}

std::size_t SkipWhile(CharSet set, std::string_view text, std::size_t pos) {
  for (;;) {
    const ClassifiedChar at = ClassifyAt(text, pos);
    if ((at.char_class & set) == 0) return pos;
    pos += at.size;
  }
}

bool IsWordChar(char32_t code) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(code))) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_PC: return true;
    default: return ClassifyCode(code) == kLetter;
  }
}

}  // namespace espalier
