// SamplingParams and the option table: the one list of what a request may say
// about sampling. Parsing, validation, defaults and help all come from it.
//
// Thread safety: plain data and pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/status.h"
#include "kernels/base/types.h"

namespace espalier {

struct SamplingParams {
  float temperature = 1.0f;  // below 1e-6: greedy
  float top_p = 1.0f;
  std::int32_t top_k = -1;  // -1 and 0: all
  float min_p = 0.0f;
  float frequency_penalty = 0.0f;   // times the count of a token in the output
  float presence_penalty = 0.0f;    // once for a token of the output
  float repetition_penalty = 1.0f;  // for a token of the prompt or the output
  std::int32_t max_new_tokens = 128;
  std::int32_t min_new_tokens = 0;
  std::int32_t n = 1;
  std::optional<std::uint64_t> seed;
  bool ignore_eos = false;
  bool skip_special_tokens = true;  // false: those of the output are in its text by their names
  bool complete = false;            // a constrained output ends whole within max_new_tokens
  std::vector<std::string> stop;
  std::vector<std::string> stop_regex;
  std::vector<TokenId> stop_token_ids;
  std::map<TokenId, float> logit_bias;
  bool return_logprob = false;
  std::int32_t top_logprobs_num = 0;
  // First prompt token whose log-probability is wanted; unset: none of the prompt.
  std::optional<std::int32_t> logprob_start_len;
};

// A row of the option table.
struct SamplingOption {
  std::string_view name;   // native name: "max_new_tokens"
  std::string_view type;   // "number", "integer", "boolean", "string or list", ...
  std::string_view range;  // for people: "[0, 2]"
  std::string_view help;

  // Sets the member from `value`, or says what is wrong with it: kInvalidArgument
  // with the name, what came and what is allowed; `to` is unspecified then.
  Status (*parse)(const nlohmann::json& value, SamplingParams& to);
  // The same judgement of a value that is already there.
  Status (*check)(const SamplingParams& params);
  // That value as text, for help; empty where there is none, or it is no number.
  std::string (*show)(const SamplingParams& params);
};
std::span<const SamplingOption> SamplingOptions();
const SamplingOption* FindSamplingOption(std::string_view name);  // null if there is none

// Every row's check, and what the options must agree on with each other.
Status CheckSamplingParams(const SamplingParams& params);

}  // namespace espalier
