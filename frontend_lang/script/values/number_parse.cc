#include "frontend_lang/script/values/number_parse.h"

#include <cctype>
#include <charconv>
#include <cstdlib>
#include <string>

#include "frontend_lang/script/values/integer/integer.h"
#include "frontend_lang/script/values/text/unicode.h"
#include "kernels/base/utf8.h"

namespace espalier::lang {
namespace {

// The text without white space around it, decimals of other scripts as ASCII; nothing
// when it holds any other character of those.
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
  return clean.substr(first, clean.find_last_not_of(' ') - first + 1);
}

// Takes out the underscores; nothing when one does not stand between two digits.
template <typename IsDigit>
std::optional<std::string> WithoutUnderscores(std::string_view text, IsDigit is_digit) {
  std::string digits;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      digits += text[i];
    } else if (i == 0 || i + 1 == text.size() || !is_digit(text[i - 1]) || !is_digit(text[i + 1])) {
      return std::nullopt;
    }
  }
  return digits;
}

bool TakeSign(std::string_view& text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  return negative;
}

// Takes a prefix that goes with the base; base 0 becomes what the prefix says.
void TakePrefix(std::string_view& text, int& base) {
  const char mark = text.size() > 2 && text[0] == '0' ? static_cast<char>(text[1] | 0x20) : '\0';
  const int named = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 0;
  if (named != 0 && (base == 0 || base == named)) {
    base = named;
    text.remove_prefix(text[2] == '_' ? 3 : 2);
  }
}

}  // namespace

Outcome<Value> ParseInt(Host& host, std::string_view text, int base) {
  const std::optional<std::string> clean = Clean(text);
  if (!clean) return Value::Unset();
  std::string_view rest = *clean;
  const bool negative = TakeSign(rest);
  const bool literal = base == 0;
  TakePrefix(rest, base);
  const auto digits = WithoutUnderscores(
      rest, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; });
  if (!digits) return Value::Unset();
  if (base == 0) base = 10;
  // As in a program's text: no zeros before a decimal that is not zero.
  if (literal && base == 10 && digits->starts_with('0') &&
      digits->find_first_not_of('0') != std::string::npos) {
    return Value::Unset();
  }
  ESP_TRY_ASSIGN(Value value, ParseInteger(host, *digits, base));
  if (value.is_unset() || !negative) return value;
  return IntegerUnary(host, UnaryOp::kMinus, value);
}

std::optional<double> ParseFloat(std::string_view text) {
  const std::optional<std::string> clean = Clean(text);
  if (!clean) return std::nullopt;
  std::string_view rest = *clean;
  const bool negative = TakeSign(rest);
  const auto number = WithoutUnderscores(
      rest, [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
  if (!number || number->empty() || (*number)[0] == '-' || number->find('(') != std::string::npos) {
    return std::nullopt;
  }
  double magnitude = 0;
  const char* end = number->data() + number->size();
  const auto read = std::from_chars(number->data(), end, magnitude);
  if (read.ptr != end || read.ec == std::errc::invalid_argument) return std::nullopt;
  if (read.ec == std::errc::result_out_of_range) magnitude = std::strtod(number->c_str(), nullptr);
  return negative ? -magnitude : magnitude;
}

}  // namespace espalier::lang
