// `espalier bench programs`: SGLang's benchmark programs on the engine, each as it is and, for
// comparison, with other settings: what was computed, in how many steps, how fast.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "runtime/cli/bench/bench_run.h"
#include "runtime/cli/bench/chart_page.h"
#include "runtime/cli/bench/variants.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/flags.h"
#include "runtime/cli/output.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kAsItIs = "espalier";  // the variant with the flags as they are

struct BenchFlags {
  CommonFlags common;
  std::vector<std::string> workloads;  // empty: all
  std::vector<std::string> variants{"no-prefix-cache"};
  int num_programs = 0;    // 0: each workload's own
  double scale = 0;        // 0: chosen
  double cache_share = 0;  // 0: by --kv-cache-tokens
  std::string html;        // a file for the page; empty: none
  std::string simulate;    // a machine's name; empty: none
};

template <typename Rows>
std::vector<std::string> NamesOf(const Rows& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.emplace_back(row.name);
  return names;
}

BenchRun RunOf(const BenchFlags& flags, const BenchWorkload& workload) {
  const SimulatedMachine* machine = FindSimulatedMachine(flags.simulate);
  const double scale = machine == nullptr ? kSmallScale : 1;
  return {.workload = workload,
          .variant = kAsItIs,
          .flags = flags.common,
          .num_programs = flags.num_programs > 0 ? flags.num_programs : workload.num_programs,
          .scale = flags.scale > 0 ? flags.scale : scale,
          .machine = machine};
}

// Sets the cache to --cache-share of what the workload has in distinct tokens.
Status ShareCache(const BenchFlags& flags, BenchRun& run) {
  if (flags.cache_share == 0) return Status();
  BenchRun whole = run;
  whole.flags.log_level = "error";
  ESP_ASSIGN_OR_RETURN(const Json row, whole.Run());
  const auto distinct = row["distinct_tokens"].get<double>();
  run.flags.local.kv_cache_tokens = std::max(1, static_cast<int>(distinct * flags.cache_share));
  return Status();
}

std::string Line(const Json& row, double best) {
  const auto number = [&](const char* name) { return row[name].get<double>(); };
  const auto count = [&](const char* name) { return row[name].get<std::int64_t>(); };
  const auto median = [&](const char* name) { return 1e3 * row[name]["p50"].get<double>(); };
  return fmt::format(
      "{:<20} {:<18} {:>9.3f} {:>6.1f}x {:>6.1f}% {:>6.1f}% {:>9} {:>9} {:>7} {:>9.0f} {:>8.1f}\n",
      row["workload"].get<std::string>(), row["variant"].get<std::string>(),
      number("programs_per_s"), best / number("programs_per_s"), 100 * number("hit_rate"),
      100 * number("optimal_hit_rate"), count("prompt_tokens"), count("computed_prompt_tokens"),
      count("steps"), median("first_token_s"), median("between_tokens_s"));
}

std::string Heading() {
  return fmt::format("{:<20} {:<18} {:>9} {:>7} {:>7} {:>7} {:>9} {:>9} {:>7} {:>9} {:>8}\n",
                     "workload", "variant", "prog/s", "faster", "hits", "optimum", "prompt",
                     "computed", "steps", "first ms", "next ms");
}

Status RunWorkload(const BenchFlags& flags, const BenchWorkload& workload,
                   std::vector<Json>& rows) {
  BenchRun run = RunOf(flags, workload);
  ESP_RETURN_IF_ERROR(ShareCache(flags, run));
  const LocalModelOptions as_it_is = run.flags.local;
  std::vector<std::string_view> variants{kAsItIs};
  variants.insert(variants.end(), flags.variants.begin(), flags.variants.end());
  double best = 0;  // programs/s of the first variant
  for (const std::string_view name : variants) {
    run.variant = name;
    run.flags.local = as_it_is;
    if (const BenchVariant* variant = FindBenchVariant(name)) variant->apply(run.flags.local);
    ESP_ASSIGN_OR_RETURN(const Json row, run.Run());
    if (best == 0) best = row["programs_per_s"].get<double>();
    ESP_RETURN_IF_ERROR(flags.common.json ? WriteJson(row) : WriteOut(Line(row, best)));
    rows.push_back(row);
  }
  return Status();
}

Status WritePage(const std::string& path, const std::vector<Json>& rows) {
  std::ofstream file(path, std::ios::binary);
  file << ChartPage(rows);
  file.close();
  if (file) return Status();
  return {Code::kInvalidArgument,
          fmt::format("--html {}: cannot be written: {}", path, strerror(errno))};
}

Result<ExitCode> Run(const BenchFlags& flags) {
  std::vector<Json> rows;
  if (!flags.common.json) ESP_RETURN_IF_ERROR(WriteOut(Heading()));
  for (const BenchWorkload& workload : BenchWorkloads()) {
    const bool wanted = flags.workloads.empty() ||
                        std::find(flags.workloads.begin(), flags.workloads.end(), workload.name) !=
                            flags.workloads.end();
    if (wanted) ESP_RETURN_IF_ERROR(RunWorkload(flags, workload, rows));
  }
  if (!flags.html.empty()) ESP_RETURN_IF_ERROR(WritePage(flags.html, rows));
  return ExitCode::kDone;
}

CLI::Validator NumberIn(double low, double high) {
  return CLI::Validator(
      [low, high](std::string& text) {
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool is_number = error == std::errc() && end == text.data() + text.size();
        if (is_number && low <= value && value <= high) return std::string();
        return fmt::format("'{}' is not a number from {} to {}", text, low, high);
      },
      "");
}

void AddSizeFlags(CLI::App& app, BenchFlags& flags) {
  app.add_option("--programs", flags.num_programs, "How many of each (default: its own number)")
      ->type_name("N")
      ->default_str("")
      ->check(WholeNumber(1, 1'000'000));
  app.add_option("--scale", flags.scale,
                 "Lengths of texts, 1 being the paper's (default: 1 simulated, else 0.6)")
      ->type_name("X")
      ->default_str("")
      ->check(NumberIn(0.01, 100));
  app.add_option("--cache-share", flags.cache_share,
                 "A KV cache of this share of a workload's distinct tokens, found by a run before")
      ->type_name("X")
      ->default_str("")
      ->check(NumberIn(0.001, 1000));
}

}  // namespace

CommandBody DeclareBenchPrograms(CLI::App& app) {
  auto flags = std::make_shared<BenchFlags>();
  app.add_option("--workload", flags->workloads, "Which of the programs (default: all)")
      ->delimiter(',')
      ->type_name("NAME,...")
      ->check(OneOf(NamesOf(BenchWorkloads())));
  app.add_option("--compare", flags->variants, "Settings to run each with too")
      ->delimiter(',')
      ->type_name("NAME,...")
      ->check(OneOf(NamesOf(BenchVariants())));
  app.add_option("--simulate", flags->simulate,
                 "No tensors, in simulated time, with the tokenizer of --model: as on a cpu, "
                 "a10g or h100")
      ->type_name("MACHINE")
      ->default_str("")
      ->check(OneOf(NamesOf(SimulatedMachines())));
  app.add_option("--html", flags->html, "Write a page of charts")->type_name("OUT.html");
  AddSizeFlags(app, *flags);
  AddJsonFlag(app, flags->common);
  AddEngineFlags(app, flags->common);
  return [flags] { return Run(*flags); };
}

}  // namespace espalier
