// Properties and case of code points, as Python 3.11's str methods see them.
#pragma once

#include <string>
#include <string_view>

namespace espalier::lang {

bool IsSpace(char32_t c);
bool IsLineBreak(char32_t c);  // where splitlines breaks
bool IsPrintable(char32_t c);
bool IsAlpha(char32_t c);
bool IsDecimal(char32_t c);
bool IsDigit(char32_t c);
bool IsNumeric(char32_t c);
bool IsLower(char32_t c);
bool IsUpper(char32_t c);
bool IsTitle(char32_t c);  // a title-case letter such as U+01C5
bool IsCased(char32_t c);
bool IsIdentifierStart(char32_t c);
bool IsIdentifierPart(char32_t c);

// The digit that a decimal stands for: REQUIRES: IsDecimal(c).
int DecimalValue(char32_t c);

// Append the full mapping, which may be several code points.
void AppendUpper(std::string& out, char32_t c);
void AppendTitle(std::string& out, char32_t c);
// A capital sigma at the end of a word has its own lower case.
enum class SigmaPlace { kInside, kFinal };
void AppendLower(std::string& out, char32_t c, SigmaPlace place);
std::string CaseFolded(std::string_view text);

}  // namespace espalier::lang
