#include "runtime/engine/sampling_params.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "runtime/engine/stop_patterns.h"

namespace espalier {
namespace {

using Json = nlohmann::json;
using Params = SamplingParams;

constexpr std::int32_t kMaxInt = std::numeric_limits<std::int32_t>::max();
constexpr float kMaxFloat = std::numeric_limits<float>::max();
constexpr std::size_t kMaxListed = 4096;  // stop_token_ids, logit_bias

// A row before its functions: each of them needs the name and the range.
struct Spec {
  std::string_view name, type, range, help;
  double low = 0, high = 0;
  bool low_is_open = false;  // the range leaves `low` itself out
};

Status Wrong(const Spec& spec, std::string_view got) {
  const std::string_view gap = spec.range.empty() ? "" : ", ";
  return {Code::kInvalidArgument, fmt::format("{} must be {} {}{}{}; got {}", spec.name,
                                              spec.type.find_first_of("aeiou") == 0 ? "an" : "a",
                                              spec.type, gap, spec.range, got)};
}

// Lists and objects are named, not shown: they may be deep, and dump() recurses.
Status WrongJson(const Spec& spec, const Json& got) {
  constexpr std::size_t kMost = 60;
  if (got.is_structured()) return Wrong(spec, got.is_array() ? "a list" : "an object");
  std::string text = got.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > kMost) text = text.substr(0, kMost) + "...";
  return Wrong(spec, text);
}

template <typename T>
Status CheckRange(const Spec& spec, T value) {
  const double x = static_cast<double>(value);
  const bool inside = x <= spec.high && (spec.low_is_open ? x > spec.low : x >= spec.low);
  return inside ? Status() : Wrong(spec, fmt::format("{}", value));  // NaN is not inside
}

// A value that fits 64 bits, signed or not; integers beyond are floats to the parser.
std::optional<std::int64_t> Integer(const Json& value) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() &&
      value.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
    return std::nullopt;
  }
  return value.get<std::int64_t>();
}

std::optional<TokenId> Token(const Json& value) {
  const std::optional<std::int64_t> id = Integer(value);
  if (!id || *id < 0 || *id > kMaxInt) return std::nullopt;
  return static_cast<TokenId>(*id);
}

std::optional<TokenId> TokenKey(std::string_view digits) {
  if (digits.empty() || digits.size() > 10) return std::nullopt;
  std::int64_t id = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    id = id * 10 + (c - '0');
  }
  return id <= kMaxInt ? std::optional(static_cast<TokenId>(id)) : std::nullopt;
}

template <const Spec& spec, float Params::*member>
struct Number {
  static Status Check(const Params& params) { return CheckRange(spec, params.*member); }
  static std::string Show(const Params& params) { return fmt::format("{}", params.*member); }
  static Status Parse(const Json& value, Params& to) {
    if (!value.is_number()) return WrongJson(spec, value);
    to.*member = static_cast<float>(value.get<double>());
    return Check(to).ok() ? Status() : WrongJson(spec, value);
  }
};

template <const Spec& spec, std::int32_t Params::*member>
struct Int {
  static Status Check(const Params& params) { return CheckRange(spec, params.*member); }
  static std::string Show(const Params& params) { return fmt::format("{}", params.*member); }
  static Status Parse(const Json& value, Params& to) {
    const std::optional<std::int64_t> x = Integer(value);
    if (!x || !CheckRange(spec, *x).ok()) return WrongJson(spec, value);
    to.*member = static_cast<std::int32_t>(*x);
    return {};
  }
};

template <const Spec& spec, bool Params::*member>
struct Bool {
  static std::string Show(const Params& /*params*/) { return ""; }
  static Status Check(const Params& /*params*/) { return {}; }
  static Status Parse(const Json& value, Params& to) {
    if (!value.is_boolean()) return WrongJson(spec, value);
    to.*member = value.get<bool>();
    return {};
  }
};

template <const Spec& spec, std::vector<std::string> Params::*member,
          Status (*check_pattern)(std::string_view)>
struct Strings {
  static std::string Show(const Params& /*params*/) { return ""; }
  static Status Check(const Params& params) {
    const std::vector<std::string>& patterns = params.*member;
    if (patterns.size() > static_cast<std::size_t>(spec.high)) {
      return Wrong(spec, fmt::format("{} of them", patterns.size()));
    }
    for (const std::string& pattern : patterns) {
      if (Status status = check_pattern(pattern); !status.ok()) {
        return {status.code(), fmt::format("{}: {}", spec.name, status.message())};
      }
    }
    return {};
  }
  static Status Parse(const Json& value, Params& to) {
    (to.*member).clear();
    if (!value.is_string() && !value.is_array()) return WrongJson(spec, value);
    if (value.is_string()) (to.*member).push_back(value.get<std::string>());
    for (std::size_t i = 0; value.is_array() && i < value.size(); ++i) {
      if (!value[i].is_string()) return WrongJson(spec, value[i]);
      (to.*member).push_back(value[i].get<std::string>());
    }
    return Check(to);
  }
};

