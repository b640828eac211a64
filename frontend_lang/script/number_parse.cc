#include "frontend_lang/script/number_parse.h"

#include <cctype>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <string>

#include "frontend_lang/script/unicode.h"
#include "frontend_lang/script/utf8.h"

namespace espalier::lang {
namespace {

// The text without white space around it, decimals of other scripts as ASCII, and
// underscores taken out; nothing when an underscore stands wrong.
std::optional<std::string> Clean(std::string_view text) {
  std::string clean;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = NextCodePoint(text, at);
    if (c < 0x80) {
      clean += static_cast<char>(IsSpace(c) ? ' ' : c);
    } else if (IsDecimal(c)) {
      clean += static_cast<char>('0' + DecimalValue(c));
    } else if (IsSpace(c)) {
      clean += ' ';
    } else {
      return std::nullopt;
    }
  }
  const std::size_t first = clean.find_first_not_of(' ');
  if (first == std::string::npos) return std::nullopt;
  clean = clean.substr(first, clean.find_last_not_of(' ') - first + 1);
  std::string digits;
  for (std::size_t i = 0; i < clean.size(); ++i) {
    if (clean[i] != '_') {
      digits += clean[i];
      continue;
    }
    const auto is_digit = [&](std::size_t at) {
      return at < clean.size() && std::isalnum(static_cast<unsigned char>(clean[at])) != 0;
    };
    if (i == 0 || !is_digit(i - 1) || !is_digit(i + 1)) return std::nullopt;
  }
  return digits;
}

}  // namespace

std::optional<std::int64_t> ParseInt(std::string_view text, int base) {
  const std::optional<std::string> clean = Clean(text);
  if (!clean) return std::nullopt;
  std::string_view digits = *clean;
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  const char mark = base == 16 ? 'x' : base == 8 ? 'o' : base == 2 ? 'b' : '\0';
  if (mark != '\0' && digits.size() > 2 && digits[0] == '0' && (digits[1] | 0x20) == mark) {
    digits.remove_prefix(2);
  }
  std::uint64_t magnitude = 0;
  const char* end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, magnitude, base);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (magnitude > kMost + (negative ? 1 : 0)) return std::nullopt;
  return static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
}

std::optional<double> ParseFloat(std::string_view text) {
  const std::optional<std::string> clean = Clean(text);
  if (!clean) return std::nullopt;
  std::string_view digits = *clean;
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  if (digits.empty() || digits[0] == '-' || digits.find('(') != std::string_view::npos) {
    return std::nullopt;
  }
  double magnitude = 0;
  const char* end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, magnitude);
  if (read.ptr != end || read.ec == std::errc::invalid_argument) return std::nullopt;
  if (read.ec == std::errc::result_out_of_range) magnitude = std::strtod(digits.data(), nullptr);
  return negative ? -magnitude : magnitude;
}

}  // namespace espalier::lang
