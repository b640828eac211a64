// `espalier bench schemas`: the JSON Schema test suite. Is each instance accepted if and only
// if it is valid, however it is spelled?
//
// An instance is spelled in four ways, and a test is right if the verdicts on all four are.
// Cases run in child processes (run_apart.h). In the required part `format` is an
// annotation, in optional/format it is asserted. Refusing a schema that nothing satisfies is
// right for tests that are all invalid.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "runtime/cli/commands.h"
#include "runtime/cli/doubtful_labels.h"
#include "runtime/cli/flags.h"
#include "runtime/cli/json_spelling.h"
#include "runtime/cli/machine.h"
#include "runtime/cli/progress.h"
#include "runtime/cli/read_file.h"
#include "runtime/cli/run_apart.h"
#include "runtime/cli/schema_cases.h"
#include "runtime/cli/text_judge.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;
using Documents = std::map<std::string, std::string>;

constexpr std::string_view kRemoteUri = "http://localhost:1234/";

struct Flags {
  std::vector<std::string> folders;
  std::string draft = "2020-12";
  std::string jsonl;
  int timeout_s = 60;
  CommonFlags common;
};

// A part of the suite: the folder below that of the draft, and where its counts stand.
struct Part {
  const char* folder;
  const char* key;  // empty: at the top of the report
  FormatUse format;
};
constexpr Part kParts[] = {{"", "", FormatUse::kAnnotate},
                           {"optional", "optional", FormatUse::kAnnotate},
                           {"optional/format", "optional_format", FormatUse::kAssert}};

struct Item {
  const Part* part;
  std::string file;
  SchemaCase of;
};

Result<std::shared_ptr<const Documents>> ReadRemotes(const std::string& suite) {
  namespace fs = std::filesystem;
  auto documents = std::make_shared<Documents>();
  const fs::path root = fs::path(suite) / "remotes";
  std::error_code error;
  for (fs::recursive_directory_iterator entry(root, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() != ".json") continue;
    ESP_ASSIGN_OR_RETURN(std::string text, ReadFile(entry->path().string()));
    const std::string name = entry->path().lexically_relative(root).generic_string();
    documents->emplace(std::string(kRemoteUri) + name, std::move(text));
  }
  return std::shared_ptr<const Documents>(std::move(documents));
}

Status AddItems(const Part& part, const std::string& suite, const std::string& draft,
                std::vector<Item>& items) {
  const std::string folder = fmt::format("{}/tests/draft{}/{}", suite, draft, part.folder);
  if (*part.key != '\0' && !std::filesystem::exists(folder)) return Status();
  ESP_ASSIGN_OR_RETURN(const std::vector<std::string> files, JsonFiles({folder}));
  for (const std::string& file : files) {
    ESP_ASSIGN_OR_RETURN(std::vector<SchemaCase> cases, ReadSchemaCases(file));
    for (SchemaCase& of : cases) items.push_back({&part, file, std::move(of)});
  }
  return Status();
}

// ---- in a child: one case

std::vector<std::string> Spellings(const std::string& instance, std::uint64_t seed) {
  using Whitespace = JsonSpelling::Whitespace;
  using Escapes = JsonSpelling::Escapes;
  return {Respell(instance, {.whitespace = Whitespace::kNone}),
          Respell(instance, {.whitespace = Whitespace::kAfterSeparators}),
          Respell(instance, {.whitespace = Whitespace::kRandom, .seed = seed}),
          Respell(instance, {.escapes = Escapes::kRandom, .seed = seed})};
}

// {"status", "spelling"?}: the first spelling with a wrong verdict.
Json JudgeTest(const TextJudge& judge, const SchemaTest& test, std::uint64_t seed) {
  for (const std::string& text : Spellings(test.instance, seed)) {
    const Result<bool> accepted = judge.Accepts(text);
    if (!accepted.ok()) return {{"status", "limit"}, {"reason", accepted.status().message()}};
    if (*accepted == test.valid) continue;
    return {{"status", test.valid ? "false_negative" : "false_positive"}, {"spelling", text}};
  }
  return {{"status", "right"}};
}

Json RefusedTests(const SchemaCase& of, const Status& why) {
  const bool all_invalid =
      std::none_of(of.tests.begin(), of.tests.end(), [](const auto& test) { return test.valid; });
  const bool unsatisfiable = why.code() == Code::kInvalidArgument && all_invalid;
  const char* status = unsatisfiable ? "right" : why.code() == Code::kLimit ? "limit" : "refused";
  return Json(of.tests.size(), Json{{"status", status}, {"reason", why.message()}});
}

class SuiteJudge {
 public:
  SuiteJudge(std::string draft, std::shared_ptr<const Documents> documents)
      : draft_(std::move(draft)), documents_(std::move(documents)), bytes_(ByteVocabulary()) {}

  // [{"status", ...}], one a test
  Json Judge(const Item& item) const {
    ConstraintSpec spec = SchemaToJudge(item.of.schema);
    spec.format = item.part->format;
    spec.default_draft = draft_;
    spec.documents = documents_;
    const Result<TextJudge> judge = TextJudge::Make(spec, bytes_);
    if (!judge.ok()) return RefusedTests(item.of, judge.status());
    Json answers = Json::array();
    for (const SchemaTest& test : item.of.tests) {
      answers.push_back(JudgeTest(*judge, test, answers.size()));
    }
    return answers;
  }

