#include "runtime/cli/flags.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include "kernels/kernels.h"
#include "radix/eviction_policy.h"
#include "runtime/engine/policy.h"

namespace espalier {
namespace {

template <typename T>
CLI::Option* AddFlag(CLI::App& app, const char* name, T& value, const char* help,
                     const char* type) {
  return app.add_option(name, value, help)->type_name(type)->group("Engine");
}

constexpr int kMaxInt = std::numeric_limits<int>::max();

void AddMemoryFlags(CLI::App& app, LocalModelOptions& local) {
  AddFlag(app, "--kv-cache-tokens", local.kv_cache_tokens,
          "Tokens that the KV cache holds (default: a quarter of free memory)", "N")
      ->check(WholeNumber(1, kMaxInt));
  AddFlag(app, "--page-size", local.page_size, "Tokens of one KV page; divides 64", "N")
      ->check(OneOf({"1", "2", "4", "8", "16", "32", "64"}));
  AddFlag(app, "--kv-cache-type", local.kv_cache_type, "Format of the KV cache: f16", "TYPE")
      ->check(OneOf({"f16"}, {"int8"}));
  app.add_flag("--no-prefix-cache", local.no_prefix_cache, "Never reuse the KV of earlier requests")
      ->group("Engine");
  const std::span<const std::string_view> policies = EvictionPolicyNames();
  AddFlag(app, "--eviction", local.eviction,
          "Which cached pages go first: lru, lfu, fifo, priority, cost", "NAME")
      ->check(OneOf(std::vector<std::string>(policies.begin(), policies.end())));
  AddFlag(app, "--cache-quota-tokens", local.cache_quota_tokens,
          "Most tokens that one cache_salt keeps in the cache; 0: no quota", "N")
      ->check(WholeNumber(0, kMaxInt));
}

void AddScheduleFlags(CLI::App& app, LocalModelOptions& local) {
  app.add_flag("--no-jump-forward", local.no_jump_forward,
               "Sample also the tokens that a constraint leaves no choice of")
      ->group("Engine");
  app.add_flag("--no-in-batch-sharing", local.no_in_batch_sharing,
               "Run what running requests have in common once for each of them")
      ->group("Engine");
  AddFlag(app, "--schedule-conservativeness", local.schedule_conservativeness,
          "Times the expected length of outputs, for which there must be room", "NUM")
      ->check(Number(100, "number"));
  AddFlag(app, "--chunk-tokens", local.chunk_tokens, "Most tokens of one step; 0: chosen", "N")
      ->check(WholeNumber(0, 65536));
  AddFlag(app, "--max-running", local.max_running, "Most requests of one step", "N")
      ->check(WholeNumber(1, 4096));
  const std::span<const std::string_view> policies = QueuePolicyNames();
  AddFlag(app, "--policy", local.policy,
          "Which waiting request comes next: lpm, fcfs, dfs-weight, random, priority, fair", "NAME")
      ->check(OneOf(std::vector<std::string>(policies.begin(), policies.end())));
}

void AddMachineFlags(CLI::App& app, LocalModelOptions& local) {
  AddFlag(app, "--device", local.device, "Where to compute: cpu", "NAME")
      ->check(OneOf({"cpu"}, {"cuda"}));
  AddFlag(app, "--threads", local.threads, "Compute threads; 0: one a usable CPU", "N")
      ->check(WholeNumber(0, 1024));
  std::vector<std::string> isas(AvailableIsas().begin(), AvailableIsas().end());
  AddFlag(app, "--isa", local.isa, "Instruction set (default: the best that this CPU has)", "NAME")
      ->check(OneOf(std::move(isas), {"avx2", "avx512", "vnni", "amx"}));
}

}  // namespace

CLI::Validator WholeNumber(std::int64_t low, std::int64_t high) {
  return CLI::Validator(
      [low, high](std::string& text) {
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool whole = error == std::errc() && end == text.data() + text.size();
        if (whole && low <= value && value <= high) return std::string();
        return fmt::format("'{}' is not a whole number from {} to {}", text, low, high);
      },
      "");
}

CLI::Validator Number(double most, std::string what) {
  return CLI::Validator(
      [most, what = std::move(what)](std::string& text) {
        double value = -1;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool is_number = error == std::errc() && end == text.data() + text.size();
        if (is_number && value >= 0 && value <= most) return std::string();
        return fmt::format("'{}' is not a {} from 0 to {}", text, what, most);
      },
      "");
}

CLI::Validator Seconds(double most) { return Number(most, "number of seconds"); }

void RefuseEmptyValues(CLI::App& app) {
  const CLI::Validator not_empty(
      [](std::string& text) { return text.empty() ? std::string("must not be empty") : ""; }, "");
  for (CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    if (option->get_lnames().empty() || type.starts_with("TEXT")) continue;
    if (option->get_expected_min() > 0) option->check(not_empty);
  }
}

CLI::Validator OneOf(std::vector<std::string> known, std::vector<std::string> planned) {
  return CLI::Validator(
      [known = std::move(known), planned = std::move(planned)](std::string& text) {
        if (std::find(known.begin(), known.end(), text) != known.end()) return std::string();
        const bool later = std::find(planned.begin(), planned.end(), text) != planned.end();
        return fmt::format("'{}' is not {}; use {}", text,
                           later ? "in this version or machine" : "known", fmt::join(known, ", "));
      },
      "");
}

void AddModelFlags(CLI::App& app, CommonFlags& flags) {
  app.add_option("--model", flags.local.model,
                 "A GGUF file, or 'tiny' (default: SmolLM2-135M-Instruct, as ./espalier gets it)")
      ->type_name("FILE")
      ->group("Model");
  app.add_option("--log-level", flags.log_level, "On stderr: error, warning, info")
      ->type_name("LEVEL")
      ->check(OneOf({"error", "warning", "info"}))
      ->group("Output");
}

void AddEngineFlags(CLI::App& app, CommonFlags& flags) {
  AddModelFlags(app, flags);
  // Hidden where they are refused (RefuseUrl).
  app.add_option("--url", flags.url, "A server to use instead of a local engine")
      ->type_name("URL")
      ->group("");
  app.add_option("--api-key", flags.api_key, "Key for --url")->type_name("KEY")->group("");
  app.add_option("--seed", flags.seed, "Root of all seeds that are not given")
      ->type_name("N")
      ->check(WholeNumber(0, std::numeric_limits<std::int64_t>::max()))
      ->group("Sampling");
  AddMemoryFlags(app, flags.local);
  AddScheduleFlags(app, flags.local);
  AddMachineFlags(app, flags.local);
}

void ShowServerFlags(CLI::App& app) {
  for (const char* name : {"--url", "--api-key"}) app.get_option(name)->group("Model");
}

void AddJsonFlag(CLI::App& app, CommonFlags& flags) {
  app.add_flag("--json", flags.json, "stdout is one JSON object a result, nothing else")
      ->group("Output");
}

CLI::Option* AddRepeated(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                         const std::string& help) {
  return app.add_option(name, values, help + "; may be repeated")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

Log CommonFlags::log() const {
  if (log_level == "error") return Log(LogLevel::kError);
  return Log(log_level == "warning" ? LogLevel::kWarning : LogLevel::kInfo);
}

void AddEnvironment(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    const std::vector<std::string>& names = option->get_lnames();
    if (names.empty() || names.front() == "help") continue;
    std::string variable = "ESPALIER_" + names.front();
    for (char& c : variable) {
      c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    option->envname(variable);
  }
}

Status RefuseUrl(const CommonFlags& flags) {
  if (flags.url.empty()) return Status();
  return Status(
      Code::kUnsupported,
      "--url: only programs (espalier run) can use a server; leave the flag away, and choose a "
      "model with --model");
}

}  // namespace espalier
