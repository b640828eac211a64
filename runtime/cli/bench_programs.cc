// `espalier bench programs`: SGLang's benchmark programs on the real engine, each as it is
// and, for comparison, with other settings: what was computed, in how many steps, how fast.
#include <chrono>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "frontend_lang/program/runner.h"
#include "runtime/cli/bench_workloads.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/flags.h"
#include "runtime/cli/load.h"
#include "runtime/cli/output.h"
#include "runtime/cli/prompt_sharing.h"
#include "runtime/local/local_backend.h"

namespace espalier {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

struct BenchFlags {
  CommonFlags common;
  std::vector<std::string> workloads;  // empty: all
  std::vector<std::string> variants{"no-prefix-cache"};
  int num_programs = 0;  // 0: each workload's own
};

// "espalier" is the run with the flags as they are.
LocalModelOptions OptionsOf(const CommonFlags& flags, std::string_view variant) {
  LocalModelOptions options = flags.local;
  if (variant == "no-prefix-cache") options.no_prefix_cache = true;
  if (variant == "fcfs") options.policy = "fcfs";
  return options;
}

// What is seen of a run while it goes on.
struct Observed {
  PromptSharing sharing;
  EngineMetrics before, after;
  std::int64_t forced_tokens = 0;
};

// Counts what its engine did, until it is destroyed.
class CountingBackend final : public LocalBackend {
 public:
  CountingBackend(std::unique_ptr<LocalModel> model, Observed& observed)
      : LocalBackend(std::move(model)), observed_(observed) {
    observed_.before = client().model().engine().metrics();
    client().Observe([this](EngineClient::Finished finished) {
      observed_.forced_tokens += finished.usage.forced_tokens;
      observed_.sharing.Add({.prompt = std::move(finished.prompt),
                             .output = std::move(finished.output),
                             .cached_tokens = finished.usage.cached_tokens,
                             .tree = finished.tree});
    });
  }
  ~CountingBackend() override { observed_.after = client().model().engine().metrics(); }

 private:
  Observed& observed_;
};

struct RunSpec {
  const BenchWorkload& workload;
  std::string_view variant;
  int num_programs;
};

Result<Json> RunOne(const BenchFlags& flags, const RunSpec& spec) {
  CommonFlags common = flags.common;
  common.local = OptionsOf(flags.common, spec.variant);
  ESP_ASSIGN_OR_RETURN(std::unique_ptr<LocalModel> model, LoadLocalModel(common));
  ESP_ASSIGN_OR_RETURN(
      const program::ScriptProgram program,
      program::LoadProgram(std::string(spec.workload.name) + ".sgl", BenchScript(spec.workload)));
  Observed observed;
  program::RunOptions options;
  options.entry = "main";
  options.seed = flags.common.seed;
  options.note = [log = flags.common.log()](std::string_view line) { log.Info(line); };
  options.make_backend = [&]() -> Result<std::unique_ptr<Backend>> {
    return std::unique_ptr<Backend>(std::make_unique<CountingBackend>(std::move(model), observed));
  };
  const program::EntryCall call = {{"n", fmt::format("{}", spec.num_programs)},
                                   {"seed", fmt::format("{}", flags.common.seed)}};
  const Clock::time_point start = Clock::now();
  const std::vector<program::CallResult> results = program::RunProgram(program, options, {call});
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (!results[0].status.ok()) return results[0].status;

  const PromptSharing::Totals totals = observed.sharing.Sum();
  return Json{{"workload", spec.workload.name},
              {"variant", spec.variant},
              {"programs", spec.num_programs},
              {"programs_per_s", spec.num_programs / seconds},
              {"hit_rate", totals.hit_rate()},
              {"optimal_hit_rate", totals.optimal_hit_rate()},
              {"prompt_tokens", totals.prompt_tokens},
              {"computed_prompt_tokens", totals.computed_tokens},
              {"output_tokens", observed.after.output_tokens - observed.before.output_tokens},
              {"forced_tokens", observed.forced_tokens},
              {"steps", observed.after.num_steps - observed.before.num_steps},
              {"radix_seconds", observed.after.radix_seconds - observed.before.radix_seconds},
              {"total_seconds", seconds}};
}

std::string Line(const Json& row, double best) {
  const auto number = [&](const char* name) { return row[name].get<double>(); };
  const auto count = [&](const char* name) { return row[name].get<std::int64_t>(); };
  return fmt::format("{:<20} {:<16} {:>8.3f} {:>7.1f}x {:>7.1f}% {:>7.1f}% {:>9} {:>9} {:>7}\n",
                     row["workload"].get<std::string>(), row["variant"].get<std::string>(),
                     number("programs_per_s"), best / number("programs_per_s"),
                     100 * number("hit_rate"), 100 * number("optimal_hit_rate"),
                     count("prompt_tokens"), count("computed_prompt_tokens"), count("steps"));
}

Status RunWorkload(const BenchFlags& flags, const BenchWorkload& workload) {
  std::vector<std::string_view> variants{"espalier"};
  variants.insert(variants.end(), flags.variants.begin(), flags.variants.end());
  double best = 0;  // programs/s of the first variant
  for (const std::string_view variant : variants) {
    const int num_programs = flags.num_programs > 0 ? flags.num_programs : workload.num_programs;
    ESP_ASSIGN_OR_RETURN(const Json row, RunOne(flags, {workload, variant, num_programs}));
    if (best == 0) best = row["programs_per_s"].get<double>();
    ESP_RETURN_IF_ERROR(flags.common.json ? WriteJson(row) : WriteOut(Line(row, best)));
  }
  return Status();
}

Result<ExitCode> Run(const BenchFlags& flags) {
  if (!flags.common.json) {
    ESP_RETURN_IF_ERROR(WriteOut(fmt::format(
        "{:<20} {:<16} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9} {:>7}\n", "workload", "variant",
        "prog/s", "faster", "hits", "optimum", "prompt", "computed", "steps")));
  }
  for (const BenchWorkload& workload : BenchWorkloads()) {
    const bool wanted = flags.workloads.empty() ||
                        std::find(flags.workloads.begin(), flags.workloads.end(), workload.name) !=
                            flags.workloads.end();
    if (wanted) ESP_RETURN_IF_ERROR(RunWorkload(flags, workload));
  }
  return ExitCode::kDone;
}

}  // namespace

CommandBody DeclareBenchPrograms(CLI::App& app) {
  auto flags = std::make_shared<BenchFlags>();
  std::vector<std::string> names;
  for (const BenchWorkload& workload : BenchWorkloads()) names.emplace_back(workload.name);
  app.add_option("--workload", flags->workloads, "Which of the programs (default: all)")
      ->delimiter(',')
      ->type_name("NAME,...")
      ->check(OneOf(names));
  app.add_option("--compare", flags->variants, "Settings to run each with too")
      ->delimiter(',')
      ->type_name("NAME,...")
      ->check(OneOf({"no-prefix-cache", "fcfs"}));
  app.add_option("--programs", flags->num_programs, "How many of each (default: its own number)")
      ->type_name("N")
      ->default_str("")
      ->check(WholeNumber(1, 10'000));
  AddJsonFlag(app, flags->common);
  AddEngineFlags(app, flags->common);
  return [flags] { return Run(*flags); };
}

}  // namespace espalier
