#include "frontend_lang/program/gen_parameters.h"

#include <algorithm>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/integer/integer.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::program {
namespace {

using lang::Fault;
using lang::Host;
using lang::Value;

Fault Wrong(std::string_view name, std::string_view wanted, const Value& value) {
  return lang::TypeError(
      fmt::format("{} must be {}, not '{}'", name, wanted, lang::TypeName(value)));
}

constexpr int kMostInt = 1'000'000'000;
constexpr int kMostChoices = 128;  // of one gen

template <std::optional<int> GenOptions::*field, int least, int most = kMostInt>
Fault SetInt(Host& host, std::string_view name, const Value& value, GenOptions& to) {
  if (!value.is_integer() || value.is_bool()) return Wrong(name, "an int", value);
  if (!value.is_int() || value.as_int() < least || value.as_int() > most) {
    ESP_TRY_ASSIGN(const std::string given, lang::Repr(host, value));
    const bool is_below = lang::CompareIntegerToFloat(value, least) < 0;
    return lang::ValueError(fmt::format("{} must be at {} {}, not {}", name,
                                        is_below ? "least" : "most", is_below ? least : most,
                                        given));
  }
  to.*field = static_cast<int>(value.as_int());
  return Fault();
}

// A number in [least, most] / 100.
template <std::optional<double> GenOptions::*field, int least, int most>
Fault SetNumber(Host& host, std::string_view name, const Value& value, GenOptions& to) {
  const bool is_int = value.is_integer() && !value.is_bool();
  if (!value.is_float() && !is_int) return Wrong(name, "a number", value);
  // An int beyond 64 bits is out of any range.
  const double number = value.is_float() ? value.as_float()
                        : value.is_int() ? static_cast<double>(value.as_int())
                                         : std::numeric_limits<double>::quiet_NaN();
  if (!(number >= least / 100.0 && number <= most / 100.0)) {
    ESP_TRY_ASSIGN(const std::string given, lang::Repr(host, value));
    return lang::ValueError(fmt::format("{} must be between {} and {}, not {}", name, least / 100.0,
                                        most / 100.0, given));
  }
  to.*field = number;
  return Fault();
}

template <std::optional<bool> GenOptions::*field>
Fault SetBool(Host&, std::string_view name, const Value& value, GenOptions& to) {
  if (!value.is_bool()) return Wrong(name, "a bool", value);
  to.*field = value.as_bool();
  return Fault();
}

template <std::vector<std::string> GenOptions::*field>
Fault SetTexts(Host& host, std::string_view name, const Value& value, GenOptions& to) {
  std::vector<std::string> texts;
  if (value.is_str()) {
    texts.emplace_back(lang::TextOf(value));
  } else {
    if (value.type() != lang::Type::kList && value.type() != lang::Type::kTuple) {
      return Wrong(name, "a str or a list of str", value);
    }
    ESP_TRY_ASSIGN(const auto items, lang::Collect(host, value));
    for (const Value& item : items) {
      if (!item.is_str()) return Wrong(name, "a str or a list of str", item);
      texts.emplace_back(lang::TextOf(item));
    }
  }
  to.*field = std::move(texts);
  return Fault();
}

Fault SetTokenIds(Host& host, std::string_view name, const Value& value, GenOptions& to) {
  if (value.type() != lang::Type::kList && value.type() != lang::Type::kTuple) {
    return Wrong(name, "a list of int", value);
  }
  ESP_TRY_ASSIGN(const auto items, lang::Collect(host, value));
  to.stop_token_ids.clear();
  for (const Value& item : items) {
    if (!item.is_int() || item.as_int() < 0 || item.as_int() > kMostInt) {
      return Wrong(name, "a list of token ids", item);
    }
    to.stop_token_ids.push_back(static_cast<int>(item.as_int()));
  }
  return Fault();
}

using G = GenOptions;
constexpr GenParameter kParameters[] = {
    {"max_tokens", SetInt<&G::max_tokens, 0>},
    {"max_new_tokens", SetInt<&G::max_tokens, 0>},
    {"min_tokens", SetInt<&G::min_tokens, 0>},
    {"n", SetInt<&G::n, 1, kMostChoices>},
    {"stop", SetTexts<&G::stop>},
    {"stop_token_ids", SetTokenIds},
    {"stop_regex", SetTexts<&G::stop_regex>},
    {"temperature", SetNumber<&G::temperature, 0, 10'000>},
    {"top_p", SetNumber<&G::top_p, 0, 100>},
    {"top_k", SetInt<&G::top_k, -1>},
    {"min_p", SetNumber<&G::min_p, 0, 100>},
    {"frequency_penalty", SetNumber<&G::frequency_penalty, -200, 200>},
    {"presence_penalty", SetNumber<&G::presence_penalty, -200, 200>},
    {"repetition_penalty", SetNumber<&G::repetition_penalty, 0, 200>},
    {"ignore_eos", SetBool<&G::ignore_eos>},
    {"complete", SetBool<&G::complete>},
    {"return_logprob", SetBool<&G::return_logprob>},
    {"logprob_start_len", SetInt<&G::logprob_start_len, -1>},
    {"top_logprobs_num", SetInt<&G::top_logprobs_num, 0>},
    {"return_text_in_logprobs", SetBool<&G::return_text_in_logprobs>},
};

template <typename T>
void Override(std::optional<T>& under, const std::optional<T>& over) {
  if (over) under = over;
}
template <typename T>
void Override(std::vector<T>& under, const std::vector<T>& over) {
  if (!over.empty()) under = over;
}

}  // namespace

const GenParameter* FindGenParameter(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(kParameters), std::end(kParameters),
                   [name](const GenParameter& parameter) { return parameter.name == name; });
  return found == std::end(kParameters) ? nullptr : found;
}

GenOptions Merge(const GenOptions& under, const GenOptions& over) {
  GenOptions merged = under;
  std::optional<int> G::*const ints[] = {
      &G::max_tokens, &G::min_tokens,       &G::n,
      &G::top_k,      &G::top_logprobs_num, &G::logprob_start_len};
  for (const auto field : ints) Override(merged.*field, over.*field);
  std::optional<double> G::*const numbers[] = {
      &G::temperature,       &G::top_p, &G::min_p, &G::frequency_penalty, &G::presence_penalty,
      &G::repetition_penalty};
  for (const auto field : numbers) Override(merged.*field, over.*field);
  for (const auto field :
       {&G::ignore_eos, &G::complete, &G::return_logprob, &G::return_text_in_logprobs}) {
    Override(merged.*field, over.*field);
  }
  for (const auto field : {&G::stop, &G::stop_regex}) Override(merged.*field, over.*field);
  Override(merged.stop_token_ids, over.stop_token_ids);
  for (const auto field : {&G::regex, &G::json_schema, &G::ebnf}) {
    Override(merged.*field, over.*field);
  }
  return merged;
}

}  // namespace espalier::program
