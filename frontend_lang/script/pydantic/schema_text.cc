#include "frontend_lang/script/pydantic/schema_text.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace espalier::script {

using Json = nlohmann::ordered_json;

std::string TitleOf(std::string_view name) {
  std::string out;
  bool inside = false;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = std::isalpha(byte) != 0 || byte >= 0x80;
    out += c == '_'           ? ' '
           : letter && inside ? static_cast<char>(std::tolower(byte))
           : letter           ? static_cast<char>(std::toupper(byte))
                              : c;
    inside = letter;
  }
  const std::size_t begin = std::min(out.find_first_not_of(' '), out.size());
  const std::size_t end = out.find_last_not_of(' ');
  return end == std::string::npos ? "" : out.substr(begin, end - begin + 1);
}

namespace {

enum class Keys { kByName, kAsTheyAre };

Json Sorted(const Json& json, Keys order) {
  if (json.is_array()) {
    Json sorted = Json::array();
    for (const Json& item : json) sorted.push_back(Sorted(item, Keys::kByName));
    return sorted;
  }
  if (!json.is_object()) return json;
  std::vector<std::string> keys;
  for (const auto& [key, item] : json.items()) keys.push_back(key);
  if (order == Keys::kByName) std::ranges::sort(keys);
  Json::object_t sorted;
  for (const std::string& key : keys) {
    const Json& item = json.at(key);
    sorted.Container::emplace_back(
        key, key == "default" || key == "examples"
                 ? item
                 : Sorted(item, key == "properties" ? Keys::kAsTheyAre : Keys::kByName));
  }
  return Json(std::move(sorted));
}

}  // namespace

Json SortedSchema(const Json& schema) { return Sorted(schema, Keys::kByName); }

}  // namespace espalier::script
