#include "runtime/cli/sampling_flags.h"

#include <algorithm>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "runtime/cli/flags.h"
#include "runtime/local/json_text.h"
#include "runtime/local/prompt.h"

namespace espalier {
namespace {

// Options that have another spelling on the command line: --seed is the root seed,
// --logprobs K says both of the next two; the last is for request lines only.
constexpr std::string_view kNotFlags[] = {"seed", "return_logprob", "top_logprobs_num",
                                          "logprob_start_len"};

std::string FlagName(std::string_view option) {
  if (option == "max_new_tokens") return "--max-tokens";
  std::string name = "--" + std::string(option);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string FlagNames(std::string_view option) {
  return option == "max_new_tokens" ? FlagName(option) + ",--max-new-tokens" : FlagName(option);
}

nlohmann::json ToJson(const SamplingOption& option, const std::vector<std::string>& values) {
  if (option.type == "string or list") return values;
  std::string text = values.back();
  if (option.type == "list" && !text.starts_with("[")) text = "[" + text + "]";
  const Result<nlohmann::ordered_json> parsed = ParseJson(text);
  return parsed.ok() ? nlohmann::json(parsed.value()) : nlohmann::json(values.back());
}

}  // namespace

void SamplingFlags::Declare(CLI::App& app) {
  flags_.clear();
  flags_.reserve(SamplingOptions().size());
  for (const SamplingOption& option : SamplingOptions()) {
    if (std::find(std::begin(kNotFlags), std::end(kNotFlags), option.name) != std::end(kNotFlags)) {
      continue;
    }
    Flag& flag = flags_.emplace_back(Flag{&option, {}});
    std::string help(option.help);
    if (!option.range.empty()) help += fmt::format("; {}", option.range);
    const std::string shown = option.show(SamplingParams());
    if (!shown.empty()) help += fmt::format(" [{}]", shown);
    if (option.type == "boolean") {
      app.add_flag(FlagNames(option.name), flag.is_set, help)->group("Sampling");
    } else if (option.type == "string or list") {
      AddRepeated(app, FlagNames(option.name), flag.values, help)
          ->type_name("TEXT")
          ->group("Sampling");
    } else {
      app.add_option(FlagNames(option.name), flag.values, help)
          ->expected(1)
          ->allow_extra_args(false)
          ->type_name(option.type == "object" ? "JSON" : "N")
          ->group("Sampling");
    }
  }
}

Status SamplingFlags::Apply(const Flag& flag, SamplingParams& to) const {
  if (flag.option->type == "boolean") {
    return flag.is_set ? flag.option->parse(nlohmann::json(true), to) : Status();
  }
  if (flag.values.empty()) return Status();
  for (const std::string& value : flag.values) {
    ESP_RETURN_IF_ERROR(CheckUtf8(value, FlagName(flag.option->name)));
  }
  const Status status = flag.option->parse(ToJson(*flag.option, flag.values), to);
  if (status.ok()) return status;
  return Status(status.code(),
                fmt::format("{}: {}", FlagName(flag.option->name), status.message()));
}

Result<SamplingParams> SamplingFlags::Parse() const {
  SamplingParams params;
  for (const Flag& flag : flags_) ESP_RETURN_IF_ERROR(Apply(flag, params));
  return params;
}

bool SamplingFlags::Has(std::string_view option) const {
  return std::any_of(flags_.begin(), flags_.end(), [&](const Flag& flag) {
    return flag.option->name == option && (flag.is_set || !flag.values.empty());
  });
}

}  // namespace espalier
