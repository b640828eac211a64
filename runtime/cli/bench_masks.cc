// `espalier bench masks`: MaskBench. Each schema is compiled for a real vocabulary, and its
// instances are walked token by token: are the verdicts right, and what does a mask cost?
//
// A file passes when every valid instance is accepted to its end, where the output may end,
// and every invalid one is stopped somewhere. Schemas are judged with properties in any
// order; times are also taken in schema order. Files run in child processes (run_apart.h).
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "runtime/cli/commands.h"
#include "runtime/cli/flags.h"
#include "runtime/cli/load_tokenizer.h"
#include "runtime/cli/machine.h"
#include "runtime/cli/mask_walk.h"
#include "runtime/cli/percentiles.h"
#include "runtime/cli/progress.h"
#include "runtime/cli/run_apart.h"
#include "runtime/cli/schema_cases.h"
#include "runtime/cli/text_judge.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

struct Flags {
  std::vector<std::string> folders;
  std::string tokenizer;
  std::string jsonl;
  int timeout_s = 60;
  CommonFlags common;
};

// ---- in a child: one file

Json TimesJson(const WalkReport& report) {
  if (!report.compiled.ok()) return nullptr;
  return {{"compile_us", report.compile_us},
          {"first_mask_us", report.first_mask_us},
          {"mask_us", report.mask_us}};
}

void JudgeTests(const SchemaCase& of, const WalkReport& report, Json& row) {
  int false_positives = 0;
  int false_negatives = 0;
  Json wrong = Json::array();
  for (std::size_t i = 0; i < of.tests.size(); ++i) {
    const SchemaTest& test = of.tests[i];
    if (report.verdicts[i] == Verdict::kUndecided) continue;
    if ((report.verdicts[i] == Verdict::kAccepted) == test.valid) continue;
    ++(test.valid ? false_negatives : false_positives);
    wrong.push_back({{"test", i}, {"valid", test.valid}, {"description", test.description}});
  }
  row["status"] = !report.limit.ok() ? "limit" : wrong.empty() ? "passed" : "wrong";
  if (!report.limit.ok()) row["reason"] = report.limit.message();
  row["false_positives"] = false_positives;
  row["false_negatives"] = false_negatives;
  row["mask_mismatches"] = report.num_mismatches;
  if (!wrong.empty()) row["wrong"] = std::move(wrong);
}

// As requests ask by default, so that structure is forced.
Json ForcedJson(const MaskWalk& walk, const SchemaCase& of) {
  ConstraintSpec spec;
  spec.kind = ConstraintKind::kJsonSchema;
  spec.text = of.schema;
  const ForcedShare share = walk.CountForced(spec, of);
  return {{"num_tokens", share.num_tokens}, {"forced_tokens", share.num_forced}};
}

// {"row": what the file's line of --jsonl says, "any_order": times, "schema_order": times,
// "forced": what jump-forward gives}
Json MeasureCase(MaskWalk& walk, const SchemaCase& of) {
  ConstraintSpec spec = SchemaToJudge(of.schema);
  const WalkReport report = walk.Run(spec, of);
  Json row = {{"schema_bytes", of.schema.size()}};
  if (report.compiled.ok()) {
    JudgeTests(of, report, row);
  } else {
    row["status"] = report.compiled.code() == Code::kLimit ? "limit" : "refused";
    row["reason"] = report.compiled.message();
  }
  spec.order = PropertyOrder::kSchema;
  return {{"row", std::move(row)},
          {"any_order", TimesJson(report)},
          {"schema_order", TimesJson(walk.Run(spec, of))},
          {"forced", ForcedJson(walk, of)}};
}

std::string MeasureFile(MaskWalk& walk, const std::string& path) {
  const auto cases = ReadSchemaCases(path);
  if (cases.ok() && cases->size() == 1) return MeasureCase(walk, cases->front()).dump();
  const std::string reason = cases.ok() ? "not a file of one schema" : cases.status().message();
  return Json{{"row", {{"status", "unreadable"}, {"reason", reason}}}}.dump();
}

// ---- in the parent: all files

class Times {
 public:
  void Add(const Json& times) {
    if (times.is_null()) return;
    compile_us_.push_back(times["compile_us"]);
    first_mask_us_.push_back(times["first_mask_us"]);
    for (const Json& time : times["mask_us"]) mask_us_.push_back(time);
  }

  std::size_t num_masks() const { return mask_us_.size(); }

  void Report(Json& out) const {
    out["compile_us"] = PercentilesJson(compile_us_);
    out["first_mask_us"] = PercentilesJson(first_mask_us_);
    out["mask_us"] = PercentilesJson(mask_us_);
  }

 private:
  std::vector<double> compile_us_, first_mask_us_, mask_us_;
};

class Tally {
 public:
  // Adds a file's outcome; returns its line of --jsonl.
  Json Add(const std::string& path, const ApartResult& result) {
    Json row = {{"file", path}};
    if (!result.death.empty()) {
      row.update({{"status", "crash"}, {"reason", result.death}});
      Count(row, nullptr);
      return row;
    }
    const Json outcome = Json::parse(result.result);
    row.update(outcome["row"]);
    const Json times = outcome.value("any_order", Json());
    Count(row, times);
    any_order_.Add(times);
    schema_order_.Add(outcome.value("schema_order", Json()));
    const Json forced = outcome.value("forced", Json::object());
    for (const auto& [key, count] : forced.items()) {
      forced_[key] = forced_.value(key, std::int64_t{0}) + count.get<std::int64_t>();
    }
    if (times.is_null()) return row;
    row["num_tokens"] = times["mask_us"].size();
    row["compile_us"] = times["compile_us"];
    row["first_mask_us"] = times["first_mask_us"];
    row["mask_us"] = PercentilesJson(times["mask_us"]);
    return row;
  }

