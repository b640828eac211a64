#include "runtime/local/gen_options.h"

#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "kernels/base/check.h"

namespace espalier {
namespace {

template <typename T>
Status Set(std::string_view name, const std::optional<T>& value, SamplingParams& to) {
  if (!value) return Status();
  const SamplingOption* option = FindSamplingOption(name);
  ESP_CHECK(option != nullptr) << name;
  return option->parse(nlohmann::json(*value), to);
}

template <typename T>
Status SetList(std::string_view name, const std::vector<T>& values, SamplingParams& to) {
  return Set(name, values.empty() ? std::nullopt : std::make_optional(values), to);
}

}  // namespace

Result<SamplingParams> ToSamplingParams(const GenOptions& options) {
  SamplingParams params;
  const Status statuses[] = {
      Set("max_new_tokens", options.max_tokens, params),
      Set("min_new_tokens", options.min_tokens, params),
      Set("n", options.n, params),
      Set("temperature", options.temperature, params),
      Set("top_p", options.top_p, params),
      Set("top_k", options.top_k, params),
      Set("min_p", options.min_p, params),
      Set("frequency_penalty", options.frequency_penalty, params),
      Set("presence_penalty", options.presence_penalty, params),
      Set("repetition_penalty", options.repetition_penalty, params),
      Set("ignore_eos", options.ignore_eos, params),
      Set("complete", options.complete, params),
      Set("return_logprob", options.return_logprob, params),
      Set("top_logprobs_num", options.top_logprobs_num, params),
      Set("logprob_start_len", options.logprob_start_len, params),
      SetList("stop", options.stop, params),
      SetList("stop_regex", options.stop_regex, params),
      SetList("stop_token_ids", options.stop_token_ids, params),
  };
  for (const Status& status : statuses) ESP_RETURN_IF_ERROR(status);
  return params;
}

ConstraintSpec ToConstraint(const GenOptions& options) {
  ConstraintSpec spec;
  const std::pair<ConstraintKind, const std::optional<std::string>&> kinds[] = {
      {ConstraintKind::kRegex, options.regex},
      {ConstraintKind::kJsonSchema, options.json_schema},
      {ConstraintKind::kEbnf, options.ebnf},
  };
  for (const auto& [kind, text] : kinds) {
    if (!text) continue;
    spec.kind = kind;
    spec.text = *text;
  }
  return spec;
}

}  // namespace espalier
