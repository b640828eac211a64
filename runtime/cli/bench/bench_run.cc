#include "runtime/cli/bench/bench_run.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "frontend_lang/program/runner.h"
#include "runtime/cli/bench/bench_model.h"
#include "runtime/cli/bench/request_log.h"
#include "runtime/cli/percentiles.h"
#include "runtime/local/local_backend.h"

namespace espalier {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

class LoggedBackend final : public LocalBackend {
 public:
  // Both must outlive it.
  LoggedBackend(BenchModel& model, RequestLog& log) : LocalBackend(model.local(), model.port()) {
    client().Observe(log);
  }
};

struct Times {
  double run_s = 0;    // by the model's clock
  double total_s = 0;  // on the wall
};

Result<Times> RunScript(const BenchRun& run, BenchModel& model, RequestLog& log) {
  ESP_ASSIGN_OR_RETURN(
      const program::ScriptProgram program,
      program::LoadProgram(std::string(run.workload.name) + ".sgl", BenchScript(run.workload)));
  program::RunOptions options;
  options.entry = "start";
  options.seed = run.flags.seed;
  options.note = [to = run.flags.log()](std::string_view line) { to.Info(line); };
  options.make_backend = [&]() -> Result<std::unique_ptr<Backend>> {
    return std::unique_ptr<Backend>(std::make_unique<LoggedBackend>(model, log));
  };
  const program::EntryCall call = {{"n", fmt::format("{}", run.num_programs)},
                                   {"seed", fmt::format("{}", run.flags.seed)},
                                   {"scale", fmt::format("{}", run.scale)}};
  const Clock::time_point start = Clock::now();
  const double start_s = model.Seconds();
  const std::vector<program::CallResult> results = program::RunProgram(program, options, {call});
  if (!results[0].status.ok()) return results[0].status;
  return Times{.run_s = model.Seconds() - start_s,
               .total_s = std::chrono::duration<double>(Clock::now() - start).count()};
}

void AddSharing(const BenchRun& run, const RequestLog& log, Json& row) {
  const PromptSharing::Totals totals = log.sharing().Sum();
  row["hit_rate"] = totals.hit_rate();
  row["optimal_hit_rate"] = totals.optimal_hit_rate();
  if (run.workload.prefix > 0) {
    row["whole_prefix_rate"] = static_cast<double>(log.NumCached(run.workload.prefix)) /
                               static_cast<double>(std::max<std::int64_t>(log.num_choices(), 1));
  }
  row["prompt_tokens"] = totals.prompt_tokens;
  row["computed_prompt_tokens"] = totals.computed_tokens;
  row["distinct_tokens"] = totals.distinct_tokens;
}

}  // namespace

Result<Json> BenchRun::Run() const {
  ESP_ASSIGN_OR_RETURN(const std::unique_ptr<BenchModel> model, BenchModel::Load(flags, machine));
  RequestLog log([&model] { return model->Seconds(); });
  const EngineMetrics before = model->local().engine().metrics();
  ESP_ASSIGN_OR_RETURN(const Times times, RunScript(*this, *model, log));
  if (!log.error().ok()) {  // half a run compares with nothing
    return Status(log.error().code(), fmt::format("{}: {}; a smaller --scale makes prompts shorter",
                                                  workload.name, log.error().message()));
  }
  const EngineMetrics after = model->local().engine().metrics();

  Json row{{"workload", workload.name},
           {"variant", variant},
           {"programs", num_programs},
           {"programs_per_s", num_programs / std::max(times.run_s, 1e-9)}};
  AddSharing(*this, log, row);
  row["output_tokens"] = log.output_tokens();
  row["forced_tokens"] = log.forced_tokens();
  row["steps"] = after.num_steps - before.num_steps;
  row["preemptions"] = after.num_preemptions - before.num_preemptions;
  row["kv_cache_tokens"] = model->local().kv_cache().tokens;
  row["first_token_s"] = PercentilesJson(log.first_token_s());
  row["between_tokens_s"] = PercentilesJson(log.between_tokens_s());
  row["radix_seconds"] = after.radix_seconds - before.radix_seconds;
  row["total_seconds"] = times.total_s;
  if (machine != nullptr) {
    row["simulated"] = machine->name;
    row["simulated_seconds"] = times.run_s;
  }
  return row;
}

}  // namespace espalier
