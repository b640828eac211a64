// str.maketrans and str.translate.
#include <string>

#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"
#include "frontend_lang/script/values/text/str_methods.h"
#include "kernels/base/utf8.h"

namespace espalier::lang::str_methods {
namespace {

Value PointAt(std::string_view text, std::size_t& at) {
  return Value::Int(static_cast<std::int64_t>(NextCodePoint(text, at)));
}

Outcome<Value> FromDict(Host& host, const Value& source) {
  const Dict* dict = source.If<Dict>();
  if (dict == nullptr) {
    return TypeError("if you give only one argument to maketrans it must be a dict");
  }
  const Value table = host.heap().New<Dict>();
  for (std::size_t at = 0; const HashTable::Entry* entry = dict->EntryAt(at); ++at) {
    ESP_TRY(host.Step());
    Value key = entry->key;
    if (const Str* str = key.If<Str>()) {
      if (str->length() != 1) {
        return ValueError("string keys in translate table must be of length 1");
      }
      std::size_t offset = 0;
      key = PointAt(str->bytes(), offset);
    } else if (!key.is_integral()) {
      return TypeError("keys in translate table must be strings or integers");
    }
    ESP_TRY(table.As<Dict>()->Put(host, key, entry->value));
  }
  return table;
}

// Appends what the table says of one code point.
Fault Translated(const Value& to, std::string& out) {
  if (to.is_none()) return Fault();
  if (to.is_str()) {
    out += TextOf(to);
    return Fault();
  }
  if (!to.is_integral()) {
    return TypeError("character mapping must return integer, None or str");
  }
  const std::int64_t point = to.as_int();
  if (point < 0 || point > 0x10FFFF) {
    return ValueError("character mapping must be in range(0x110000)");
  }
  AppendCodePoint(out, point >= 0xD800 && point < 0xE000 ? 0xFFFD : static_cast<char32_t>(point));
  return Fault();
}

}  // namespace

Outcome<Value> MakeTrans(Host& host, const Value&, Arguments args) {
  if (args[1].is_unset()) return FromDict(host, args[0]);
  for (int i = 0; i < 3; ++i) {
    const Value& arg = args[static_cast<std::size_t>(i)];
    if (i == 0 && !arg.is_str()) {
      return TypeError("first maketrans argument must be a string if there is a second argument");
    }
    if (!arg.is_unset() && !arg.is_str()) return NotStr("maketrans", i + 1, arg);
  }
  if (args[0].As<Str>()->length() != args[1].As<Str>()->length()) {
    return ValueError("the first two maketrans arguments must have equal length");
  }
  const Value made = host.heap().New<Dict>();
  Dict& table = *made.As<Dict>();
  const std::string_view from = TextOf(args[0]), to = TextOf(args[1]);
  for (std::size_t i = 0, j = 0; i < from.size();) {
    ESP_TRY(host.Step());
    const Value key = PointAt(from, i);
    ESP_TRY(table.Put(host, key, PointAt(to, j)));
  }
  if (args[2].is_unset()) return made;
  const std::string_view gone = TextOf(args[2]);
  for (std::size_t i = 0; i < gone.size();) {
    ESP_TRY(host.Step());
    ESP_TRY(table.Put(host, PointAt(gone, i), Value()));
  }
  return made;
}

Outcome<Value> Translate(Host& host, const Value& self, Arguments args) {
  const std::string_view text = TextOf(self);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    ESP_TRY(host.Step());
    ESP_TRY(host.Reserve(static_cast<std::int64_t>(out.size())));
    const std::size_t start = at;
    const Value key = PointAt(text, at);
    Outcome<Value> to = GetItem(host, args[0], key);
    if (to.ok()) {
      ESP_TRY(Translated(*to, out));
    } else if (to.error().type == "KeyError" || to.error().type == "IndexError") {
      out += text.substr(start, at - start);
    } else {
      return to.TakeFault();
    }
  }
  return MakeValidStr(host.heap(), std::move(out));
}

}  // namespace espalier::lang::str_methods
