// int(text) and float(text) as Python reads them.
#pragma once

#include <optional>
#include <string_view>

#include "frontend_lang/script/values/host.h"

namespace espalier::lang {

// White space around, a sign, digits with single underscores between them; with base
// 16, 8 or 2 an optional 0x, 0o or 0b, which decide base 0. Unset when the text is no such
// number; a ValueError when it has more digits than CPython reads.
Outcome<Value> ParseInt(Host& host, std::string_view text, int base);

// Decimal forms, inf, infinity and nan.
std::optional<double> ParseFloat(std::string_view text);

}  // namespace espalier::lang
