// How pydantic spells its JSON Schemas: titles, and the order of keys.
//
// Thread safety: none needed; no state.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace espalier::script {

// "my_field" -> "My Field", as Python's title() has it: each run of letters begins large.
std::string TitleOf(std::string_view name);

// Keys in the order of the alphabet, but those of properties and defaults as they are.
nlohmann::ordered_json SortedSchema(const nlohmann::ordered_json& schema);

}  // namespace espalier::script
