#include "runtime/cli/generate_flags.h"

#include <fstream>
#include <iostream>
#include <iterator>

#include <fmt/format.h>

#include "runtime/cli/constraint_options.h"

namespace espalier {

Result<std::string> ReadFile(const std::string& path) {
  if (path == "-") {
    return std::string(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>());
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return Status(Code::kNotFound, fmt::format("{}: cannot be opened", path));
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (file.bad()) return Status(Code::kDataLoss, fmt::format("{}: cannot be read", path));
  return text;
}

Result<ConstraintSpec> ReadConstraint(const GenerateFlags& flags) {
  const int num_given = (flags.regex.empty() ? 0 : 1) + (flags.json_schema_file.empty() ? 0 : 1) +
                        (flags.ebnf_file.empty() ? 0 : 1) + (flags.choices.empty() ? 0 : 1);
  if (num_given > 1) {
    return Status(Code::kInvalidArgument,
                  "at most one of --regex, --json-schema, --ebnf and --choice can be given");
  }
  ConstraintSpec spec;
  ESP_RETURN_IF_ERROR(SetJsonWhitespace(flags.json_whitespace, spec));
  ESP_RETURN_IF_ERROR(SetPropertyOrder(flags.property_order, spec));
  if (!flags.choices.empty()) {
    spec.kind = ConstraintKind::kChoice;
    spec.choices = flags.choices;
  } else if (!flags.regex.empty()) {
    spec.kind = ConstraintKind::kRegex;
    spec.text = flags.regex;
  } else if (!flags.json_schema_file.empty()) {
    spec.kind = ConstraintKind::kJsonSchema;
    ESP_ASSIGN_OR_RETURN(spec.text, ReadFile(flags.json_schema_file));
  } else if (!flags.ebnf_file.empty()) {
    spec.kind = ConstraintKind::kEbnf;
    ESP_ASSIGN_OR_RETURN(spec.text, ReadFile(flags.ebnf_file));
  }
  return spec;
}

}  // namespace espalier
