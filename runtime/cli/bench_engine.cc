// `espalier bench engine`: prefill and decode speed through the whole engine.
//
// Prefill: one prompt alone, nothing cached, no output. Decode: a batch of requests
// whose prompts are already in the prefix cache, so that all of them decode from the
// first step on; counted from the first submission to the last token. The time when an
// event is taken is not when its token was made: the engine may be many steps ahead. So
// no span between events is timed, and a late reader can only make a speed look lower. The
// parts of a step are what the engine itself has counted (runtime/engine/metrics.h).
#include <algorithm>
#include <chrono>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "kernels/base/random.h"
#include "kernels/kernels.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/flags.h"
#include "runtime/cli/load.h"
#include "runtime/cli/machine.h"
#include "runtime/cli/output.h"
#include "runtime/local/engine_client.h"

namespace espalier {
namespace {

using Clock = std::chrono::steady_clock;

struct BenchFlags {
  CommonFlags common;
  std::vector<int> batches{1, 8, 32};
  int prompt = 256;
  int shared = 0;
  int output = 64;
  double temperature = 0;
  bool profile = false;
};

struct Speed {
  int size = 0;  // tokens of a prompt, or requests of a batch
  double tokens_per_s = 0;
  std::vector<std::pair<std::string_view, double>> profile;  // part: ms a step
};

// The parts of a step, of the steps between the two.
std::vector<std::pair<std::string_view, double>> Profile(const EngineMetrics& before,
                                                         const EngineMetrics& after) {
  constexpr std::pair<std::string_view, double EngineMetrics::*> kParts[] = {
      {"plan", &EngineMetrics::plan_seconds},     {"forward", &EngineMetrics::forward_seconds},
      {"masks", &EngineMetrics::mask_seconds},    {"sample", &EngineMetrics::sample_seconds},
      {"commit", &EngineMetrics::commit_seconds}, {"all", &EngineMetrics::total_seconds}};
  const auto num_steps = static_cast<double>(after.num_steps - before.num_steps);
  std::vector<std::pair<std::string_view, double>> profile;
  for (const auto& [name, part] : kParts) {
    profile.emplace_back(name, 1e3 * (after.*part - before.*part) / std::max(num_steps, 1.0));
  }
  return profile;
}

double Seconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

class EngineBench {
 public:
  EngineBench(const BenchFlags& flags, LocalModel& model)
      : flags_(flags), model_(model), client_(model) {}

  Result<Speed> Prefill() {
    const Clock::time_point start = Clock::now();
    ESP_RETURN_IF_ERROR(RunPrompts({NewPrompt()}));
    const int length = flags_.shared + flags_.prompt;
    return Speed{length, length / Seconds(start, Clock::now()), {}};
  }

  Result<Speed> Decode(int batch) {
    std::vector<std::vector<TokenId>> prompts;
    for (int i = 0; i < batch; ++i) prompts.push_back(NewPrompt());
    ESP_RETURN_IF_ERROR(RunPrompts(prompts));
    const EngineMetrics before = model_.engine().metrics();
    const Clock::time_point start = Clock::now();
    std::size_t num_tokens = 0;
    for (const std::vector<TokenId>& prompt : prompts) SubmitDecode(prompt, num_tokens);
    while (!client_.idle()) client_.Wait();
    ESP_RETURN_IF_ERROR(status_);
    const double tokens_per_s = static_cast<double>(num_tokens) / Seconds(start, Clock::now());
    return Speed{batch, tokens_per_s, Profile(before, model_.engine().metrics())};
  }

 private:
  // The tokens that all prompts share, then such that no earlier prompt has there.
  std::vector<TokenId> NewPrompt() {
    std::vector<TokenId> prompt;
    const auto vocab_size = static_cast<double>(model_.vocab_size());
    for (int i = 0; i < flags_.shared + flags_.prompt; ++i) {
      const std::uint32_t choice = i < flags_.shared ? 0 : num_prompts_ + 1;
      const double draw = UniformDraw(flags_.common.seed, choice, static_cast<unsigned>(i));
      prompt.push_back(static_cast<TokenId>(draw * vocab_size));
    }
    ++num_prompts_;
    return prompt;
  }

  GenerateRequest Request(std::vector<TokenId> prompt, int num_output) const {
    GenerateRequest request;
    request.prompt = std::move(prompt);
    request.sampling.temperature = static_cast<float>(flags_.temperature);
    request.sampling.max_new_tokens = num_output;
    request.sampling.ignore_eos = true;
    request.sampling.seed = 0;
    return request;
  }

  Status RunPrompts(const std::vector<std::vector<TokenId>>& prompts) {
    for (const std::vector<TokenId>& prompt : prompts) {
      client_.Submit(Request(prompt, 0), [this](TokenEvent event) { NoteError(event); });
    }
    while (!client_.idle()) client_.Wait();
    return status_;
  }

