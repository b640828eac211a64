#include "frontend_lang/http/answer_json.h"

namespace espalier {
namespace {

using Json = nlohmann::json;

// Brackets within brackets, strings left out. Of a text that is no JSON: some number.
int DepthOf(std::string_view text) {
  int depth = 0, deepest = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i) {
        if (text[i] == '\\') ++i;
      }
    } else if (c == '[' || c == '{') {
      if (++depth > deepest) deepest = depth;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return deepest;
}

}  // namespace

Json ParseAnswer(std::string_view text) {
  if (DepthOf(text) > kMaxAnswerDepth) return Json(Json::value_t::discarded);
  return Json::parse(text, nullptr, false);
}

const Json& JsonAt(const Json& json, std::string_view name) {
  static const Json kNull;
  if (!json.is_object()) return kNull;
  const auto found = json.find(name);
  return found == json.end() ? kNull : *found;
}

std::int64_t JsonInt(const Json& json, std::string_view name) {
  const Json& value = JsonAt(json, name);
  return value.is_number_integer() ? value.get<std::int64_t>() : 0;
}

std::string JsonString(const Json& json, std::string_view name) {
  const Json& value = JsonAt(json, name);
  return value.is_string() ? value.get<std::string>() : std::string();
}

}  // namespace espalier
