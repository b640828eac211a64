#include "grammar/tags/json_fields.h"

#include <algorithm>
#include <cstdint>

namespace espalier {
namespace {

std::string_view KindName(Json::Kind kind) {
  switch (kind) {
    case Json::Kind::kString: return "a string";
    case Json::Kind::kArray: return "an array";
    case Json::Kind::kObject: return "an object";
    case Json::Kind::kNumber: return "a number";
    default: return "true or false";
  }
}

}  // namespace

Status JsonFields::Error(std::string_view name, std::string_view message, Code code) const {
  return Status(code, PointerTo(name) + " " + std::string(message));
}

Status JsonFields::CheckNames(std::initializer_list<std::string_view> names) const {
  for (const auto& [name, value] : object_.members) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      return Error(name, "is not supported here", Code::kUnsupported);
    }
  }
  return Status();
}

Result<const Json*> JsonFields::Member(std::string_view name, Json::Kind kind) const {
  const Json* member = object_.Find(name);
  if (member == nullptr) return Error(name, "is missing");
  if (member->kind != kind) return Error(name, "must be " + std::string(KindName(kind)));
  return member;
}

Result<std::string> JsonFields::String(std::string_view name) const {
  ESP_ASSIGN_OR_RETURN(const Json* member, Member(name, Json::Kind::kString));
  return member->string;
}

Result<std::optional<bool>> JsonFields::Flag(std::string_view name) const {
  const Json* member = object_.Find(name);
  if (member == nullptr) return std::optional<bool>();
  if (!member->is_boolean()) return Error(name, "must be true or false");
  return std::optional<bool>(member->kind == Json::Kind::kTrue);
}

Result<std::vector<std::string>> JsonFields::Strings(std::string_view name) const {
  std::vector<std::string> strings;
  if (object_.Find(name) == nullptr) return strings;
  ESP_ASSIGN_OR_RETURN(const Json* member, Member(name, Json::Kind::kArray));
  for (const Json& element : member->elements) {
    if (element.kind != Json::Kind::kString || element.string.empty()) {
      return Error(name, "must hold strings that are not empty");
    }
    strings.push_back(element.string);
  }
  return strings;
}

}  // namespace espalier
