// JSON text <-> values, as Python's json module reads and writes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "frontend_lang/script/host.h"

namespace espalier::script {

// json.loads. A JSONDecodeError "Expecting value: line 1 column 1 (char 0)".
lang::Outcome<lang::Value> ReadJson(lang::Host& host, std::string_view text);

struct JsonStyle {
  std::optional<int> indent;
  bool ensure_ascii = true;
  bool sort_keys = false;
  std::string item_separator = ", ";  // "," where there is an indent
  std::string key_separator = ": ";
};

// json.dumps. A TypeError "Object of type set is not JSON serializable".
lang::Outcome<std::string> WriteJson(lang::Host& host, const lang::Value& value,
                                     const JsonStyle& style);

}  // namespace espalier::script
