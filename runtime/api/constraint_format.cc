#include "runtime/api/constraint_format.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "runtime/local/json_text.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

Status Wrong(std::string_view name) {
  return {Code::kInvalidArgument,
          fmt::format("{} must be an object or a string that holds one", name)};
}

// Some send an object as its text.
Result<Json> Parsed(std::string_view name, Json value) {
  if (!value.is_string()) return value;
  Result<Json> parsed = ParseJson(value.get_ref<const std::string&>());
  if (!parsed.ok()) return Wrong(name);
  return parsed;
}

Result<Json> OfSchema(std::string_view name, Json value) {
  ESP_ASSIGN_OR_RETURN(Json schema, Parsed(name, std::move(value)));
  if (!schema.is_object() && !schema.is_boolean()) return Wrong(name);
  return Json{{"type", "json_schema"}, {"json_schema", std::move(schema)}};
}

Result<Json> OfRegex(std::string_view name, Json value) {
  if (value.is_string()) return Json{{"type", "regex"}, {"pattern", std::move(value)}};
  return Status(Code::kInvalidArgument, fmt::format("{} must be a string", name));
}

Result<Json> OfGrammar(std::string_view name, Json value) {
  if (value.is_string()) return Json{{"type", "grammar"}, {"grammar", std::move(value)}};
  return Status(Code::kInvalidArgument, fmt::format("{} must be a string", name));
}

Result<Json> OfTag(std::string_view name, Json value) {
  ESP_ASSIGN_OR_RETURN(Json tag, Parsed(name, std::move(value)));
  if (tag.is_object() && tag.contains("format")) return std::move(tag["format"]);
  return Status(Code::kInvalidArgument, fmt::format("{} must have a format here", name));
}

struct Row {
  const char* key;
  Result<Json> (*make)(std::string_view name, Json value);
};
constexpr Row kRows[] = {
    {"json_schema", OfSchema}, {"regex", OfRegex}, {"ebnf", OfGrammar}, {"structural_tag", OfTag}};

}  // namespace

Result<Json> TakeConstraintFormat(Json& line) {
  Json format;
  for (const Row& row : kRows) {
    const auto found = line.find(row.key);
    if (found == line.end()) continue;
    if (!format.is_null()) {
      return Status(Code::kInvalidArgument,
                    fmt::format("{} must not come with another constraint", row.key));
    }
    ESP_ASSIGN_OR_RETURN(format, row.make(row.key, std::move(*found)));
    line.erase(row.key);
  }
  return format;
}

}  // namespace espalier
