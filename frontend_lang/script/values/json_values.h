// Values <-> JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "frontend_lang/script/values/host.h"

namespace espalier::lang {

// Objects become dicts in their order. Broken UTF-8 is repaired; an integer beyond 64
// bits is an OverflowError.
Outcome<Value> FromJson(Host& host, const nlohmann::ordered_json& json);

// None bool int float str list tuple dict; a TypeError for anything else.
Outcome<nlohmann::ordered_json> ToJson(Host& host, const Value& value);

}  // namespace espalier::lang
