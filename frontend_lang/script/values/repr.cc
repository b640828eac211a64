#include "frontend_lang/script/values/repr.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <vector>

#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/extension.h"
#include "frontend_lang/script/values/integer/integer.h"
#include "frontend_lang/script/values/set.h"
#include "frontend_lang/script/values/text/str.h"
#include "frontend_lang/script/values/text/unicode.h"
#include "kernels/base/utf8.h"

namespace espalier::lang {
namespace {

void AppendEscaped(std::string& out, char32_t c) {
  char text[16];
  const char* form = c < 0x100 ? "\\x%02x" : c < 0x10000 ? "\\u%04x" : "\\U%08x";
  std::snprintf(text, sizeof text, form, static_cast<unsigned>(c));
  out += text;
}

// Writes a value and its parts into one string. Nesting is bounded by NestedScope;
// the account sees the text when it becomes a Str, so growth is checked on the way.
class Writer {
 public:
  explicit Writer(Host& host) : host_(host) {}

  Fault Write(const Value& value);
  std::string Take() { return std::move(out_); }

 private:
  Fault WriteContainer(const Value& value);
  Fault WriteItems(const Value& sequence, std::string_view open, std::string_view close);
  Fault WriteDict(const Dict& dict);
  Fault WriteSet(const Set& set);
  Fault WriteRange(const Range& range);
  Fault WriteSlice(const Slice& slice);
  Fault Grown() {
    ESP_TRY(host_.Step());
    return host_.Reserve(static_cast<std::int64_t>(out_.size()));
  }

  Host& host_;
  std::string out_;
  std::vector<const Object*> open_;  // containers being written: a cycle prints [...]
};

Fault Writer::Write(const Value& value) {
  switch (value.type()) {
    case Type::kUnset: out_ += "<unset>"; return Fault();
    case Type::kNone: out_ += "None"; return Fault();
    case Type::kBool: out_ += value.as_bool() ? "True" : "False"; return Fault();
    case Type::kInt: out_ += std::to_string(value.as_int()); return Fault();
    case Type::kBigInt: {
      ESP_TRY_ASSIGN(const std::string text, IntegerText(host_, value));
      out_ += text;
      return Grown();
    }
    case Type::kFloat: out_ += ReprFloat(value.as_float()); return Fault();
    case Type::kStr: out_ += ReprStr(TextOf(value)); return Grown();
    case Type::kRange: return WriteRange(*value.As<Range>());
    case Type::kSlice: return WriteSlice(*value.As<Slice>());
    case Type::kList:
    case Type::kTuple:
    case Type::kDict:
    case Type::kSet: return WriteContainer(value);
    default: break;
  }
  NestedScope scope(host_);
  ESP_TRY(scope.Check());
  ESP_TRY_ASSIGN(const std::string text, ExtensionOf(value).Repr(host_));
  out_ += text;
  return Grown();
}

Fault Writer::WriteContainer(const Value& value) {
  NestedScope scope(host_);
  ESP_TRY(scope.Check());
  const bool list = value.If<List>() != nullptr, tuple = value.If<Tuple>() != nullptr;
  for (const Object* open : open_) {
    if (open != value.object()) continue;
    out_ += list ? "[...]" : tuple ? "(...)" : "{...}";
    return Fault();
  }
  if (const Dict* dict = value.If<Dict>(); dict && dict->kind() && dict->kind()->repr) {
    ESP_TRY_ASSIGN(const std::string text, dict->kind()->repr(host_, value));
    out_ += text;
    return Grown();
  }
  open_.push_back(value.object());
  Fault fault;
  if (list) {
    fault = WriteItems(value, "[", "]");
  } else if (tuple) {
    fault = WriteItems(value, "(", value.As<Tuple>()->size() == 1 ? ",)" : ")");
  } else if (const Set* set = value.If<Set>()) {
    fault = WriteSet(*set);
  } else {
    fault = WriteDict(*value.As<Dict>());
  }
  open_.pop_back();
  return fault;
}

Fault Writer::WriteItems(const Value& sequence, std::string_view open, std::string_view close) {
  const List* list = sequence.If<List>();
  const auto& items = list != nullptr ? list->items() : sequence.As<Tuple>()->items();
  out_ += open;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out_ += ", ";
    const Value item = items[i];
    ESP_TRY(Write(item));
    ESP_TRY(Grown());
  }
  out_ += close;
  return Fault();
}

Fault Writer::WriteDict(const Dict& dict) {
  out_ += "{";
  bool first = true;
  for (std::size_t at = 0; const HashTable::Entry* entry = dict.EntryAt(at); ++at) {
    if (!std::exchange(first, false)) out_ += ", ";
    const HashTable::Entry held = *entry;
    ESP_TRY(Write(held.key));
    out_ += ": ";
    ESP_TRY(Write(held.value));
    ESP_TRY(Grown());
  }
  out_ += "}";
  return Fault();
}

Fault Writer::WriteSet(const Set& set) {
  if (set.size() == 0) {
    out_ += set.frozen() ? "frozenset()" : "set()";
    return Fault();
  }
  out_ += set.frozen() ? "frozenset({" : "{";
  bool first = true;
  for (std::size_t at = 0; const Set::Entry* entry = set.EntryAt(at); ++at) {
    if (!std::exchange(first, false)) out_ += ", ";
    const Value held = entry->key;
    ESP_TRY(Write(held));
    ESP_TRY(Grown());
  }
  out_ += set.frozen() ? "})" : "}";
  return Fault();
}

Fault Writer::WriteRange(const Range& range) {
  out_ += "range(" + std::to_string(range.start()) + ", " + std::to_string(range.stop());
  if (range.step() != 1) out_ += ", " + std::to_string(range.step());
  out_ += ")";
  return Fault();
}

Fault Writer::WriteSlice(const Slice& slice) {
  out_ += "slice(";
  ESP_TRY(Write(slice.start()));
  out_ += ", ";
  ESP_TRY(Write(slice.stop()));
  out_ += ", ";
  ESP_TRY(Write(slice.step()));
  out_ += ")";
  return Fault();
}

}  // namespace

