#include "runtime/api/constraint_options.h"

#include <fmt/format.h>

namespace espalier {

Status SetJsonWhitespace(std::string_view name, ConstraintSpec& to) {
  constexpr std::pair<std::string_view, JsonWhitespace> kNames[] = {
      {"fixed", JsonWhitespace::kFixed},
      {"compact", JsonWhitespace::kCompact},
      {"flexible", JsonWhitespace::kFlexible},
  };
  for (const auto& [known, whitespace] : kNames) {
    if (known != name) continue;
    to.whitespace = whitespace;
    return Status();
  }
  return Status(Code::kInvalidArgument,
                fmt::format("json_whitespace '{}' is not fixed, compact or flexible", name));
}

Status SetPropertyOrder(std::string_view name, ConstraintSpec& to) {
  if (name != "schema" && name != "any") {
    return Status(Code::kInvalidArgument,
                  fmt::format("property_order '{}' is not schema or any", name));
  }
  to.order = name == "any" ? PropertyOrder::kAny : PropertyOrder::kSchema;
  return Status();
}

Status SetFormatUse(std::string_view name, ConstraintSpec& to) {
  constexpr std::pair<std::string_view, FormatUse> kNames[] = {
      {"known", FormatUse::kAssert},
      {"all", FormatUse::kAssertAll},
      {"none", FormatUse::kAnnotate},
  };
  for (const auto& [known, use] : kNames) {
    if (known != name) continue;
    to.format = use;
    return Status();
  }
  return Status(Code::kInvalidArgument,
                fmt::format("json_formats '{}' is not known, all or none", name));
}

Status SetJsonForms(std::string_view name, ConstraintSpec& to) {
  if (name != "plain" && name != "any") {
    return Status(Code::kInvalidArgument, fmt::format("json_forms '{}' is not plain or any", name));
  }
  to.forms = name == "any" ? JsonForms::kAny : JsonForms::kPlain;
  return Status();
}

}  // namespace espalier
