#include "runtime/cli/generate_flags.h"

#include <algorithm>
#include <iterator>

#include <CLI/CLI.hpp>

#include "runtime/api/constraint_options.h"
#include "runtime/cli/read_file.h"

namespace espalier {
namespace {

void DeclareJsonFlags(CLI::App& app, GenerateFlags& flags) {
  app.add_option("--json-whitespace", flags.json_whitespace,
                 "Between the tokens of JSON: fixed (', ' and ': '), compact or flexible")
      ->type_name("NAME")
      ->check(OneOf({"fixed", "compact", "flexible"}))
      ->group("Constraint");
  app.add_option("--property-order", flags.property_order,
                 "Of the properties of JSON objects: schema (as it lists them) or any")
      ->type_name("NAME")
      ->check(OneOf({"schema", "any"}))
      ->group("Constraint");
  app.add_option(
         "--json-formats", flags.json_formats,
         "The formats of strings that are asserted: known, all (another is refused) or none")
      ->type_name("NAME")
      ->check(OneOf({"known", "all", "none"}))
      ->group("Constraint");
  app.add_option("--json-forms", flags.json_forms,
                 "Of what a schema allows: plain (described properties, integers as digits) or any")
      ->type_name("NAME")
      ->check(OneOf({"plain", "any"}))
      ->group("Constraint");
}

}  // namespace

void DeclareConstraintFlags(CLI::App& app, GenerateFlags& flags) {
  app.add_option("--regex", flags.regex, "The output matches this")
      ->type_name("R")
      ->group("Constraint");
  app.add_option("--json-schema", flags.json_schema, "The output fits this schema: a file, or JSON")
      ->type_name("FILE")
      ->group("Constraint");
  app.add_option("--ebnf", flags.ebnf_file, "The output follows the grammar in FILE")
      ->type_name("FILE")
      ->group("Constraint");
  DeclareJsonFlags(app, flags);
  app.add_option("--structural-tag", flags.structural_tag,
                 "Free text with sections under constraints, such as tool calls: a file, or JSON")
      ->type_name("FILE")
      ->group("Constraint");
  AddRepeated(app, "--choice", flags.choices, "The output is one of these")
      ->type_name("TEXT")
      ->group("Constraint");
}

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
