// json.dumps (declared in json_values.h).
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "frontend_lang/script/containers.h"
#include "frontend_lang/script/dict.h"
#include "frontend_lang/script/integer/integer.h"
#include "frontend_lang/script/json_values.h"
#include "frontend_lang/script/repr.h"
#include "frontend_lang/script/sort.h"
#include "frontend_lang/script/str.h"
#include "frontend_lang/script/utf8.h"

namespace espalier::lang {
namespace {

void AppendUnit(std::string& out, unsigned unit) {
  char escape[16];
  std::snprintf(escape, sizeof escape, "\\u%04x", unit);
  out += escape;
}

void AppendAsciiEscape(std::string& out, char32_t c) {
  if (c < 0x10000) return AppendUnit(out, static_cast<unsigned>(c));
  AppendUnit(out, 0xD800 + static_cast<unsigned>((c - 0x10000) >> 10));
  AppendUnit(out, 0xDC00 + static_cast<unsigned>((c - 0x10000) & 0x3FF));
}

void AppendQuoted(std::string& out, std::string_view text, bool ensure_ascii) {
  constexpr std::string_view kSpecial = "\"\\\b\f\n\r\t";
  constexpr std::string_view kLetters = "\"\\bfnrt";
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    const char32_t c = NextCodePoint(text, at);
    const std::size_t special = c < 0x80 ? kSpecial.find(static_cast<char>(c)) : kSpecial.npos;
    if (special != kSpecial.npos) {
      out += '\\';
      out += kLetters[special];
    } else if (c < 0x20) {
      AppendUnit(out, static_cast<unsigned>(c));
    } else if (c > 0x7E && ensure_ascii) {
      AppendAsciiEscape(out, c);
    } else {
      out += text.substr(start, at - start);
    }
  }
  out += '"';
}

std::string FloatText(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Infinity" : "Infinity";
  return ReprFloat(number);
}

class Dumper {
 public:
  Dumper(Host& host, const JsonStyle& style) : host_(host), style_(style) {}

  Fault Dump(const Value& value);
  std::string Take() { return std::move(out_); }

 private:
  Fault DumpItems(const std::vector<Value>& items);
  Fault DumpDict(const Value& dict);
  Fault DumpEntry(const Value& key, const Value& value);
  Fault DumpKey(const Value& key);
  void NewLine() {
    if (!style_.indent) return;
    out_ += '\n';
    for (int i = 0; i < level_; ++i) out_ += *style_.indent;
  }
  Fault Grown() {
    ESP_TRY(host_.Step());
    return host_.Reserve(static_cast<std::int64_t>(out_.size()));
  }

  Host& host_;
  const JsonStyle& style_;
  std::string out_;
  int level_ = 0;
};

Fault Dumper::Dump(const Value& value) {
  ESP_TRY(Grown());
  NestedScope scope(host_);
  if (!scope.Check().ok()) return ValueError("Circular reference detected");
  switch (value.type()) {
    case Type::kNone: out_ += "null"; return Fault();
    case Type::kBool: out_ += value.as_bool() ? "true" : "false"; return Fault();
    case Type::kInt: out_ += std::to_string(value.as_int()); return Fault();
    case Type::kBigInt: {
      ESP_TRY_ASSIGN(const std::string text, IntegerText(host_, value));
      out_ += text;
      return Fault();
    }
    case Type::kFloat: out_ += FloatText(value.as_float()); return Fault();
    case Type::kStr: AppendQuoted(out_, TextOf(value), style_.ensure_ascii); return Fault();
    case Type::kList: return DumpItems(value.As<List>()->items());
    case Type::kTuple: return DumpItems(value.As<Tuple>()->items());
    case Type::kDict: return DumpDict(value);
    default:
      return TypeError("Object of type " + std::string(TypeName(value)) +
                       " is not JSON serializable");
  }
}

Fault Dumper::DumpItems(const std::vector<Value>& items) {
  if (items.empty()) {
    out_ += "[]";
    return Fault();
  }
  out_ += '[';
  ++level_;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out_ += style_.item_separator;
    NewLine();
    ESP_TRY(Dump(items[i]));
  }
  --level_;
  NewLine();
  out_ += ']';
  return Fault();
}

Fault Dumper::DumpDict(const Value& dict) {
  const Dict& table = *dict.As<Dict>();
  if (table.size() == 0) {
    out_ += "{}";
    return Fault();
  }
  std::vector<Value> keys;
  for (std::size_t at = 0; const HashTable::Entry* entry = table.EntryAt(at); ++at) {
    keys.push_back(entry->key);
  }
  if (style_.sort_keys) ESP_TRY(Sort(host_, keys, {}));
  out_ += '{';
  ++level_;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i > 0) out_ += style_.item_separator;
    NewLine();
    ESP_TRY_ASSIGN(const Value* found, table.Find(host_, keys[i]));
    const Value value = found != nullptr ? *found : Value();
    ESP_TRY(DumpEntry(keys[i], value));
  }
  --level_;
  NewLine();
  out_ += '}';
  return Fault();
}

Fault Dumper::DumpKey(const Value& key) {
  switch (key.type()) {
    case Type::kStr: AppendQuoted(out_, TextOf(key), style_.ensure_ascii); return Fault();
    case Type::kNone:
    case Type::kBool:
    case Type::kInt:
    case Type::kFloat: {
      out_ += '"';
      ESP_TRY(Dump(key));
      out_ += '"';
      return Fault();
    }
    default:
      return TypeError("keys must be str, int, float, bool or None, not " +
                       std::string(TypeName(key)));
  }
}

Fault Dumper::DumpEntry(const Value& key, const Value& value) {
  ESP_TRY(DumpKey(key));
  out_ += style_.key_separator;
  return Dump(value);
}

}  // namespace

Outcome<std::string> DumpJson(Host& host, const Value& value, const JsonStyle& style) {
  Dumper dumper(host, style);
  ESP_TRY(dumper.Dump(value));
  return dumper.Take();
}

}  // namespace espalier::lang
