// The conversions !s, !r and !a of format strings and f-strings.
#pragma once

#include <string>
#include <string_view>

#include "frontend_lang/script/values/host.h"

namespace espalier::lang {

// A ValueError for another conversion than s, r, a.
Outcome<std::string> ConvertText(Host& host, const Value& value, char conversion);

// Text with what is not ASCII written as \x, \u or \U escapes, as ascii() does.
std::string EscapeNonAscii(std::string_view text);

}  // namespace espalier::lang
