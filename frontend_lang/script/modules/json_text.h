// JSON text <-> values, as Python's json module reads and writes it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "frontend_lang/script/values/host.h"

namespace espalier::lang {

// How json.dumps writes.
struct JsonStyle {
  std::optional<std::string> indent;  // of one level; the item separator is then ","
  std::string item_separator = ", ", key_separator = ": ";
  bool ensure_ascii = true;
  bool sort_keys = false;
  bool allow_nan = true;  // false: a ValueError for what JSON has no number for
  bool skip_keys = false;
  // kPydantic: null where JSON has no number, and 1e-7 where Python writes 1e-07.
  enum class Numbers : unsigned char { kPython, kPydantic } numbers = Numbers::kPython;
  Value fallback;  // a function that makes something else of what has no JSON form, or None
};

// json.dumps: floats as repr writes them, NaN and Infinity as Python does. A TypeError
// "Object of type set is not JSON serializable"; a ValueError for a cycle.
Outcome<std::string> WriteJson(Host& host, const Value& value, const JsonStyle& style);

}  // namespace espalier::lang

namespace espalier::script {

using lang::JsonStyle;
using lang::WriteJson;

// The functions that json.loads calls for what it reads; each may be None.
struct JsonHooks {
  lang::Value object_hook, object_pairs_hook;
  lang::Value parse_float, parse_int, parse_constant;
  bool strict = true;  // control characters in strings are errors
};

// json.loads. A JSONDecodeError "Expecting value: line 1 column 1 (char 0)".
lang::Outcome<lang::Value> ReadJson(lang::Host& host, std::string_view text,
                                    const JsonHooks& hooks = {});

// The value that begins at the byte `begin`, and where it ends.
struct JsonPrefix {
  lang::Value value;
  std::size_t end = 0;
};
lang::Outcome<JsonPrefix> ReadJsonPrefix(lang::Host& host, std::string_view text, std::size_t begin,
                                         const JsonHooks& hooks = {});

}  // namespace espalier::script
