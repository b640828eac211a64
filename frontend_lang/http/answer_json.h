// AnswerJson: the JSON that a server sent, as something that may be anything.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace espalier {

// Values nest at most this deep: what copies, writes and destroys them recurses.
inline constexpr int kMaxAnswerDepth = 200;

// Discarded (is_discarded()) where the text is no JSON, or nests deeper than that.
nlohmann::json ParseAnswer(std::string_view text);

// The member of an object, or null where it is absent or `json` is no object.
const nlohmann::json& JsonAt(const nlohmann::json& json, std::string_view name);
std::int64_t JsonInt(const nlohmann::json& json, std::string_view name);    // or 0
std::string JsonString(const nlohmann::json& json, std::string_view name);  // or ""

}  // namespace espalier