constexpr Spec kStopTokenIds{"stop_token_ids", "list", "at most 4096 token ids",
                             "tokens that end the output"};
struct StopTokenIds {
  static std::string Show(const Params& /*params*/) { return ""; }
  static Status Check(const Params& params) {
    if (params.stop_token_ids.size() > kMaxListed) {
      return Wrong(kStopTokenIds, fmt::format("{} of them", params.stop_token_ids.size()));
    }
    for (const TokenId id : params.stop_token_ids) {
      if (id < 0) return Wrong(kStopTokenIds, fmt::format("{}", id));
    }
    return {};
  }
  static Status Parse(const Json& value, Params& to) {
    to.stop_token_ids.clear();
    if (!value.is_array()) return WrongJson(kStopTokenIds, value);
    for (const Json& item : value) {
      const std::optional<TokenId> id = Token(item);
      if (!id) return WrongJson(kStopTokenIds, item);
      to.stop_token_ids.push_back(*id);
    }
    return Check(to);
  }
};

constexpr Spec kSeed{"seed", "integer", "of 64 bits", "of the draws; unset: given by the caller"};
struct Seed {
  static std::string Show(const Params& /*params*/) { return ""; }
  static Status Check(const Params& /*params*/) { return {}; }
  static Status Parse(const Json& value, Params& to) {
    if (!value.is_number_integer()) return WrongJson(kSeed, value);
    to.seed = value.is_number_unsigned() ? value.get<std::uint64_t>()
                                         : static_cast<std::uint64_t>(value.get<std::int64_t>());
    return {};
  }
};

constexpr Spec kLogitBias{"logit_bias",
                          "object",
                          "token id to a number in [-100, 100]",
                          "added to the logits of these tokens",
                          -100,
                          100};
struct LogitBias {
  static std::string Show(const Params& /*params*/) { return ""; }
  static Status Check(const Params& params) {
    if (params.logit_bias.size() > kMaxListed) {
      return Wrong(kLogitBias, fmt::format("{} entries", params.logit_bias.size()));
    }
    for (const auto& [id, bias] : params.logit_bias) {
      if (id < 0) return Wrong(kLogitBias, fmt::format("token {}", id));
      ESP_RETURN_IF_ERROR(CheckRange(kLogitBias, bias));
    }
    return {};
  }
  static Status Parse(const Json& value, Params& to) {
    to.logit_bias.clear();
    if (!value.is_object()) return WrongJson(kLogitBias, value);
    for (const auto& [key, bias] : value.items()) {
      const std::optional<TokenId> id = TokenKey(key);
      if (!id) return WrongJson(kLogitBias, Json(key));
      if (!bias.is_number()) return WrongJson(kLogitBias, bias);
      to.logit_bias[*id] = static_cast<float>(bias.template get<double>());
    }
    return Check(to);
  }
};

constexpr Spec kLogprobStart{"logprob_start_len",
                             "integer",
                             "-1 (output only) or 0 to 2147483647",
                             "first prompt token whose log-probability is wanted",
                             -1,
                             kMaxInt};
struct LogprobStart {
  static std::string Show(const Params& /*params*/) { return ""; }
  static Status Check(const Params& params) {
    return params.logprob_start_len.value_or(0) >= 0
               ? Status()
               : Wrong(kLogprobStart, fmt::format("{}", *params.logprob_start_len));
  }
  static Status Parse(const Json& value, Params& to) {
    const std::optional<std::int64_t> x = Integer(value);
    if (!x || !CheckRange(kLogprobStart, *x).ok()) return WrongJson(kLogprobStart, value);
    to.logprob_start_len.reset();
    if (*x >= 0) to.logprob_start_len = static_cast<std::int32_t>(*x);
    return {};
  }
};

constexpr Spec kMaxNew{"max_new_tokens",
                       "integer",
                       "from 0 to 2147483647",
                       "most tokens of the output; 0 only reads the prompt",
                       0,
                       kMaxInt};
constexpr Spec kMinNew{"min_new_tokens",
                       "integer",
                       "from 0 to max_new_tokens",
                       "tokens before which nothing ends the output",
                       0,
                       kMaxInt};
constexpr Spec kTemperature{"temperature",
                            "number",
                            "from 0 to 3.4e38",
                            "divides the logits; below 1e-6: the likeliest token, always",
                            0,
                            kMaxFloat};
constexpr Spec kTopP{"top_p",     "number",
                     "in (0, 1]", "draw from the likeliest tokens that hold this much probability",
                     0,           1,
                     true};
