// `espalier inspect schema`: what of a JSON schema is enforced, all of it at once, and what
// is not, each with its JSON pointer.
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "grammar/limits.h"
#include "grammar/schema/schema_network.h"
#include "runtime/api/constraint_options.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/flags.h"
#include "runtime/cli/read_file.h"
#include "runtime/cli/schema_cases.h"
#include "runtime/cli/schema_keywords.h"

namespace espalier {
namespace {

using nlohmann::ordered_json;

struct Flags {
  std::vector<std::string> files;
  std::string json_formats = "known";
  CommonFlags common;
};

struct FileReport {
  SchemaReport checked;
  std::vector<KeywordPlace> enforced;  // empty where the schema is refused
};

FileReport Inspect(const std::string& text, FormatUse format) {
  FileReport report;
  report.checked = CheckSchema(text, {}, {.format = format}, GrammarLimits().compile_steps);
  const auto& [problems, unasserted] = report.checked;
  if (!problems.empty()) return report;
  const Result<SchemaDocument> document = SchemaDocument::Parse(text, {});
  if (document.ok()) report.enforced = AssertedKeywords(*document, unasserted);
  return report;
}

// "ok"; "limit" if it is only too large; else "refused".
std::string_view StatusOf(const SchemaReport& report) {
  std::string_view status = "ok";
  for (const SchemaProblem& problem : report.problems) {
    if (problem.code != Code::kLimit) return "refused";
    status = "limit";
  }
  return status;
}

ordered_json ToJson(const std::string& file, const FileReport& report) {
  ordered_json problems = ordered_json::array();
  for (const SchemaProblem& problem : report.checked.problems) {
    problems.push_back({{"code", CodeName(problem.code)},
                        {"pointer", problem.pointer},
                        {"message", problem.message}});
  }
  ordered_json enforced = ordered_json::array();
  for (const KeywordPlace& place : report.enforced) {
    enforced.push_back({{"pointer", place.pointer}, {"keyword", place.keyword}});
  }
  return {{"file", file},
          {"status", StatusOf(report.checked)},
          {"refused", std::move(problems)},
          {"not_asserted", report.checked.unasserted},
          {"enforced", std::move(enforced)}};
}

std::string Place(const std::string& pointer) { return pointer.empty() ? "(root)" : pointer; }

// For people: a line a keyword.
std::string ToText(const std::string& file, const FileReport& report) {
  std::string text = fmt::format("{}: {}\n", file, StatusOf(report.checked));
  for (const SchemaProblem& problem : report.checked.problems) {
    text += fmt::format("  refused       {}: {}\n", Place(problem.pointer), problem.message);
  }
  for (const std::string& pointer : report.checked.unasserted) {
    text += fmt::format("  not asserted  {}\n", Place(pointer));
  }
  for (const KeywordPlace& place : report.enforced) {
    text += fmt::format("  exact         {}\n", Place(place.pointer));
  }
  return text;
}

Result<ExitCode> Run(const Flags& flags) {
  ExitCode code = ExitCode::kDone;
  ConstraintSpec asked;
  ESP_RETURN_IF_ERROR(SetFormatUse(flags.json_formats, asked));
  for (const std::string& file : flags.files) {
    ESP_ASSIGN_OR_RETURN(const std::string text, ReadFile(file));
    const FileReport report = Inspect(text, asked.format);
    if (!report.checked.problems.empty()) code = ExitCode::kBadInput;
    ESP_RETURN_IF_ERROR(flags.common.json ? WriteJson(ToJson(file, report))
                                          : WriteOut(ToText(file, report)));
  }
  return code;
}

}  // namespace

CommandBody DeclareInspectSchema(CLI::App& app) {
  auto flags = std::make_shared<Flags>();
  app.add_option("FILE", flags->files, "JSON schemas; '-': stdin")->required();
  app.add_option(
         "--json-formats", flags->json_formats,
         "The formats of strings that are asserted: known, all (another is refused) or none")
      ->type_name("NAME")
      ->check(OneOf({"known", "all", "none"}));
  AddJsonFlag(app, flags->common);
  return [flags] { return Run(*flags); };
}

}  // namespace espalier
