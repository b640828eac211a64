#include "runtime/api/json_fields.h"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

Status Wrong(std::string_view name, std::string_view must_be) {
  return Invalid(fmt::format("{} must be {}", name, must_be));
}

}  // namespace

Status Invalid(std::string message) { return {Code::kInvalidArgument, std::move(message)}; }

Status ReadBool(std::string_view name, const Json& value, bool& to) {
  if (!value.is_boolean()) return Wrong(name, "true or false");
  to = value.get<bool>();
  return Status();
}

Status ReadText(std::string_view name, const Json& value, std::string& to) {
  if (!value.is_string()) return Wrong(name, "a string");
  to = value.get<std::string>();
  return Status();
}

Status ReadSeconds(std::string_view name, const Json& value, double& to) {
  constexpr double kMost = 1e6;
  if (!value.is_number() || value.get<double>() <= 0 || value.get<double>() > kMost) {
    return Wrong(name, "a number of seconds above 0, and at most a million");
  }
  to = value.get<double>();
  return Status();
}

}  // namespace espalier
