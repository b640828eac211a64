// Parsing JSON that came from outside.
//
// Thread safety: pure functions.
#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

#include "kernels/base/status.h"

namespace espalier {

// kInvalidArgument with the position if `text` is not JSON, is not valid UTF-8, or is
// nested deeper than 100.
Result<nlohmann::ordered_json> ParseJson(std::string_view text);

}  // namespace espalier
