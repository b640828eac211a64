// int(text) and float(text) as Python reads them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace espalier::lang {

// White space around, a sign, digits with single underscores between them; with base
// 16, 8 or 2 an optional 0x, 0o or 0b. Nothing when the text is no such number, or
// does not fit 64 bits.
std::optional<std::int64_t> ParseInt(std::string_view text, int base);

// Decimal forms, inf, infinity and nan.
std::optional<double> ParseFloat(std::string_view text);

}  // namespace espalier::lang