constexpr Spec kTopK{"top_k",
                     "integer",
                     "-1 or 0 (all), or 1 to 2147483647",
                     "draw from this many of the likeliest tokens",
                     -1,
                     kMaxInt};
constexpr Spec kMinP{"min_p",     "number",
                     "in [0, 1]", "drop tokens below this share of the likeliest one's probability",
                     0,           1};
constexpr Spec kFrequency{"frequency_penalty",
                          "number",
                          "in [-2, 2]",
                          "taken from a token's logit for each time it is in the output",
                          -2,
                          2};
constexpr Spec kPresence{"presence_penalty",
                         "number",
                         "in [-2, 2]",
                         "taken from the logit of each token in the output",
                         -2,
                         2};
constexpr Spec kRepetition{"repetition_penalty",
                           "number",
                           "in (0, 2]",
                           "shrinks the logits of tokens in the prompt or the output where above 1",
                           0,
                           2,
                           true};
constexpr Spec kStop{"stop",
                     "string or list",
                     "at most 64 strings of 1 to 1024 bytes",
                     "the output ends before any of these",
                     0,
                     StopPatterns::kMaxStrings};
constexpr Spec kStopRegex{"stop_regex",
                          "string or list",
                          "at most 8 patterns, as of Python's re",
                          "the output ends before a match of any of these",
                          0,
                          StopPatterns::kMaxRegexes};
constexpr Spec kIgnoreEos{"ignore_eos", "boolean", "", "end tokens do not end the output"};
constexpr Spec kComplete{"complete", "boolean", "",
                         "a constrained output takes the shortest way to its end before "
                         "max_new_tokens would cut it"};
constexpr Spec kSkipSpecial{"skip_special_tokens", "boolean", "",
                            "special tokens of the output are not in its text"};
constexpr Spec kN{"n", "integer", "in [1, 128]", "outputs for one prompt", 1, 128};
constexpr Spec kReturnLogprob{"return_logprob", "boolean", "",
                              "report log-probabilities of the output"};
constexpr Spec kTopLogprobs{"top_logprobs_num",
                            "integer",
                            "in [0, 128]",
                            "also report this many of the likeliest tokens",
                            0,
                            128};

template <typename Functions>
constexpr SamplingOption Row(const Spec& spec) {
  return {spec.name,         spec.type,         spec.range,      spec.help,
          &Functions::Parse, &Functions::Check, &Functions::Show};
}

constexpr SamplingOption kOptions[] = {
    Row<Int<kMaxNew, &Params::max_new_tokens>>(kMaxNew),
    Row<Int<kMinNew, &Params::min_new_tokens>>(kMinNew),
    Row<Number<kTemperature, &Params::temperature>>(kTemperature),
    Row<Number<kTopP, &Params::top_p>>(kTopP),
    Row<Int<kTopK, &Params::top_k>>(kTopK),
    Row<Number<kMinP, &Params::min_p>>(kMinP),
    Row<Number<kFrequency, &Params::frequency_penalty>>(kFrequency),
    Row<Number<kPresence, &Params::presence_penalty>>(kPresence),
    Row<Number<kRepetition, &Params::repetition_penalty>>(kRepetition),
    Row<Strings<kStop, &Params::stop, &CheckStopString>>(kStop),
    Row<Strings<kStopRegex, &Params::stop_regex, &CheckStopRegex>>(kStopRegex),
    Row<StopTokenIds>(kStopTokenIds),
    Row<Bool<kIgnoreEos, &Params::ignore_eos>>(kIgnoreEos),
    Row<Bool<kSkipSpecial, &Params::skip_special_tokens>>(kSkipSpecial),
    Row<Bool<kComplete, &Params::complete>>(kComplete),
    Row<Seed>(kSeed),
    Row<Int<kN, &Params::n>>(kN),
    Row<LogitBias>(kLogitBias),
    Row<Bool<kReturnLogprob, &Params::return_logprob>>(kReturnLogprob),
    Row<Int<kTopLogprobs, &Params::top_logprobs_num>>(kTopLogprobs),
    Row<LogprobStart>(kLogprobStart),
};

}  // namespace

std::span<const SamplingOption> SamplingOptions() { return kOptions; }

const SamplingOption* FindSamplingOption(std::string_view name) {
  for (const SamplingOption& option : kOptions) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

Status CheckSamplingParams(const SamplingParams& params) {
  for (const SamplingOption& option : kOptions) ESP_RETURN_IF_ERROR(option.check(params));
  if (params.min_new_tokens > params.max_new_tokens) {
    return Wrong(kMinNew, fmt::format("{} with max_new_tokens {}", params.min_new_tokens,
                                      params.max_new_tokens));
  }
  return {};
}

}  // namespace espalier
