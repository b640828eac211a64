// format(value, spec) and the digits of numbers (declared in format_spec.h).
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include "frontend_lang/script/values/extension.h"
#include "frontend_lang/script/values/integer/integer.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/text/format_spec.h"
#include "frontend_lang/script/values/text/str.h"
#include "kernels/base/utf8.h"

namespace espalier::lang {
namespace {

Fault UnknownCode(char code, const Value& value) {
  return ValueError("Unknown format code '" + std::string(1, code) + "' for object of type '" +
                    std::string(TypeName(value)) + "'");
}

std::string SignOf(const FormatSpec& spec, bool negative) {
  if (negative) return "-";
  return spec.sign == '-' || spec.sign == 0 ? "" : std::string(1, spec.sign);
}

// Puts separators into the whole part of `body`; with zero padding (fill 0, align =)
// the padding is grouped too, as CPython does.
std::string Group(const FormatSpec& spec, std::string_view prefix, std::string_view body,
                  std::size_t group_size) {
  std::size_t whole = 0;
  while (whole < body.size() && std::isxdigit(static_cast<unsigned char>(body[whole])) != 0 &&
         !(group_size == 3 && (body[whole] == 'e' || body[whole] == 'E'))) {
    ++whole;
  }
  std::string digits(body.substr(0, whole));
  const std::string tail(body.substr(whole));
  std::string grouped;
  const bool zero_fill = spec.fill == "0" && (spec.align == '0' || spec.align == '=');
  const std::int64_t room = spec.width - static_cast<std::int64_t>(prefix.size() + tail.size());
  std::size_t placed = 0;
  while (placed < digits.size() ||
         (zero_fill && whole > 0 && static_cast<std::int64_t>(grouped.size()) < room)) {
    if (placed > 0 && placed % group_size == 0) grouped += spec.grouping;
    grouped += placed < digits.size() ? digits[digits.size() - 1 - placed] : '0';
    ++placed;
  }
  return std::string(grouped.rbegin(), grouped.rend()) + tail;
}

Outcome<std::string> FormatChar(Host& host, const FormatSpec& spec, std::int64_t code_point) {
  if (spec.sign != 0) {
    return ValueError("Sign not allowed with integer format specifier 'c'");
  }
  if (spec.alternate) {
    return ValueError("Alternate form (#) not allowed with integer format specifier 'c'");
  }
  if (code_point < 0 || code_point >= 0x110000) {
    return Raise("OverflowError", "%c arg not in range(0x110000)");
  }
  std::string text;
  AppendCodePoint(text, static_cast<char32_t>(code_point));
  return Align(host, spec, "", RepairUtf8(text), '<');
}

Fault CheckIntSpec(const FormatSpec& spec) {
  if (spec.precision) {
    return ValueError("Precision not allowed in integer format specifier");
  }
  if (!spec.negative_zero) {
    return ValueError("Negative zero coercion (z) not allowed in integer format specifier");
  }
  const bool decimal = spec.type == 0 || spec.type == 'd';
  const bool binary = spec.type == 'b' || spec.type == 'o' || spec.type == 'x' || spec.type == 'X';
  if (spec.grouping != 0 && !decimal && !(spec.grouping == '_' && binary)) {
    return ValueError("Cannot specify '" + std::string(1, spec.grouping) + "' with '" +
                      std::string(1, spec.type) + "'.");
  }
  return Fault();
}

Outcome<std::string> FormatInt(Host& host, const FormatSpec& spec, const Value& value) {
  ESP_TRY(CheckIntSpec(spec));
  if (spec.type == 'c') {
    ESP_TRY_ASSIGN(const std::int64_t code_point, ToIndex(value, "C long"));
    return FormatChar(host, spec, code_point);
  }
  const char type = spec.type == 0 || spec.type == 'n' ? 'd' : spec.type;
  ESP_TRY_ASSIGN(std::string body, IntDigits(host, value, type));
  std::string prefix = SignOf(spec, IntegerView(value).negative());
  if (spec.alternate && type != 'd') prefix += std::string("0") + type;
  if (spec.grouping != 0) {
    ESP_TRY(host.Reserve(spec.width, 2));
    body = Group(spec, prefix, body, type == 'd' ? 3 : 4);
  }
  return Align(host, spec, prefix, body, '>');
}

// No type code: like g, but with a digit behind the point at least; without precision
// the shortest digits that read back.
Outcome<std::string> GeneralDigits(Host& host, double magnitude, const FormatSpec& spec) {
  if (!spec.precision) return ReprFloat(magnitude);
  const std::int64_t precision = std::max<std::int64_t>(1, *spec.precision);
  ESP_TRY_ASSIGN(std::string digits,
                 FloatDigits(host, magnitude, {.type = 'e', .precision = precision - 1}));
  if (!std::isfinite(magnitude)) return digits;
  const std::size_t at = digits.find('e');
  const int exponent = std::stoi(digits.substr(at + 1));
  if (exponent < -4 || exponent + 1 > precision - 1) {
    std::string mantissa = digits.substr(0, at);
    if (mantissa.find('.') != std::string::npos && !spec.alternate) {
      mantissa.erase(mantissa.find_last_not_of('0') + 1);
      if (mantissa.back() == '.') mantissa.pop_back();
    }
    return mantissa + digits.substr(at);
  }
  ESP_TRY_ASSIGN(
      digits, FloatDigits(host, magnitude, {.type = 'f', .precision = precision - 1 - exponent}));
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits += '0';
  return digits;
}

Outcome<std::string> FormatFloat(Host& host, const FormatSpec& spec, double number) {
  const bool percent = spec.type == '%';
  if (percent) number *= 100;
  Outcome<std::string> digits = spec.type == 0
                                    ? GeneralDigits(host, std::fabs(number), spec)
                                    : FloatDigits(host, std::fabs(number),
                                                  {.type = percent            ? 'f'
                                                           : spec.type == 'n' ? 'g'
                                                                              : spec.type,
                                                   .precision = spec.precision.value_or(6),
                                                   .alternate = spec.alternate});
  if (!digits.ok()) return digits;
  std::string body = std::move(*digits);
  bool negative = std::signbit(number) && !std::isnan(number);
  if (negative && !spec.negative_zero && body.find_first_of("123456789in") == std::string::npos) {
    negative = false;
  }
  if (percent) body += '%';
  const std::string prefix = SignOf(spec, negative);
  if (spec.grouping != 0) {
    if (spec.type == 'n') {
      return ValueError("Cannot specify '" + std::string(1, spec.grouping) + "' with 'n'.");
    }
    ESP_TRY(host.Reserve(spec.width, 2));
    body = Group(spec, prefix, body, 3);
  }
  return Align(host, spec, prefix, body, '>');
}

Outcome<std::string> FormatStr(Host& host, const FormatSpec& spec, const Value& value) {
  if (spec.type != 0 && spec.type != 's') return UnknownCode(spec.type, value);
  if (spec.grouping != 0) {
    return ValueError("Cannot specify '" + std::string(1, spec.grouping) + "' with 's'.");
  }
  if (spec.sign != 0) {
    return ValueError(std::string(spec.sign == ' ' ? "Space" : "Sign") +
                      " not allowed in string format specifier");
  }
  if (!spec.negative_zero) {
    return ValueError("Negative zero coercion (z) not allowed in string format specifier");
  }
  if (spec.alternate) {
    return ValueError("Alternate form (#) not allowed in string format specifier");
  }
  if (spec.align == '=') {
    return ValueError("'=' alignment not allowed in string format specifier");
  }
  const Str& str = *value.As<Str>();
  const std::int64_t length = std::min(str.length(), spec.precision.value_or(str.length()));
  return Align(host, spec, "", str.Slice(0, length), '<');
}

}  // namespace

Outcome<std::string> IntDigits(Host& host, const Value& value, char type) {
  const int base = type == 'b' ? 2 : type == 'o' ? 8 : type == 'x' || type == 'X' ? 16 : 10;
  ESP_TRY_ASSIGN(std::string digits, IntegerDigits(host, value, base));
  if (type == 'X') {
    for (char& c : digits) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return digits;
}

// printf rounds correctly and exactly in the C library that we build on.
Outcome<std::string> FloatDigits(Host& host, double magnitude, const FloatForm& form) {
  const bool upper = form.type == 'E' || form.type == 'F' || form.type == 'G';
  if (std::isnan(magnitude)) return std::string(upper ? "NAN" : "nan");
  if (std::isinf(magnitude)) return std::string(upper ? "INF" : "inf");
  if (form.precision > std::numeric_limits<int>::max() - 400) {
    return ValueError("precision too big");
  }
  ESP_TRY(host.Reserve(form.precision + 400));
  ESP_TRY(host.Step(form.precision / 64));
  const std::string pattern = std::string(form.alternate ? "%#.*" : "%.*") + form.type;
  // No double has more digits than that: the rest are zeros, which printf is slow to give.
  constexpr std::int64_t kMostDigits = 1100;
  const auto precision = static_cast<int>(std::min(form.precision, kMostDigits));
  const int size = std::snprintf(nullptr, 0, pattern.c_str(), precision, magnitude);
  if (size < 0) return ValueError("precision too big");
  std::string text(static_cast<std::size_t>(size) + 1, '\0');
  std::snprintf(text.data(), text.size(), pattern.c_str(), precision, magnitude);
  text.pop_back();
  if (form.precision > kMostDigits && form.type != 'g' && form.type != 'G') {
    const std::size_t end = std::min(text.find_first_of("eE"), text.size());
    text.insert(end, static_cast<std::size_t>(form.precision - kMostDigits), '0');
  }
  return text;
}

Outcome<std::string> Format(Host& host, const Value& value, std::string_view spec) {
  if (value.is_extension()) return ExtensionOf(value).Format(host, spec);
  if (spec.empty()) return Text(host, value);
  if (!value.is_number() && !value.is_str()) {
    return TypeError("unsupported format string passed to " + std::string(TypeName(value)) +
                     ".__format__");
  }
  ESP_TRY_ASSIGN(const FormatSpec parsed, ParseFormatSpec(spec, TypeName(value)));
  if (value.is_str()) return FormatStr(host, parsed, value);
  const std::string_view float_codes = "eEfFgG%n";
  const bool float_code =
      parsed.type != 0 && float_codes.find(parsed.type) != std::string_view::npos;
  if (value.is_float()) {
    if (!float_code && parsed.type != 0) return UnknownCode(parsed.type, value);
    return FormatFloat(host, parsed, value.as_float());
  }
  if (float_code && parsed.type != 'n') {
    ESP_TRY_ASSIGN(const double number, IntegerToDouble(value));
    return FormatFloat(host, parsed, number);
  }
  const std::string_view int_codes = "bcdoxXn";
  if (parsed.type != 0 && int_codes.find(parsed.type) == std::string_view::npos) {
    return UnknownCode(parsed.type, value);
  }
  return FormatInt(host, parsed, value);
}

}  // namespace espalier::lang
