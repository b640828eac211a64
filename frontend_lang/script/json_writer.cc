#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "frontend_lang/script/containers.h"
#include "frontend_lang/script/dict.h"
#include "frontend_lang/script/integer/integer.h"
#include "frontend_lang/script/json_text.h"
#include "frontend_lang/script/objects.h"
#include "frontend_lang/script/repr.h"
#include "frontend_lang/script/str.h"
#include "frontend_lang/script/utf8.h"

namespace espalier::script {
namespace {

class JsonWriter {
 public:
  JsonWriter(Host& host, const JsonStyle& style) : host_(host), style_(style) {}

  Fault Write(const Value& value);
  std::string Take() { return std::move(out_); }

 private:
  using Member = std::pair<std::string, Value>;

  void WriteString(std::string_view text);
  void WriteUnicode(char32_t point);
  void WriteFloat(double value);
  Fault WriteArray(const std::vector<Value>& items);
  Fault WriteObject(const lang::Dict& dict);
  Outcome<std::string> KeyText(const Value& key);
  void NewLine() {
    if (style_.indent)
      out_ += '\n' + std::string(depth_ * static_cast<std::size_t>(*style_.indent), ' ');
  }
  void Separate(std::size_t i) {
    if (i > 0) out_ += style_.item_separator;
    NewLine();
  }

  Host& host_;
  const JsonStyle& style_;
  std::string out_;
  std::size_t depth_ = 0;
};

void JsonWriter::WriteUnicode(char32_t point) {
  if (point >= 0x10000) {
    const char32_t rest = point - 0x10000;
    out_ += fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (static_cast<unsigned>(rest) >> 10),
                        0xDC00 + (static_cast<unsigned>(rest) & 0x3FF));
  } else {
    out_ += fmt::format("\\u{:04x}", static_cast<unsigned>(point));
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
      WriteUnicode(lang::NextCodePoint(text, at));
    } else {
      out_ += c;
      ++at;
    }
  }
  out_ += '"';
}

void JsonWriter::WriteFloat(double value) {
  if (std::isnan(value)) {
    out_ += "NaN";
  } else if (std::isinf(value)) {
    out_ += value < 0 ? "-Infinity" : "Infinity";
  } else {
    out_ += lang::ReprFloat(value);
  }
}

Fault JsonWriter::Write(const Value& value) {
  ESP_TRY(host_.Step());
  ESP_TRY(host_.Reserve(static_cast<std::int64_t>(out_.size())));
  switch (value.type()) {
    case lang::Type::kNone: out_ += "null"; return Fault();
    case lang::Type::kBool: out_ += value.as_bool() ? "true" : "false"; return Fault();
    case lang::Type::kInt: out_ += std::to_string(value.as_int()); return Fault();
    case lang::Type::kBigInt: {
      ESP_TRY_ASSIGN(const std::string text, lang::IntegerText(host_, value));
      out_ += text;
      return Fault();
    }
    case lang::Type::kFloat: WriteFloat(value.as_float()); return Fault();
    case lang::Type::kStr: WriteString(lang::TextOf(value)); return Fault();
    case lang::Type::kList: return WriteArray(value.As<lang::List>()->items());
    case lang::Type::kTuple: return WriteArray(value.As<lang::Tuple>()->items());
    case lang::Type::kDict: return WriteObject(*value.As<lang::Dict>());
    default:
      return lang::TypeError("Object of type " + std::string(lang::TypeName(value)) +
                             " is not JSON serializable");
  }
}

Fault JsonWriter::WriteArray(const std::vector<Value>& items) {
  lang::NestedScope scope(host_);
  if (Fault fault = scope.Check(); !fault.ok()) {
    return lang::ValueError("Circular reference detected, or nested too deeply");
  }
  if (items.empty()) {
    out_ += "[]";
    return Fault();
  }
  out_ += '[';
  ++depth_;
  for (std::size_t i = 0; i < items.size(); ++i) {
    Separate(i);
    ESP_TRY(Write(items[i]));
  }
  --depth_;
  NewLine();
  out_ += ']';
  return Fault();
}

Outcome<std::string> JsonWriter::KeyText(const Value& key) {
  switch (key.type()) {
    case lang::Type::kStr: return std::string(lang::TextOf(key));
    case lang::Type::kNone: return std::string("null");
    case lang::Type::kBool: return std::string(key.as_bool() ? "true" : "false");
    case lang::Type::kInt:
    case lang::Type::kFloat: return lang::Repr(host_, key);
    default:
      return lang::TypeError("keys must be str, int, float, bool or None, not " +
                             std::string(lang::TypeName(key)));
  }
}

Fault JsonWriter::WriteObject(const lang::Dict& dict) {
  lang::NestedScope scope(host_);
  if (Fault fault = scope.Check(); !fault.ok()) {
    return lang::ValueError("Circular reference detected, or nested too deeply");
  }
  std::vector<Member> members;
  std::size_t position = 0;
  for (const auto* entry = dict.EntryAt(position); entry != nullptr;
       entry = dict.EntryAt(++position)) {
    ESP_TRY_ASSIGN(std::string key, KeyText(entry->key));
    members.emplace_back(std::move(key), entry->value);
  }
  if (style_.sort_keys) {
    std::stable_sort(members.begin(), members.end(),
                     [](const Member& a, const Member& b) { return a.first < b.first; });
  }
  if (members.empty()) {
    out_ += "{}";
    return Fault();
  }
  out_ += '{';
  ++depth_;
  for (std::size_t i = 0; i < members.size(); ++i) {
    Separate(i);
    WriteString(members[i].first);
    out_ += style_.key_separator;
    ESP_TRY(Write(members[i].second));
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

}  // namespace espalier::script