 private:
  const std::string draft_;
  const std::shared_ptr<const Documents> documents_;
  const std::shared_ptr<const Vocabulary> bytes_;
};

// ---- in the parent: all cases

constexpr const char* kCounts[] = {"tests",   "right",      "false_positives", "false_negatives",
                                   "refused", "limit_hits", "crashes",         "quarantined"};

Json NoCounts() {
  Json counts;
  for (const char* key : kCounts) counts[key] = 0;
  return counts;
}

std::string CountOf(std::string_view status) {
  constexpr std::pair<std::string_view, std::string_view> kKeys[] = {
      {"false_positive", "false_positives"},
      {"false_negative", "false_negatives"},
      {"limit", "limit_hits"},
      {"crash", "crashes"}};
  for (const auto& [name, key] : kKeys) {
    if (status == name) return std::string(key);
  }
  return std::string(status);
}

// One row a test: {"file", "case", "test", "valid", "status", ...}
std::vector<Json> Rows(const Item& item, const ApartResult& result) {
  const Json answers =
      result.death.empty()
          ? Json::parse(result.result)
          : Json(item.of.tests.size(), Json{{"status", "crash"}, {"reason", result.death}});
  std::vector<Json> rows;
  for (std::size_t i = 0; i < item.of.tests.size(); ++i) {
    const SchemaTest& test = item.of.tests[i];
    Json row = {{"file", item.file},
                {"case", item.of.description},
                {"test", test.description},
                {"valid", test.valid}};
    row.update(answers[i]);
    const auto doubt = DoubtAbout(item.file, item.of.description, test.description);
    if (!doubt.empty()) row.update({{"status", "quarantined"}, {"reason", doubt}});
    rows.push_back(std::move(row));
  }
  return rows;
}

void Count(const Json& row, Json& counts) {
  const std::string key = CountOf(row["status"].get_ref<const std::string&>());
  if (key != "quarantined") counts["tests"] = counts["tests"].get<int>() + 1;
  counts[key] = counts.value(key, 0) + 1;
}

std::string Table(const Json& report) {
  std::string table = fmt::format("draft {}\n{:<18}", report["draft"].get<std::string>(), "");
  for (const char* key : kCounts) table += fmt::format("{:>16}", key);
  for (const Part& part : kParts) {
    const Json& counts = *part.key == '\0' ? report : report[part.key];
    table += fmt::format("\n{:<18}", *part.key == '\0' ? "required" : part.folder);
    for (const char* key : kCounts) table += fmt::format("{:>16}", counts[key].get<int>());
  }
  return table + "\n";
}

Result<std::vector<Item>> ReadItems(const Flags& flags) {
  std::vector<Item> items;
  for (const Part& part : kParts) {
    for (const std::string& suite : flags.folders) {
      ESP_RETURN_IF_ERROR(AddItems(part, suite, flags.draft, items));
    }
  }
  return items;
}

Result<ExitCode> Run(const Flags& flags) {
  ESP_ASSIGN_OR_RETURN(const std::vector<Item> items, ReadItems(flags));
  ESP_ASSIGN_OR_RETURN(auto documents, ReadRemotes(flags.folders.front()));
  const SuiteJudge judge(flags.draft, std::move(documents));
  std::ofstream jsonl;
  if (!flags.jsonl.empty()) {
    jsonl.open(flags.jsonl);
    if (!jsonl) return Status(Code::kInvalidArgument, "--jsonl " + flags.jsonl + ": cannot write");
  }
  Json report = {{"draft", flags.draft}};
  report.update(NoCounts());
  for (const Part& part : kParts) {
    if (*part.key != '\0') report[part.key] = NoCounts();
  }
  Progress progress(std::chrono::milliseconds(0));
  const ApartWork work{.num_items = items.size(),
                       .work = [&](std::size_t i) { return judge.Judge(items[i]).dump(); },
                       .limit = std::chrono::seconds(flags.timeout_s)};
  ESP_RETURN_IF_ERROR(RunApart(work, [&](std::size_t i, const ApartResult& result) {
    const Part& part = *items[i].part;
    for (const Json& row : Rows(items[i], result)) {
      Count(row, *part.key == '\0' ? report : report[part.key]);
      if (jsonl.is_open()) jsonl << JsonLine(row);
    }
    progress.Draw(static_cast<double>(i + 1) / static_cast<double>(items.size()),
                  fmt::format("{} of {} schemas", i + 1, items.size()));
    return Status();
  }));
  progress.Clear();
  ESP_RETURN_IF_ERROR(flags.common.json ? WriteJson(report) : WriteOut(Table(report)));
  return ExitCode::kDone;
}

}  // namespace

CommandBody DeclareBenchSchemas(CLI::App& app) {
  auto flags = std::make_shared<Flags>();
  app.add_option("DIR", flags->folders, "Folders laid out as JSON-Schema-Test-Suite")->required();
  app.add_option("--draft", flags->draft, "4, 6, 7, 2019-09 or 2020-12")
      ->type_name("D")
      ->check(OneOf({"4", "6", "7", "2019-09", "2020-12"}));
  app.add_option("--jsonl", flags->jsonl, "Write a line a test here")->type_name("OUT");
  app.add_option("--timeout", flags->timeout_s, "Seconds of one schema before it counts as a crash")
      ->type_name("SECONDS")
      ->check(WholeNumber(1, 86400));
  AddJsonFlag(app, flags->common);
  return [flags] { return Run(*flags); };
}

}  // namespace espalier
