// Values <-> JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "frontend_lang/script/host.h"

namespace espalier::lang {

// Objects become dicts in their order. Broken UTF-8 is repaired; an integer beyond 64
// bits is an OverflowError.
Outcome<Value> FromJson(Host& host, const nlohmann::ordered_json& json);

// None bool int float str list tuple dict; a TypeError for anything else.
Outcome<nlohmann::ordered_json> ToJson(Host& host, const Value& value);

// How json.dumps writes.
struct JsonStyle {
  std::optional<std::string> indent;  // of one level
  std::string item_separator = ", ", key_separator = ": ";
  bool ensure_ascii = true;
  bool sort_keys = false;
};

// json.dumps(value): floats as repr writes them, NaN and Infinity as Python does.
Outcome<std::string> DumpJson(Host& host, const Value& value, const JsonStyle& style);

}  // namespace espalier::lang
