// Filters that give text, or what they are given.
#include <algorithm>
#include <string>

#include "frontend_lang/chat/jinja_arguments.h"
#include "frontend_lang/chat/jinja_filters.h"
#include "frontend_lang/chat/jinja_objects.h"
#include "frontend_lang/script/modules/json_text.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/percent_format.h"
#include "frontend_lang/script/values/text/str.h"
#include "frontend_lang/script/values/text/unicode.h"
#include "kernels/base/utf8.h"

namespace espalier::jinja {
namespace {

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
  ESP_TRY(host.Step(std::ssize(lang::TextOf(value)) / 64));
  ESP_TRY(host.Reserve(std::ssize(lang::TextOf(value)), 5));
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

// center(width=80)
Outcome<Value> Center(Host& host, const Value& input, Arguments args) {
  const Value width = args[0].is_unset() ? Value::Int(80) : args[0];
  return CallStrMethod(host, input, "center", std::span(&width, 1));
}

// format(*args, **kwargs): the % of strings.
Outcome<Value> Format(Host& host, const Value& input, const Args& args) {
  ESP_TRY_ASSIGN(const Value text, ToStr(host, input));
  if (args.keywords.empty()) {
    return lang::PercentFormat(host, text,
                               host.heap().New<lang::Tuple>(std::vector<Value>(
                                   args.positional.begin(), args.positional.end())));
  }
  if (!args.positional.empty()) {
    return lang::Raise("FilterArgumentError",
                       "can't handle positional and keyword arguments at the same time");
  }
  const Value dict = host.heap().New<lang::Dict>();
  for (const lang::Keyword& keyword : args.keywords) {
    dict.As<lang::Dict>()->PutStr(keyword.name, keyword.value);
  }
  return lang::PercentFormat(host, text, dict);
}

// attr(name): an attribute or a method, never an item.
Outcome<Value> Attr(Host& host, const Value& input, Arguments args) {
  if (const auto* undefined = input.IfExtension<Undefined>()) return undefined->Error();
  if (!args[0].is_str()) return lang::TypeError("attribute name must be string");
  const std::string name(lang::TextOf(args[0]));
  if (!input.is_extension()) {
    if (lang::FindMethod(input, name) != nullptr) return lang::GetAttr(host, input, name);
  } else {
    ESP_TRY_ASSIGN(Value attribute, lang::ExtensionOf(input).GetAttr(host, name));
    if (!attribute.is_unset()) return attribute;
  }
  return MakeUndefined(host, "'" + std::string(lang::TypeName(input)) +
                                 " object' has no attribute " + lang::ReprStr(name));
}

// An argument that counts code points.
Outcome<std::int64_t> Count(const Value& value, std::int64_t absent) {
  if (value.is_unset() || value.is_none()) return absent;
  if (value.is_integral()) return value.as_int();
  return lang::TypeError("a length must be an int, not " + std::string(lang::TypeName(value)));
}

// truncate(length=255, killwords=False, end="...", leeway=5)
Outcome<Value> Truncate(Host& host, const Value& input, Arguments args) {
  ESP_TRY_ASSIGN(const std::int64_t length, Count(args[0], 255));
  ESP_TRY_ASSIGN(const bool kill_words, Flag(host, args[1]));
  const Value end =
      args[2].is_unset() ? lang::MakeStr(host.heap(), std::string_view("...")) : args[2];
  ESP_TRY_ASSIGN(const std::int64_t leeway, Count(args[3], 5));
  if (!end.is_str()) return lang::TypeError("truncate: end must be a str");
  const std::int64_t end_length = end.As<lang::Str>()->length();
  if (length < end_length || leeway < 0) {
    return lang::Raise("AssertionError",
                       "truncate: length must be at least that of end, and leeway "
                       "at least 0");
  }
  ESP_TRY_ASSIGN(const std::int64_t given, lang::Length(host, input));
  if (given - leeway <= length) return input;
  if (!input.is_str()) return lang::TypeError("truncate needs a string");
  const lang::Str& text = *input.As<lang::Str>();
  ESP_TRY(host.StepOver(text.bytes().size()));
  std::string_view kept = text.Slice(0, length - end_length);
  if (!kill_words) kept = kept.substr(0, kept.rfind(' '));
  return lang::MakeStr(host.heap(), std::string(kept) + std::string(lang::TextOf(end)));
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

// What json.dumps takes for a tuple.
Outcome<Value> PlainOfGroup(Host&, const Value&, const Args& args) {
  const Value& value = args.positional[0];
  if (const auto* group = value.IfExtension<Group>()) return group->pair();
  return lang::TypeError("Object of type " + std::string(lang::TypeName(value)) +
                         " is not JSON serializable");
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
  if (Given(args[2])) {
    ESP_TRY_ASSIGN(const auto separators, lang::Collect(host, args[2]));
    if (separators.size() != 2 || !separators[0].is_str() || !separators[1].is_str()) {
      return lang::ValueError("tojson: separators must be two strings");
    }
    style.item_separator = lang::TextOf(separators[0]);
    style.key_separator = lang::TextOf(separators[1]);
  }
  ESP_TRY_ASSIGN(style.ensure_ascii, Flag(host, args[0]));
  ESP_TRY_ASSIGN(style.sort_keys, Flag(host, args[3]));
  style.fallback = host.heap().New<lang::NativeFunction>("default", PlainOfGroup);
  ESP_TRY_ASSIGN(std::string text, lang::WriteJson(host, input, style));
  ESP_TRY(host.Step(std::ssize(text) / 64));
  return lang::MakeStr(host.heap(), std::move(text));
}

constexpr Filter kTextFilters[] = {
    {{"attr", 1, 1, Attr, "name"}},
    {{"capitalize", 0, 0, Capitalize}},
    {{"center", 0, 1, Center, "width"}},
    {{"d", 0, 2, Default, "default_value boolean"}},
    {{"default", 0, 2, Default, "default_value boolean"}},
    {{"e", 0, 0, Escape}},
    {{"escape", 0, 0, Escape}},
    {{"forceescape", 0, 0, Escape}},
    {{.name = "format", .raw_code = Format}},
    {{"indent", 0, 3, Indent, "width first blank"}},
    {{"lower", 0, 0, Lower}},
    {{"replace", 2, 3, Replace, "old new count"}},
    {{"safe", 0, 0, Safe}},
    {{"string", 0, 0, String}},
    {{"title", 0, 0, Title}},
    {{"tojson", 0, 4, ToJson, "ensure_ascii indent separators sort_keys"}},
    {{"trim", 0, 1, Trim, "chars"}},
    {{"truncate", 0, 4, Truncate, "length killwords end leeway"}},
    {{"upper", 0, 0, Upper}},
};

}  // namespace

std::span<const Filter> TextFilters() { return kTextFilters; }

const Filter* FindFilter(std::string_view name) {
  for (const auto& table :
       {TextFilters(), NumberFilters(), SequenceFilters(), BatchFilters(), SelectFilters()}) {
    for (const Filter& filter : table) {
      if (filter.method.name == name) return &filter;
    }
  }
  return nullptr;
}

}  // namespace espalier::jinja