  void SubmitDecode(const std::vector<TokenId>& prompt, std::size_t& num_tokens) {
    client_.Submit(Request(prompt, flags_.output), [this, &num_tokens](TokenEvent event) {
      NoteError(event);
      num_tokens += event.tokens.size();
    });
  }

  void NoteError(const TokenEvent& event) {
    if (event.finish == FinishReason::kError && status_.ok()) status_ = event.error;
  }

  const BenchFlags& flags_;
  LocalModel& model_;
  EngineClient client_;
  std::uint32_t num_prompts_ = 0;
  Status status_;
};

nlohmann::ordered_json ReportJson(const BenchFlags& flags, LocalModel& model, const Speed& prefill,
                                  const std::vector<Speed>& decode) {
  const std::string best(AvailableIsas().back());
  nlohmann::ordered_json report = {
      {"model", model.name()},
      {"threads", model.num_threads()},
      {"isa", flags.common.local.isa.empty() ? best : flags.common.local.isa},
      {"prefill", {{{"prompt", prefill.size}, {"tokens_per_s", prefill.tokens_per_s}}}}};
  for (const Speed& speed : decode) {
    report["decode"].push_back({{"batch", speed.size},
                                {"context", flags.shared + flags.prompt},
                                {"shared", flags.shared},
                                {"tokens_per_s", speed.tokens_per_s}});
    if (!flags.profile) continue;
    nlohmann::ordered_json& profile = report["decode"].back()["profile_ms"];
    for (const auto& [part, ms] : speed.profile) profile[std::string(part)] = ms;
  }
  report["machine"] = MachineName();
  return report;
}

std::string Table(const nlohmann::ordered_json& report) {
  std::string table = fmt::format("{}, {} threads, {}\n{}\n\n", report["model"].get<std::string>(),
                                  report["threads"].get<int>(), report["isa"].get<std::string>(),
                                  report["machine"].get<std::string>());
  for (const auto& row : report["prefill"]) {
    table += fmt::format("prefill  prompt {:>5}                {:>9.1f} tokens/s\n",
                         row["prompt"].get<int>(), row["tokens_per_s"].get<double>());
  }
  for (const auto& row : report["decode"]) {
    table += fmt::format("decode   batch  {:>5}  context {:>5} {:>9.1f} tokens/s\n",
                         row["batch"].get<int>(), row["context"].get<int>(),
                         row["tokens_per_s"].get<double>());
    if (!row.contains("profile_ms")) continue;
    table += "           ms a step:";
    for (const auto& [part, ms] : row["profile_ms"].items()) {
      table += fmt::format(" {} {:.3f}", part, ms.get<double>());
    }
    table += "\n";
  }
  return table;
}

Result<ExitCode> Run(const BenchFlags& flags) {
  ESP_ASSIGN_OR_RETURN(const std::unique_ptr<LocalModel> model, LoadLocalModel(flags.common));
  EngineBench bench(flags, *model);
  ESP_RETURN_IF_ERROR(bench.Prefill().status());  // warms caches, clocks and page tables
  ESP_ASSIGN_OR_RETURN(const Speed prefill, bench.Prefill());
  std::vector<Speed> decode;
  for (const int batch : flags.batches) {
    ESP_ASSIGN_OR_RETURN(const Speed speed, bench.Decode(batch));
    decode.push_back(speed);
  }
  const nlohmann::ordered_json report = ReportJson(flags, *model, prefill, decode);
  ESP_RETURN_IF_ERROR(flags.common.json ? WriteJson(report) : WriteOut(Table(report)));
  return ExitCode::kDone;
}

}  // namespace

CommandBody DeclareBenchEngine(CLI::App& app) {
  auto flags = std::make_shared<BenchFlags>();
  app.add_option("--batch", flags->batches, "Requests at once, such as 1,8,32")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("N,...")
      ->check(WholeNumber(1, 4096));
  app.add_option("--prompt", flags->prompt, "Tokens of each prompt")
      ->type_name("N")
      ->check(WholeNumber(1, 1 << 20));
  app.add_option("--shared-prefix", flags->shared, "Tokens before those, the same in all prompts")
      ->type_name("N")
      ->check(WholeNumber(0, 1 << 20));
  app.add_option("--output", flags->output, "Tokens of each output")
      ->type_name("N")
      ->check(WholeNumber(1, 1 << 20));
  app.add_option("--temperature", flags->temperature, "0: the likeliest token")
      ->type_name("X")
      ->check(CLI::Range(0.0, 100.0).description(""));
  app.add_flag("--profile", flags->profile, "Where the time of a decoding step goes");
  AddJsonFlag(app, flags->common);
  AddEngineFlags(app, flags->common);
  return [flags] { return Run(*flags); };
}

}  // namespace espalier
