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

void AppendQuoted(std::string_view text, std::string& out) {
  constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<std::uint8_t>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20) {
      out += "\\u00";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

void Append(const Json& value, std::string& out);

void AppendMembers(const Json& object, std::string& out) {
  out += '{';
  for (std::size_t i = 0; i < object.members.size(); ++i) {
    if (i > 0) out += ',';
    AppendQuoted(object.members[i].name, out);
    out += ':';
    Append(object.members[i].value, out);
  }
  out += '}';
}

void Append(const Json& value, std::string& out) {
  switch (value.kind) {
    case Json::Kind::kNull: out += "null"; break;
    case Json::Kind::kFalse: out += "false"; break;
    case Json::Kind::kTrue: out += "true"; break;
    case Json::Kind::kNumber: out += value.number.ToString(); break;
    case Json::Kind::kString: AppendQuoted(value.string, out); break;
    case Json::Kind::kArray:
      out += '[';
      for (std::size_t i = 0; i < value.elements.size(); ++i) {
        if (i > 0) out += ',';
        Append(value.elements[i], out);
      }
      out += ']';
      break;
    case Json::Kind::kObject: AppendMembers(value, out);
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

std::string JsonText(const Json& value) {
  std::string text;
  Append(value, text);
  return text;
}

}  // namespace espalier