// std::to_chars gives the shortest digits; CPython writes them in fixed form when the
// decimal exponent is in [-4, 16), else in scientific form with 2 exponent digits.
std::string ReprFloat(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char text[64];
  const auto scientific =
      std::to_chars(text, text + sizeof text, value, std::chars_format::scientific);
  std::string digits(text, scientific.ptr);
  const int exponent = std::stoi(digits.substr(digits.find('e') + 1));
  if (exponent < -4 || exponent >= 16) return digits;
  const auto fixed = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed);
  std::string result(text, fixed.ptr);
  if (result.find('.') == std::string::npos) result += ".0";
  return result;
}

std::string ReprStr(std::string_view text) {
  const bool has_single = text.find('\'') != std::string_view::npos;
  const char quote = has_single && text.find('"') == std::string_view::npos ? '"' : '\'';
  std::string out(1, quote);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    const char32_t c = NextCodePoint(text, at);
    if (c == static_cast<char32_t>(quote) || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c == '\n' || c == '\r' || c == '\t') {
      out += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
    } else if (IsPrintable(c)) {
      out += text.substr(start, at - start);
    } else {
      AppendEscaped(out, c);
    }
  }
  out += quote;
  return out;
}

Outcome<std::string> Repr(Host& host, const Value& value) {
  Writer writer(host);
  ESP_TRY(writer.Write(value));
  return writer.Take();
}

Outcome<std::string> Text(Host& host, const Value& value) {
  if (value.is_str()) return std::string(TextOf(value));
  if (!value.is_extension()) return Repr(host, value);
  NestedScope scope(host);
  ESP_TRY(scope.Check());
  return ExtensionOf(value).Text(host);
}

}  // namespace espalier::lang
