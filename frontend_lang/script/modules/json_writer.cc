#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "frontend_lang/script/modules/json_text.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/extension.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sort.h"
#include "frontend_lang/script/values/text/str.h"
#include "kernels/base/utf8.h"

namespace espalier::lang {
namespace {

// "1e-07" -> "1e-7"
std::string ShortExponent(std::string text) {
  const std::size_t e = text.find('e');
  if (e != std::string::npos && e + 2 < text.size() && text[e + 2] == '0') text.erase(e + 2, 1);
  return text;
}

class JsonWriter {
 public:
  JsonWriter(Host& host, const JsonStyle& style) : host_(host), style_(style) {}

  Fault Write(const Value& value);
  std::string Take() { return std::move(out_); }

 private:
  void WriteString(std::string_view text);
  void WriteUnicode(char32_t point);
  Fault WriteFloat(double value);
  Fault WriteInside(const Value& value);
  Fault WriteArray(const Value& sequence);
  Fault WriteObject(const Value& dict);
  Fault WriteFallback(const Value& value);
  Fault WriteKey(const Value& key);
  void NewLine() {
    if (!style_.indent) return;
    out_ += '\n';
    for (std::size_t i = 0; i < depth_; ++i) out_ += *style_.indent;
  }
  Fault Grown() {
    ESP_TRY(host_.Step());
    return host_.Reserve(static_cast<std::int64_t>(out_.size()));
  }

  Host& host_;
  const JsonStyle& style_;
  std::string out_;
  std::size_t depth_ = 0;            // of indents
  std::vector<const Object*> open_;  // what is being written: a cycle is an error
};

void JsonWriter::WriteUnicode(char32_t point) {
  const auto unit = static_cast<unsigned>(point);
  if (point < 0x10000) {
    out_ += fmt::format("\\u{:04x}", unit);
  } else {
    out_ += fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + ((unit - 0x10000) >> 10),
                        0xDC00 + ((unit - 0x10000) & 0x3FF));
  }
}

void JsonWriter::WriteString(std::string_view text) {
  constexpr std::string_view kFrom = "\"\\\b\f\n\r\t", kTo = "\"\\bfnrt";
  out_ += '"';
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (const std::size_t simple = kFrom.find(c); simple != kFrom.npos) {
      out_ += '\\';
      out_ += kTo[simple];
      ++at;
    } else if (static_cast<unsigned char>(c) < 0x20 || (c == 0x7F && style_.ensure_ascii)) {
      WriteUnicode(static_cast<char32_t>(c));
      ++at;
    } else if (static_cast<unsigned char>(c) >= 0x80 && style_.ensure_ascii) {
      WriteUnicode(NextCodePoint(text, at));
    } else {
      out_ += c;
      ++at;
    }
  }
  out_ += '"';
}

Fault JsonWriter::WriteFloat(double value) {
  const bool pydantic = style_.numbers == JsonStyle::Numbers::kPydantic;
  if (std::isfinite(value)) {
    out_ += pydantic ? ShortExponent(lang::ReprFloat(value)) : lang::ReprFloat(value);
    return Fault();
  }
  if (pydantic) {
    out_ += "null";
    return Fault();
  }
  if (!style_.allow_nan) return ValueError("Out of range float values are not JSON compliant");
  out_ += std::isnan(value) ? "NaN" : value < 0 ? "-Infinity" : "Infinity";
  return Fault();
}

Fault JsonWriter::Write(const Value& value) {
  ESP_TRY(Grown());
  switch (value.type()) {
    case Type::kNone: out_ += "null"; return Fault();
    case Type::kBool: out_ += value.as_bool() ? "true" : "false"; return Fault();
    case Type::kFloat: return WriteFloat(value.as_float());
    case Type::kStr: WriteString(TextOf(value)); return Fault();
    case Type::kList:
    case Type::kTuple:
    case Type::kDict: return WriteInside(value);
    default: break;
  }
  if (value.is_integer()) {
    ESP_TRY_ASSIGN(const std::string digits, Repr(host_, value));
    out_ += digits;
    return Fault();
  }
  const Value& plain = PlainOf(value);
  return plain.Is(value) ? WriteFallback(value) : Write(plain);
}