  Json Report() const {
    Json report = counts_;
    report["num_tokens"] = any_order_.num_masks();
    any_order_.Report(report);
    schema_order_.Report(report["schema_order"]);
    report["forced"] = forced_;
    report["forced"]["share"] =
        forced_["forced_tokens"].get<double>() / std::max(forced_["num_tokens"].get<double>(), 1.0);
    return report;
  }

 private:
  void Count(const Json& row, const Json& times) {
    const std::string status = row["status"];
    Increase("files", 1);
    Increase("compiled", times.is_null() ? 0 : 1);
    for (const auto& [key, counted] : {std::pair{"passed", "passed"},
                                       {"refused", "refused"},
                                       {"limit_hits", "limit"},
                                       {"crashes", "crash"},
                                       {"unreadable", "unreadable"}}) {
      Increase(key, status == counted ? 1 : 0);
    }
    for (const char* key : {"false_positives", "false_negatives", "mask_mismatches"}) {
      Increase(key, row.value(key, 0));
    }
  }

  void Increase(const std::string& key, int by) { counts_[key] = counts_.value(key, 0) + by; }

  Json counts_ = {{"files", 0},      {"compiled", 0},        {"passed", 0},
                  {"refused", 0},    {"false_positives", 0}, {"false_negatives", 0},
                  {"limit_hits", 0}, {"crashes", 0}};
  Times any_order_, schema_order_;
  Json forced_ = {{"num_tokens", 0}, {"forced_tokens", 0}};
};

std::string Table(const Json& report) {
  std::string table;
  for (const auto& [key, value] : report.items()) {
    if (value.is_number()) table += fmt::format("{:<16} {:>10}\n", key, value.dump());
  }
  table += fmt::format("\n{:<28} {:>10} {:>10} {:>10} {:>10}\n", "microseconds", "p50", "p90",
                       "p99", "max");
  const auto add = [&](const std::string& what, const Json& times) {
    for (const char* key : {"compile_us", "first_mask_us", "mask_us"}) {
      const Json& row = times[key];
      table += fmt::format("{:<28} {:>10.1f} {:>10.1f} {:>10.1f} {:>10.1f}\n", what + key,
                           row["p50"].get<double>(), row["p90"].get<double>(),
                           row["p99"].get<double>(), row["max"].get<double>());
    }
  };
  add("", report);
  add("schema order, ", report["schema_order"]);
  table +=
      fmt::format("\nforced by jump-forward, with default whitespace: {} of {} tokens ({:.1f} %)\n",
                  report["forced"]["forced_tokens"].dump(), report["forced"]["num_tokens"].dump(),
                  100 * report["forced"]["share"].get<double>());
  return table + fmt::format("\n{}\n", report["machine"].get<std::string>());
}

Result<ExitCode> Run(const Flags& flags) {
  ESP_ASSIGN_OR_RETURN(const std::vector<std::string> files, JsonFiles(flags.folders));
  ESP_ASSIGN_OR_RETURN(const auto tokenizer, LoadTokenizer(flags.tokenizer));
  ESP_ASSIGN_OR_RETURN(MaskWalk walk, MaskWalk::Make(tokenizer));
  std::ofstream jsonl;
  if (!flags.jsonl.empty()) {
    jsonl.open(flags.jsonl);
    if (!jsonl) return Status(Code::kInvalidArgument, "--jsonl " + flags.jsonl + ": cannot write");
  }
  Tally tally;
  Progress progress(std::chrono::milliseconds(0));
  const ApartWork work{.num_items = files.size(),
                       .work = [&](std::size_t i) { return MeasureFile(walk, files[i]); },
                       .limit = std::chrono::seconds(flags.timeout_s)};
  ESP_RETURN_IF_ERROR(RunApart(work, [&](std::size_t i, const ApartResult& result) {
    const Json row = tally.Add(files[i], result);
    if (jsonl.is_open()) jsonl << JsonLine(row);
    progress.Draw(static_cast<double>(i + 1) / static_cast<double>(files.size()),
                  fmt::format("{} of {} files", i + 1, files.size()));
    return Status();
  }));
  progress.Clear();
  Json report = tally.Report();
  report["vocab_size"] = tokenizer->vocab_size();
  report["machine"] = MachineName();
  ESP_RETURN_IF_ERROR(flags.common.json ? WriteJson(report) : WriteOut(Table(report)));
  return ExitCode::kDone;
}

}  // namespace

CommandBody DeclareBenchMasks(CLI::App& app) {
  auto flags = std::make_shared<Flags>();
  app.add_option("DIR", flags->folders, "Folders of MaskBench files, or files")->required();
  app.add_option("--tokenizer", flags->tokenizer,
                 "A GGUF file or a tokenizer.json (default: the default model's)")
      ->type_name("FILE");
  app.add_option("--jsonl", flags->jsonl, "Write a line a file here")->type_name("OUT");
  app.add_option("--timeout", flags->timeout_s, "Seconds of one file before it counts as a crash")
      ->type_name("SECONDS")
      ->check(WholeNumber(1, 86400));
  AddJsonFlag(app, flags->common);
  return [flags] { return Run(*flags); };
}

}  // namespace espalier
