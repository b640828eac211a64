#include "runtime/cli/generate_flags.h"

#include <fstream>
#include <iostream>
#include <iterator>

#include <fmt/format.h>

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
  if (!flags.regex.empty()) return ConstraintSpec{ConstraintKind::kRegex, flags.regex, {}};
  if (!flags.choices.empty()) return ConstraintSpec{ConstraintKind::kChoice, "", flags.choices};
  if (!flags.json_schema_file.empty()) {
    ESP_ASSIGN_OR_RETURN(std::string text, ReadFile(flags.json_schema_file));
    return ConstraintSpec{ConstraintKind::kJsonSchema, std::move(text), {}};
  }
  if (flags.ebnf_file.empty()) return ConstraintSpec{};
  ESP_ASSIGN_OR_RETURN(std::string text, ReadFile(flags.ebnf_file));
  return ConstraintSpec{ConstraintKind::kEbnf, std::move(text), {}};
}

}  // namespace espalier
