// str.format: "{0.name[key]!r:>{width}}".
#include <algorithm>
#include <string>

#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/format_spec.h"
#include "frontend_lang/script/values/text/str.h"
#include "frontend_lang/script/values/text/str_methods.h"
#include "frontend_lang/script/values/text/text_convert.h"

namespace espalier::lang::str_methods {
namespace {

enum class Numbering { kNone, kAutomatic, kManual };

bool IsAllDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos &&
         text.size() < 10;
}

// Writes one format string; a spec is written by the same code, one level deeper.
class Formatter {
 public:
  Formatter(Host& host, const Args& args, Value mapping)
      : host_(host), args_(args), mapping_(std::move(mapping)) {}

  Outcome<std::string> Write(std::string_view format, int depth);

 private:
  Fault WriteField(std::string& out, std::string_view field, int depth);
  Outcome<Value> Lookup(std::string_view path);
  Outcome<Value> Root(std::string_view name);
  Outcome<Value> Positional(std::size_t index);
  Outcome<Value> Named(std::string_view name);
  Outcome<Value> Step(const Value& value, std::string_view& path);

  Host& host_;
  const Args& args_;
  const Value mapping_;  // of format_map; else Unset
  Numbering numbering_ = Numbering::kNone;
  std::size_t next_ = 0;
};

// The length of the field that begins behind a "{", its "}" not included.
Outcome<std::size_t> FieldLength(std::string_view text) {
  int depth = 1;
  bool in_spec = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[' && !in_spec) {
      i = std::min(text.find(']', i), text.size());
    } else if (text[i] == ':' || text[i] == '!') {
      in_spec = true;
    } else if (text[i] == '{') {
      ++depth;
    } else if (text[i] == '}' && --depth == 0) {
      return i;
    }
  }
  if (text.empty()) return ValueError("Single '{' encountered in format string");
  return ValueError(in_spec ? "unmatched '{' in format spec" : "expected '}' before end of string");
}

Outcome<std::string> Formatter::Write(std::string_view format, int depth) {
  if (depth < 0) return ValueError("Max string recursion exceeded");
  std::string out;
  for (std::size_t at = 0; at < format.size();) {
    const std::size_t brace = std::min(format.find_first_of("{}", at), format.size());
    out += format.substr(at, brace - at);
    at = brace;
    if (at == format.size()) break;
    ESP_TRY(host_.Step());
    ESP_TRY(host_.Reserve(static_cast<std::int64_t>(out.size())));
    const char c = format[at++];
    if (at < format.size() && format[at] == c) {
      out += c;
      ++at;
      continue;
    }
    if (c == '}') return ValueError("Single '}' encountered in format string");
    ESP_TRY_ASSIGN(const std::size_t length, FieldLength(format.substr(at)));
    ESP_TRY(WriteField(out, format.substr(at, length), depth));
    at += length + 1;
  }
  return out;
}

// field = path [! conversion] [: spec]
Fault Formatter::WriteField(std::string& out, std::string_view field, int depth) {
  std::size_t end = 0;
  while (end < field.size() && field[end] != '!' && field[end] != ':') {
    if (field[end] == '[') end = std::min(field.find(']', end), field.size() - 1);
    ++end;
  }
  ESP_TRY_ASSIGN(Value value, Lookup(field.substr(0, end)));
  field.remove_prefix(end);
  if (field.starts_with('!')) {
    if (field.size() < 2) return ValueError("unmatched '{' in format spec");
    const char conversion = field[1];
    field.remove_prefix(2);
    if (!field.empty() && field[0] != ':') {
      return ValueError("expected ':' after conversion specifier");
    }
    ESP_TRY_ASSIGN(std::string text, ConvertText(host_, value, conversion));
    value = MakeValidStr(host_.heap(), std::move(text));
  }
  std::string spec;
  if (!field.empty()) {
    ESP_TRY_ASSIGN(spec, Write(field.substr(1), depth - 1));
  }
  ESP_TRY_ASSIGN(const std::string text, lang::Format(host_, value, spec));
  out += text;
  return Fault();
}

Outcome<Value> Formatter::Positional(std::size_t index) {
  if (!mapping_.is_unset()) {
    return ValueError("Format string contains positional fields");
  }
  if (index < args_.positional.size()) return args_.positional[index];
  return Raise("IndexError", "Replacement index " + std::to_string(index) +
                                 " out of range for positional args tuple");
}

Outcome<Value> Formatter::Named(std::string_view name) {
  if (!mapping_.is_unset()) return GetItem(host_, mapping_, MakeStr(host_.heap(), name));
  for (const Keyword& keyword : args_.keywords) {
    if (keyword.name == name) return keyword.value;
  }
  return RaiseWith("KeyError", ReprStr(name), MakeStr(host_.heap(), name));
}

Outcome<Value> Formatter::Root(std::string_view name) {
  const bool number = IsAllDigits(name);
  if (!number && !name.empty()) return Named(name);
  const Numbering wanted = number ? Numbering::kManual : Numbering::kAutomatic;
  if (numbering_ != Numbering::kNone && numbering_ != wanted) {
    return ValueError(number ? "cannot switch from automatic field numbering to manual field "
                               "specification"
                             : "cannot switch from manual field specification to automatic field "
                               "numbering");
  }
  numbering_ = wanted;
  return Positional(number ? std::stoul(std::string(name)) : next_++);
}

// Takes one ".name" or "[key]" off the path.
Outcome<Value> Formatter::Step(const Value& value, std::string_view& path) {
  const bool attribute = path[0] == '.';
  path.remove_prefix(1);
  const std::size_t end =
      attribute ? std::min(path.find_first_of(".["), path.size()) : path.find(']');
  if (end == std::string_view::npos) return ValueError("Missing ']' in format string");
  const std::string_view name = path.substr(0, end);
  if (name.empty()) return ValueError("Empty attribute in format string");
  path.remove_prefix(attribute ? end : end + 1);
  if (!attribute && !path.empty() && path[0] != '.' && path[0] != '[') {
    return ValueError("Only '.' or '[' may follow ']' in format field specifier");
  }
  if (attribute) return GetAttr(host_, value, name);
  if (IsAllDigits(name)) return GetItem(host_, value, Value::Int(std::stol(std::string(name))));
  return GetItem(host_, value, MakeStr(host_.heap(), name));
}

Outcome<Value> Formatter::Lookup(std::string_view path) {
  const std::size_t end = std::min(path.find_first_of(".["), path.size());
  ESP_TRY_ASSIGN(Value value, Root(path.substr(0, end)));
  path.remove_prefix(end);
  while (!path.empty()) {
    ESP_TRY(host_.Step());
    ESP_TRY_ASSIGN(value, Step(value, path));
  }
  return value;
}

Outcome<Value> WriteAll(Host& host, const Value& self, const Args& args, Value mapping) {
  Formatter formatter(host, args, std::move(mapping));
  ESP_TRY_ASSIGN(std::string text, formatter.Write(TextOf(self), 1));
  return MakeValidStr(host.heap(), std::move(text));
}

}  // namespace

Outcome<Value> Format(Host& host, const Value& self, const Args& args) {
  return WriteAll(host, self, args, Value::Unset());
}

Outcome<Value> FormatMap(Host& host, const Value& self, Arguments args) {
  return WriteAll(host, self, {}, args[0]);
}

}  // namespace espalier::lang::str_methods