Fault JsonWriter::WriteInside(const Value& value) {
  if (std::ranges::find(open_, value.object()) != open_.end()) {
    return ValueError("Circular reference detected");
  }
  NestedScope scope(host_);
  if (!scope.Check().ok()) {
    return Raise("RecursionError", "maximum recursion depth exceeded while encoding a JSON object");
  }
  open_.push_back(value.object());
  Fault fault = value.If<Dict>() != nullptr ? WriteObject(value) : WriteArray(value);
  if (fault.ok()) open_.pop_back();
  return fault;
}

Fault JsonWriter::WriteFallback(const Value& value) {
  if (style_.fallback.is_none()) {
    return TypeError("Object of type " + std::string(TypeName(value)) +
                     " is not JSON serializable");
  }
  if (std::ranges::find(open_, value.object()) != open_.end()) {
    return ValueError("Circular reference detected");
  }
  NestedScope scope(host_);
  ESP_TRY(scope.Check());
  ESP_TRY_ASSIGN(const Value other, host_.Call(style_.fallback, Args{{&value, 1}, {}}));
  open_.push_back(value.object());
  Fault fault = Write(other);
  open_.pop_back();
  return fault;
}

Fault JsonWriter::WriteArray(const Value& sequence) {
  const List* list = sequence.If<List>();
  const std::vector<Value> items = list ? list->items() : sequence.As<Tuple>()->items();
  if (items.empty()) {
    out_ += "[]";
    return Fault();
  }
  out_ += '[';
  ++depth_;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out_ += style_.item_separator;
    NewLine();
    ESP_TRY(Write(items[i]));
  }
  --depth_;
  NewLine();
  out_ += ']';
  return Fault();
}

Fault JsonWriter::WriteKey(const Value& given) {
  const Value& key = PlainOf(given);
  if (key.is_str()) {
    WriteString(TextOf(key));
    return Fault();
  }
  out_ += '"';
  ESP_TRY(Write(key));
  out_ += '"';
  return Fault();
}

bool IsKey(const Value& given) {
  const Value& key = PlainOf(given);
  return key.is_str() || key.is_none() || key.is_number();
}

Fault JsonWriter::WriteObject(const Value& value) {
  const Dict& dict = *value.As<Dict>();
  const std::int64_t size = dict.size();
  std::vector<Value> keys, values;  // a default= function may change the dict
  for (std::size_t at = 0; const HashTable::Entry* entry = dict.EntryAt(at); ++at) {
    keys.push_back(entry->key);
    values.push_back(entry->value);
  }
  if (keys.empty()) {
    out_ += "{}";
    return Fault();
  }
  if (style_.sort_keys) {
    ESP_TRY(Sort(host_, keys, {}));
    for (std::size_t i = 0; i < keys.size(); ++i) {
      ESP_TRY_ASSIGN(const Value* found, dict.Find(host_, keys[i]));
      values[i] = found != nullptr ? *found : Value();
    }
  }
  // CPython's indented form, which Python code writes, walks the dict itself.
  const bool walks = style_.indent.has_value() && !style_.sort_keys;
  out_ += '{';
  ++depth_;
  bool first = true;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Value& key = keys[i];
    if (!IsKey(key) && style_.skip_keys) continue;
    if (!IsKey(key)) {
      return TypeError("keys must be str, int, float, bool or None, not " +
                       std::string(TypeName(key)));
    }
    if (!std::exchange(first, false)) out_ += style_.item_separator;
    NewLine();
    ESP_TRY(WriteKey(key));
    out_ += style_.key_separator;
    ESP_TRY(Write(values[i]));
    if (walks && dict.size() != size) {
      return Raise("RuntimeError", "dictionary changed size during iteration");
    }
  }
  --depth_;
  NewLine();
  out_ += '}';
  return Fault();
}

}  // namespace

Outcome<std::string> WriteJson(Host& host, const Value& value, const JsonStyle& style) {
  JsonWriter writer(host, style);
  ESP_TRY(writer.Write(value));
  return writer.Take();
}

}  // namespace espalier::lang
