#include "runtime/api/put_field.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

namespace espalier {

Status PutField(nlohmann::ordered_json& line, FieldNames& names, std::string_view key,
                std::string_view name, const nlohmann::ordered_json& value) {
  const auto given = line.find(key);
  if (given == line.end()) {
    line[std::string(key)] = value;
    if (name != key) names.emplace_back(key, name);
    return Status();
  }
  if (*given == value) return Status();
  const auto noted = std::find_if(names.begin(), names.end(),
                                  [key](const auto& pair) { return pair.first == key; });
  const std::string_view first = noted == names.end() ? key : std::string_view(noted->second);
  return Status(Code::kInvalidArgument,
                fmt::format("{} and {} are one option; give one of them", first, name));
}

}  // namespace espalier
