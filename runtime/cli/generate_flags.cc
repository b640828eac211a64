#include "runtime/cli/generate_flags.h"

#include <algorithm>
#include <iterator>

#include "runtime/api/constraint_options.h"
#include "runtime/cli/read_file.h"

namespace espalier {

Result<ConstraintSpec> ReadConstraint(const GenerateFlags& flags) {
  const std::string* texts[] = {&flags.regex, &flags.json_schema, &flags.ebnf_file,
                                &flags.structural_tag};
  auto num_given = std::count_if(std::begin(texts), std::end(texts),
                                 [](const std::string* text) { return !text->empty(); });
  if (!flags.choices.empty()) ++num_given;
  if (num_given > 1) {
    return Status(Code::kInvalidArgument,
                  "at most one of --regex, --json-schema, --ebnf, --structural-tag and --choice "
                  "can be given");
  }
  ConstraintSpec spec;
  ESP_RETURN_IF_ERROR(SetJsonWhitespace(flags.json_whitespace, spec));
  ESP_RETURN_IF_ERROR(SetPropertyOrder(flags.property_order, spec));
  ESP_RETURN_IF_ERROR(SetFormatUse(flags.json_formats, spec));
  ESP_RETURN_IF_ERROR(SetJsonForms(flags.json_forms, spec));
  if (!flags.choices.empty()) {
    spec.kind = ConstraintKind::kChoice;
    spec.choices = flags.choices;
  } else if (!flags.regex.empty()) {
    spec.kind = ConstraintKind::kRegex;
    spec.text = flags.regex;
  } else if (!flags.json_schema.empty()) {
    spec.kind = ConstraintKind::kJsonSchema;
    ESP_ASSIGN_OR_RETURN(spec.text, ReadJsonOrFile(flags.json_schema));
  } else if (!flags.ebnf_file.empty()) {
    spec.kind = ConstraintKind::kEbnf;
    ESP_ASSIGN_OR_RETURN(spec.text, ReadFile(flags.ebnf_file));
  } else if (!flags.structural_tag.empty()) {
    spec.kind = ConstraintKind::kStructuralTag;
    ESP_ASSIGN_OR_RETURN(spec.text, ReadJsonOrFile(flags.structural_tag));
  }
  return spec;
}

}  // namespace espalier
