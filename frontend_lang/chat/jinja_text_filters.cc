// Filters that give text or a number.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "frontend_lang/chat/jinja_filters.h"
#include "frontend_lang/chat/jinja_objects.h"
#include "frontend_lang/script/modules/json_text.h"
#include "frontend_lang/script/values/arithmetic.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/integer/integer.h"
#include "frontend_lang/script/values/number_parse.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"
#include "frontend_lang/script/values/text/unicode.h"
#include "kernels/base/utf8.h"

namespace espalier::jinja {
namespace {

using Arguments = std::span<const Value>;

Outcome<Value> ToStr(Host& host, const Value& input) {
  if (input.is_str()) return input;
  ESP_TRY_ASSIGN(std::string text, lang::Text(host, input));
  return lang::MakeStr(host.heap(), std::move(text));
}

// The str method `name` on the input as text.
Outcome<Value> CallStrMethod(Host& host, const Value& input, std::string_view name,
                             Arguments args) {
  ESP_TRY_ASSIGN(const Value text, ToStr(host, input));
  while (!args.empty() && args.back().is_unset()) args = args.first(args.size() - 1);
  return lang::CallAttr(host, text, name, {.positional = args});
}

Outcome<Value> Capitalize(Host& host, const Value& input, Arguments args) {
  return CallStrMethod(host, input, "capitalize", args);
}
Outcome<Value> Lower(Host& host, const Value& input, Arguments args) {
  return CallStrMethod(host, input, "lower", args);
}
Outcome<Value> Upper(Host& host, const Value& input, Arguments args) {
  return CallStrMethod(host, input, "upper", args);
}
Outcome<Value> Trim(Host& host, const Value& input, Arguments args) {
  return CallStrMethod(host, input, "strip", args);
}

Outcome<Value> Replace(Host& host, const Value& input, Arguments args) {
  ESP_TRY_ASSIGN(const Value old_text, ToStr(host, args[0]));
  ESP_TRY_ASSIGN(const Value new_text, ToStr(host, args[1]));
  const Value count = args[2].is_unset() || args[2].is_none() ? Value::Int(-1) : args[2];
  const Value arguments[] = {old_text, new_text, count};
  return CallStrMethod(host, input, "replace", arguments);
}

// Words begin behind blanks, hyphens and opening brackets.
Outcome<Value> Title(Host& host, const Value& input, Arguments) {
  ESP_TRY_ASSIGN(const Value value, ToStr(host, input));
  const std::string_view text = lang::TextOf(value);
  ESP_TRY(host.Step(static_cast<std::int64_t>(text.size()) / 128));
  ESP_TRY(host.Reserve(static_cast<std::int64_t>(text.size()), 3));
  constexpr std::string_view kBreaks = "-({[<";
  std::string out;
  bool begins = true;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = NextCodePoint(text, at);
    const bool is_break =
        lang::IsSpace(c) || (c < 0x80 && kBreaks.find(static_cast<char>(c)) != kBreaks.npos);
    if (begins) {
      lang::AppendUpper(out, c);
    } else {
      lang::AppendLower(out, c, lang::SigmaPlace::kInside);
    }
    begins = is_break;
  }
  return lang::MakeStr(host.heap(), std::move(out));
}

Outcome<Value> String(Host& host, const Value& input, Arguments) { return ToStr(host, input); }

Outcome<Value> Escape(Host& host, const Value& input, Arguments) {
  ESP_TRY_ASSIGN(const Value value, ToStr(host, input));
  ESP_TRY(host.Reserve(static_cast<std::int64_t>(lang::TextOf(value).size()), 5));
  std::string out;
  for (const char c : lang::TextOf(value)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&#34;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return lang::MakeStr(host.heap(), std::move(out));
}

// There is no automatic escaping, so nothing is unsafe.
Outcome<Value> Safe(Host& host, const Value& input, Arguments) { return ToStr(host, input); }

Outcome<bool> Flag(Host& host, const Value& value) {
  if (value.is_unset()) return false;
  return lang::Truth(host, value);
}

// indent(width=4, first=False, blank=False)
Outcome<Value> Indent(Host& host, const Value& input, Arguments args) {
  if (!input.is_str()) return lang::TypeError("indent needs a string");
  const Value value = input;
  std::string pad = "    ";
  if (args[0].is_str()) {
    pad = lang::TextOf(args[0]);
  } else if (!args[0].is_unset()) {
    if (!args[0].is_integral()) return lang::TypeError("indent: width must be an int or a str");
    const std::int64_t width = std::max<std::int64_t>(0, args[0].as_int());
    ESP_TRY(host.Reserve(width));
    pad = std::string(static_cast<std::size_t>(width), ' ');
  }
  ESP_TRY_ASSIGN(const bool first, Flag(host, args[1]));
  ESP_TRY_ASSIGN(const bool blank, Flag(host, args[2]));
  std::string out = first ? pad : "";
  const std::string_view text = lang::TextOf(value);
  for (std::size_t at = 0; at < text.size(); ++at) {
    out += text[at];
    if (text[at] != '\n') continue;
    ESP_TRY(host.Step(1 + static_cast<std::int64_t>(pad.size()) / 1024));
    ESP_TRY(host.Reserve(static_cast<std::int64_t>(out.size() + pad.size())));
    const bool empty_line = at + 1 == text.size() || text[at + 1] == '\n';
    if (blank || !empty_line) out += pad;
  }
  return lang::MakeStr(host.heap(), std::move(out));
}

// int(default=0, base=10)
Outcome<Value> Int(Host& host, const Value& input, Arguments args) {
  const Value absent = args[0].is_unset() ? Value::Int(0) : args[0];
  if (input.is_integer()) return lang::Unary(host, lang::UnaryOp::kPlus, input);
  std::optional<double> number;
  if (input.is_float()) number = input.as_float();
  if (input.is_str()) {
    const std::int64_t base = args[1].is_integral() ? args[1].as_int() : 10;
    if (base < 2 || base > 36) return absent;
    auto whole = lang::ParseInt(host, lang::TextOf(input), static_cast<int>(base));
    if (whole.ok() && !whole->is_unset()) return whole;
    number = lang::ParseFloat(lang::TextOf(input));
  }
  if (!number || !std::isfinite(*number)) return absent;
  return lang::IntegerFromDouble(host, *number);
}

// float(default=0.0)
Outcome<Value> Float(Host&, const Value& input, Arguments args) {
  if (input.is_float()) return input;
  if (input.is_integer()) {
    ESP_TRY_ASSIGN(const double number, lang::IntegerToDouble(input));
    return Value::Float(number);
  }
  if (input.is_str()) {
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

// default(value="", boolean=False)
Outcome<Value> Default(Host& host, const Value& input, Arguments args) {
  ESP_TRY_ASSIGN(const bool boolean, Flag(host, args[1]));
  bool absent = IsUndefined(input);
  if (!absent && boolean) {
    ESP_TRY_ASSIGN(const bool truth, lang::Truth(host, input));
    absent = !truth;
  }
  if (!absent) return input;
  return args[0].is_unset() ? host.heap().EmptyStr() : args[0];
}

// tojson as chat templates have it: no HTML escapes, ensure_ascii off.
Outcome<Value> ToJson(Host& host, const Value& input, Arguments args) {
  lang::JsonStyle style{.ensure_ascii = false};
  if (args[1].is_integral()) {
    const std::int64_t width = std::max<std::int64_t>(0, args[1].as_int());
    if (width > 1000) return lang::ValueError("tojson: indent is too large");
    style.indent = std::string(static_cast<std::size_t>(width), ' ');
  } else if (args[1].is_str()) {
    style.indent = lang::TextOf(args[1]);
  }
  if (style.indent) style.item_separator = ",";
  if (!args[2].is_unset() && !args[2].is_none()) {
    ESP_TRY_ASSIGN(const auto separators, lang::Collect(host, args[2]));
    if (separators.size() != 2 || !separators[0].is_str() || !separators[1].is_str()) {
      return lang::ValueError("tojson: separators must be two strings");
    }
    style.item_separator = lang::TextOf(separators[0]);
    style.key_separator = lang::TextOf(separators[1]);
  }
  ESP_TRY_ASSIGN(style.ensure_ascii, Flag(host, args[0]));
  ESP_TRY_ASSIGN(style.sort_keys, Flag(host, args[3]));
  ESP_TRY_ASSIGN(std::string text, lang::WriteJson(host, input, style));
  return lang::MakeStr(host.heap(), std::move(text));
}

constexpr Filter kTextFilters[] = {
    {{"abs", 0, 0, Abs}},
    {{"capitalize", 0, 0, Capitalize}},
    {{"d", 0, 2, Default, "default_value boolean"}},
    {{"default", 0, 2, Default, "default_value boolean"}},
    {{"e", 0, 0, Escape}},
    {{"escape", 0, 0, Escape}},
    {{"float", 0, 1, Float, "default"}},
    {{"indent", 0, 3, Indent, "width first blank"}},
    {{"int", 0, 2, Int, "default base"}},
    {{"lower", 0, 0, Lower}},
    {{"replace", 2, 3, Replace, "old new count"}},
    {{"safe", 0, 0, Safe}},
    {{"string", 0, 0, String}},
    {{"title", 0, 0, Title}},
    {{"tojson", 0, 4, ToJson, "ensure_ascii indent separators sort_keys"}},
    {{"trim", 0, 1, Trim, "chars"}},
    {{"upper", 0, 0, Upper}},
};

}  // namespace

std::span<const Filter> TextFilters() { return kTextFilters; }

const Filter* FindFilter(std::string_view name) {
  for (const auto& table : {TextFilters(), SequenceFilters(), SelectFilters()}) {
    for (const Filter& filter : table) {
      if (filter.method.name == name) return &filter;
    }
  }
  return nullptr;
}

}  // namespace espalier::jinja
