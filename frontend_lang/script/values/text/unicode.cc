#include "frontend_lang/script/values/text/unicode.h"

#include <utf8proc.h>

#include <algorithm>
#include <span>

#include "frontend_lang/script/values/text/unicode_table.h"
#include "kernels/base/utf8.h"

namespace espalier::lang {
namespace {

utf8proc_category_t CategoryOf(char32_t c) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(c));
}

bool InRanges(std::span<const CodePointRange> ranges, char32_t c) {
  const auto after = std::ranges::upper_bound(ranges, c, {}, &CodePointRange::first);
  return after != ranges.begin() && c <= std::prev(after)->last;
}

const LongCase* FindLongCase(char32_t c) {
  if (c < 0x80) return nullptr;
  const std::span<const LongCase> cases = kLongCases;
  const auto at = std::ranges::lower_bound(cases, c, {}, &LongCase::code_point);
  return at != cases.end() && at->code_point == c ? &*at : nullptr;
}

char32_t Mapped(char32_t c, utf8proc_int32_t (*map)(utf8proc_int32_t)) {
  if (c < 0x80) {  // the letters differ from those of the other case by one bit
    const char32_t lower = c | 0x20;
    if (lower < 'a' || lower > 'z') return c;
    return map == utf8proc_tolower ? lower : c & ~char32_t{0x20};
  }
  return static_cast<char32_t>(map(static_cast<utf8proc_int32_t>(c)));
}

constexpr char32_t kCapitalSigma = 0x3A3, kFinalSigma = 0x3C2, kDottedI = 0x130;

}  // namespace

bool IsSpace(char32_t c) {
  if (c < 0x80) return c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F);
  if (c == 0x85) return true;
  const auto category = CategoryOf(c);
  return category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL ||
         category == UTF8PROC_CATEGORY_ZP;
}

bool IsLineBreak(char32_t c) {
  return (c >= 0x0A && c <= 0x0D) || (c >= 0x1C && c <= 0x1E) || c == 0x85 || c == 0x2028 ||
         c == 0x2029;
}

// All but "other" and "separator", space excepted.
bool IsPrintable(char32_t c) {
  if (c < 0x7F) return c >= 0x20;
  switch (CategoryOf(c)) {
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP: return false;
    default: return true;
  }
}

bool IsAlpha(char32_t c) {
  if (c < 0x80) return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
  const auto category = CategoryOf(c);
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

bool IsDecimal(char32_t c) {
  if (c < 0x80) return c >= '0' && c <= '9';
  return CategoryOf(c) == UTF8PROC_CATEGORY_ND;
}

bool IsDigit(char32_t c) { return IsDecimal(c) || InRanges(kDigitNotDecimal, c); }

bool IsNumeric(char32_t c) {
  const auto category = CategoryOf(c);
  return category == UTF8PROC_CATEGORY_ND || category == UTF8PROC_CATEGORY_NL ||
         category == UTF8PROC_CATEGORY_NO || InRanges(kNumericLetter, c);
}

bool IsLower(char32_t c) {
  if (c < 0x80) return c >= 'a' && c <= 'z';
  return CategoryOf(c) == UTF8PROC_CATEGORY_LL || InRanges(kOtherLower, c);
}
bool IsUpper(char32_t c) {
  if (c < 0x80) return c >= 'A' && c <= 'Z';
  return CategoryOf(c) == UTF8PROC_CATEGORY_LU || InRanges(kOtherUpper, c);
}
bool IsTitle(char32_t c) { return CategoryOf(c) == UTF8PROC_CATEGORY_LT; }
bool IsCased(char32_t c) { return IsLower(c) || IsUpper(c) || IsTitle(c); }

bool IsIdentifierStart(char32_t c) {
  return c == '_' || IsAlpha(c) || CategoryOf(c) == UTF8PROC_CATEGORY_NL;
}
bool IsIdentifierPart(char32_t c) {
  if (IsIdentifierStart(c) || IsDecimal(c)) return true;
  const auto category = CategoryOf(c);
  return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC ||
         category == UTF8PROC_CATEGORY_PC;
}

// Decimals come in runs of ten, 0 first.
int DecimalValue(char32_t c) {
  if (c < 0x80) return static_cast<int>(c - '0');
  char32_t first = c;
  while (c - first < 9 && IsDecimal(first - 1)) --first;
  // The mathematical digits are five runs without a gap.
  if (c >= 0x1D7CE && c <= 0x1D7FF) return static_cast<int>((c - 0x1D7CE) % 10);
  return static_cast<int>(c - first);
}

void AppendUpper(std::string& out, char32_t c) {
  if (const LongCase* mapping = FindLongCase(c)) {
    out += mapping->upper;
  } else {
    AppendCodePoint(out, Mapped(c, utf8proc_toupper));
  }
}

void AppendTitle(std::string& out, char32_t c) {
  if (const LongCase* mapping = FindLongCase(c)) {
    out += mapping->title;
  } else {
    AppendCodePoint(out, Mapped(c, utf8proc_totitle));
  }
}

void AppendLower(std::string& out, char32_t c, SigmaPlace place) {
  if (c == kDottedI) {
    out += "i\u0307";
  } else if (c == kCapitalSigma && place == SigmaPlace::kFinal) {
    AppendCodePoint(out, kFinalSigma);
  } else {
    AppendCodePoint(out, Mapped(c, utf8proc_tolower));
  }
}

std::string CaseFolded(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = NextCodePoint(text, at);
    utf8proc_int32_t folded[8];
    int last_class = 0;
    const auto count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), folded, 8,
                                               UTF8PROC_CASEFOLD, &last_class);
    for (utf8proc_ssize_t i = 0; i < count; ++i) {
      AppendCodePoint(out, static_cast<char32_t>(folded[i]));
    }
  }
  return out;
}

}  // namespace espalier::lang
