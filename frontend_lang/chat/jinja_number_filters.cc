// Filters that give a number.
#include <cmath>
#include <optional>
#include <string>

#include "frontend_lang/chat/jinja_arguments.h"
#include "frontend_lang/chat/jinja_arithmetic.h"
#include "frontend_lang/chat/jinja_filters.h"
#include "frontend_lang/script/values/arithmetic.h"
#include "frontend_lang/script/values/integer/integer.h"
#include "frontend_lang/script/values/number_parse.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/text/str.h"
#include "frontend_lang/script/values/text/unicode.h"
#include "kernels/base/utf8.h"

namespace espalier::jinja {
namespace {

// int(default=0, base=10)
Outcome<Value> Int(Host& host, const Value& input, Arguments args) {
  const Value absent = args[0].is_unset() ? Value::Int(0) : args[0];
  if (const auto* undefined = input.IfExtension<Undefined>()) return undefined->Error();
  if (input.is_integer()) return lang::Unary(host, lang::UnaryOp::kPlus, input);
  std::optional<double> number;
  if (input.is_float()) number = input.as_float();
  if (input.is_str()) {
    const std::int64_t base = args[1].is_integral() ? args[1].as_int() : 10;
    if (base < 2 || base > 36) return absent;
    ESP_TRY(host.Step(std::ssize(lang::TextOf(input)) / 16));
    auto whole = lang::ParseInt(host, lang::TextOf(input), static_cast<int>(base));
    if (whole.ok() && !whole->is_unset()) {
      ESP_TRY(CheckInteger(*whole));
      return whole;
    }
    number = lang::ParseFloat(lang::TextOf(input));
  }
  if (!number || !std::isfinite(*number)) return absent;
  return lang::IntegerFromDouble(host, *number);
}

// float(default=0.0)
Outcome<Value> Float(Host& host, const Value& input, Arguments args) {
  if (const auto* undefined = input.IfExtension<Undefined>()) return undefined->Error();
  if (input.is_float()) return input;
  if (input.is_integer()) {
    ESP_TRY_ASSIGN(const double number, lang::IntegerToDouble(input));
    return Value::Float(number);
  }
  if (input.is_str()) {
    ESP_TRY(host.Step(std::ssize(lang::TextOf(input)) / 16));
    if (const auto number = lang::ParseFloat(lang::TextOf(input))) return Value::Float(*number);
  }
  return args[0].is_unset() ? Value::Float(0) : args[0];
}

Outcome<Value> Abs(Host& host, const Value& input, Arguments) {
  if (input.is_float()) return Value::Float(std::fabs(input.as_float()));
  if (input.is_integer()) {
    const bool negative = lang::IntegerView(input).negative();
    return lang::Unary(host, negative ? lang::UnaryOp::kMinus : lang::UnaryOp::kPlus, input);
  }
  if (const auto* undefined = input.IfExtension<Undefined>()) return undefined->Error();
  ESP_TRY(host.Step());
  return lang::TypeError("bad operand type for abs(): '" + std::string(lang::TypeName(input)) +
                         "'");
}

// round(precision=0, method="common")
Outcome<Value> Round(Host&, const Value& input, Arguments args) {
  if (!input.is_number()) return lang::TypeError("round needs a number");
  const std::int64_t precision = args[0].is_integral() ? args[0].as_int() : 0;
  if (precision < -300 || precision > 300) return lang::ValueError("round: precision is too large");
  double number = input.as_float();
  if (!input.is_float()) {
    ESP_TRY_ASSIGN(number, lang::IntegerToDouble(input));
  }
  const std::string_view method = args[1].is_str() ? lang::TextOf(args[1]) : "common";
  const double scale = std::pow(10.0, static_cast<double>(precision));
  if (method == "ceil") return Value::Float(std::ceil(number * scale) / scale);
  if (method == "floor") return Value::Float(std::floor(number * scale) / scale);
  if (method != "common") {
    return lang::Raise("FilterArgumentError", "method must be common, ceil or floor");
  }
  if (input.is_bool() && precision >= 0) return Value::Int(input.as_int());
  if (input.is_integer() && precision >= 0) return input;
  return Value::Float(lang::RoundFloat(number, precision));
}

// The runs of letters, digits and underscores.
Outcome<Value> WordCount(Host& host, const Value& input, Arguments) {
  ESP_TRY_ASSIGN(const std::string text, lang::Text(host, input));
  ESP_TRY(host.Step(std::ssize(text) / 16));
  std::int64_t count = 0;
  bool inside = false;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = NextCodePoint(text, at);
    const bool word = c == '_' || lang::IsAlpha(c) || lang::IsNumeric(c);
    if (word && !inside) ++count;
    inside = word;
  }
  return Value::Int(count);
}

constexpr Filter kNumberFilters[] = {
    {{"abs", 0, 0, Abs}},
    {{"float", 0, 1, Float, "default"}},
    {{"int", 0, 2, Int, "default base"}},
    {{"round", 0, 2, Round, "precision method"}},
    {{"wordcount", 0, 0, WordCount}},
};

}  // namespace

std::span<const Filter> NumberFilters() { return kNumberFilters; }

}  // namespace espalier::jinja
