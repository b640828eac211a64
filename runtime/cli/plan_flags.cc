#include "runtime/cli/plan_flags.h"

#include <charconv>
#include <cmath>
#include <limits>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "runtime/cli/flags.h"
#include "runtime/cli/memory_plan.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

CLI::Validator Amount() {
  return CLI::Validator(
      [](std::string& text) {
        if (ParseAmount(text)) return std::string();
        return "'" + text + "' is not an amount such as 24G or 1.5T";
      },
      "");
}

Json SpeedJson(const PlannedSpeed& speed) {
  return {{"tokens_per_s", speed.tokens_per_s},
          {"seconds", speed.seconds},
          {"bound_by", speed.bound_by}};
}

}  // namespace

std::optional<double> ParseAmount(std::string_view text) {
  constexpr std::string_view kUnits = "KMGTP";
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !std::isfinite(value) || value <= 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (!text.empty()) {
    const std::size_t unit = kUnits.find(text[0]);
    if (unit == std::string_view::npos) return std::nullopt;
    const bool is_binary = text.substr(1) == "i";
    if (text.size() > 1 && !is_binary) return std::nullopt;
    value *= std::pow(is_binary ? 1024.0 : 1000.0, static_cast<double>(unit + 1));
  }
  constexpr double kMost = 1e18;  // so that it is an int64
  return value <= kMost ? std::optional(value) : std::nullopt;
}

void AddPlanFlags(CLI::App& app, PlanFlags& flags) {
  const auto amount = [&](const char* name, std::string& value, const char* help) {
    return app.add_option(name, value, help)->type_name("AMOUNT")->check(Amount())->group("Plan");
  };
  app.add_flag("--plan", flags.plan, "Plan a machine: KV pages, users, speeds and their bounds")
      ->group("Plan");
  amount("--memory", flags.memory, "Bytes for weights and KV, such as 24G or 24Gi");
  amount("--bandwidth", flags.bandwidth, "Bytes that the memory gives a second, such as 900G");
  amount("--flops", flags.flops, "Operations a second, such as 35T (default: no bound)");
  app.add_option("--context", flags.context, "Tokens of each user (default: the model's context)")
      ->type_name("N")
      ->default_str("")
      ->check(WholeNumber(1, std::numeric_limits<std::int32_t>::max()))
      ->group("Plan");
  app.add_option("--page-size", flags.page_size, "Tokens of one KV page; divides 64")
      ->type_name("N")
      ->check(OneOf({"1", "2", "4", "8", "16", "32", "64"}))
      ->group("Plan");
}

Result<Json> PlanJson(const PlanFlags& flags, const Gguf& gguf, const ModelConfig& config) {
  if (flags.memory.empty() || flags.bandwidth.empty()) {
    return Status(Code::kInvalidArgument,
                  "--plan needs --memory and --bandwidth, such as --memory 24G --bandwidth 900G");
  }
  PlanInput input{.model = ModelSizeOf(gguf, config),
                  .memory_bytes = *ParseAmount(flags.memory),
                  .bytes_per_s = *ParseAmount(flags.bandwidth),
                  .context = flags.context > 0 ? flags.context : config.context_length,
                  .page_size = flags.page_size};
  if (!flags.flops.empty()) input.flops = *ParseAmount(flags.flops);
  for (const Gguf::Tensor& tensor : gguf.tensors()) input.stored_bytes += tensor.view.size_bytes();
  ESP_ASSIGN_OR_RETURN(const MemoryPlan plan, PlanMemory(input));
  Json json{{"weight_bytes", input.stored_bytes},
            {"kv_bytes", plan.kv_bytes},
            {"kv_bytes_per_token", input.model.kv_bytes_per_token},
            {"pages", plan.pages},
            {"kv_tokens", plan.kv_tokens},
            {"context", input.context},
            {"users", plan.users},
            {"decode_one", SpeedJson(plan.decode_one)},
            {"decode_all", SpeedJson(plan.decode_all)},
            {"prefill", SpeedJson(plan.prefill)}};
  if (!flags.flops.empty()) json["compute_bound_at_tokens"] = plan.compute_bound_at;
  return json;
}

}  // namespace espalier
