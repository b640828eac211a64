#include "runtime/engine/sampling_params.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace espalier {
namespace {

using Json = nlohmann::json;

Status Parse(std::string_view name, const Json& value, SamplingParams& to) {
  const SamplingOption* option = FindSamplingOption(name);
  EXPECT_NE(option, nullptr) << name;
  return option->parse(value, to);
}

Status Parse(std::string_view name, std::string_view json) {
  SamplingParams params;
  return Parse(name, Json::parse(json), params);
}

TEST(SamplingParams, TableHasTheNativeNamesOnce) {
  const std::vector<std::string_view> names = {"max_new_tokens",
                                               "min_new_tokens",
                                               "temperature",
                                               "top_p",
                                               "top_k",
                                               "min_p",
                                               "frequency_penalty",
                                               "presence_penalty",
                                               "repetition_penalty",
                                               "stop",
                                               "stop_regex",
                                               "stop_token_ids",
                                               "ignore_eos",
                                               "skip_special_tokens",
                                               "complete",
                                               "seed",
                                               "n",
                                               "logit_bias",
                                               "return_logprob",
                                               "top_logprobs_num",
                                               "logprob_start_len"};
  EXPECT_EQ(SamplingOptions().size(), names.size());
  for (const std::string_view name : names) EXPECT_NE(FindSamplingOption(name), nullptr) << name;
  EXPECT_EQ(FindSamplingOption("top_q"), nullptr);
}

TEST(SamplingParams, ParsesEachOption) {
  SamplingParams params;
  const Json values = Json::parse(R"({
    "max_new_tokens": 7, "min_new_tokens": 2, "temperature": 0.5, "top_p": 0.25, "top_k": 40,
    "min_p": 0.125, "frequency_penalty": -2, "presence_penalty": 2, "repetition_penalty": 1.5,
    "stop": ["a", "b"], "stop_regex": "[0-9]+", "stop_token_ids": [3, 0], "ignore_eos": true,
    "seed": 18446744073709551615, "n": 128, "logit_bias": {"5": -100, "6": 1.5},
    "return_logprob": true, "top_logprobs_num": 5, "logprob_start_len": 0})");
  for (const auto& [name, value] : values.items()) {
    const Status status = Parse(name, value, params);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  EXPECT_EQ(params.max_new_tokens, 7);
  EXPECT_EQ(params.min_new_tokens, 2);
  EXPECT_EQ(params.temperature, 0.5f);
  EXPECT_EQ(params.top_p, 0.25f);
  EXPECT_EQ(params.top_k, 40);
  EXPECT_EQ(params.min_p, 0.125f);
  EXPECT_EQ(params.frequency_penalty, -2.0f);
  EXPECT_EQ(params.presence_penalty, 2.0f);
  EXPECT_EQ(params.repetition_penalty, 1.5f);
  EXPECT_EQ(params.stop, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(params.stop_regex, (std::vector<std::string>{"[0-9]+"}));
  EXPECT_EQ(params.stop_token_ids, (std::vector<TokenId>{3, 0}));
  EXPECT_TRUE(params.ignore_eos);
  EXPECT_EQ(params.seed, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(params.n, 128);
  EXPECT_EQ(params.logit_bias, (std::map<TokenId, float>{{5, -100.0f}, {6, 1.5f}}));
  EXPECT_TRUE(params.return_logprob);
  EXPECT_EQ(params.top_logprobs_num, 5);
  EXPECT_EQ(params.logprob_start_len, 0);
  EXPECT_TRUE(CheckSamplingParams(params).ok());
}

TEST(SamplingParams, MessageNamesTheOptionWhatIsAllowedAndWhatCame) {
  EXPECT_EQ(Parse("temperature", "-1").message(),
            "temperature must be a number, from 0 to 3.4e38; got -1");
  EXPECT_EQ(Parse("top_p", "\"high\"").message(),
            "top_p must be a number, in (0, 1]; got \"high\"");
  EXPECT_EQ(Parse("n", "129").message(), "n must be an integer, in [1, 128]; got 129");
  EXPECT_EQ(Parse("ignore_eos", "1").message(), "ignore_eos must be a boolean; got 1");
  EXPECT_EQ(Parse("stop", "\"\"").message(),
            "stop: a stop string must have 1 to 1024 bytes; got 0");
}

TEST(SamplingParams, RefusesHostileValues) {
  const std::pair<const char*, const char*> bad[] = {{"max_new_tokens", "-1"},
                                                     {"max_new_tokens", "1.5"},
                                                     {"max_new_tokens", "2147483648"},
                                                     {"max_new_tokens", "1e30"},
                                                     {"max_new_tokens", "18446744073709551615"},
                                                     {"max_new_tokens", "null"},
                                                     {"max_new_tokens", "true"},
                                                     {"max_new_tokens", "\"5\""},
                                                     {"min_new_tokens", "-1"},
                                                     {"temperature", "1e39"},
                                                     {"temperature", "null"},
                                                     {"temperature", "[1]"},
                                                     {"top_p", "0"},
                                                     {"top_p", "1e-60"},
                                                     {"top_p", "1.0001"},
                                                     {"top_k", "-2"},
                                                     {"top_k", "0.5"},
                                                     {"min_p", "-0.1"},
                                                     {"min_p", "1.1"},
                                                     {"frequency_penalty", "2.1"},
                                                     {"presence_penalty", "-2.1"},
                                                     {"repetition_penalty", "0"},
                                                     {"repetition_penalty", "2.5"},
                                                     {"stop", "5"},
                                                     {"stop", "[5]"},
                                                     {"stop", "[\"\"]"},
                                                     {"stop", "{\"a\": 1}"},
                                                     {"stop_regex", "\"(\""},
                                                     {"stop_regex", "\"a*\""},
                                                     {"stop_regex", "\"\""},
                                                     {"stop_regex", "\"\\\\Qab\""},
                                                     {"stop_regex", "[\"[a\"]"},
                                                     {"stop_token_ids", "[-1]"},
                                                     {"stop_token_ids", "[2147483648]"},
                                                     {"stop_token_ids", "3"},
                                                     {"stop_token_ids", "[\"3\"]"},
                                                     {"ignore_eos", "\"true\""},
                                                     {"seed", "1.5"},
                                                     {"seed", "1e30"},
                                                     {"n", "0"},
                                                     {"logit_bias", "[]"},
                                                     {"logit_bias", "{\"-1\": 1}"},
                                                     {"logit_bias", "{\"x\": 1}"},
                                                     {"logit_bias", "{\"\": 1}"},
                                                     {"logit_bias", "{\"1\": \"a\"}"},
                                                     {"logit_bias", "{\"1\": 101}"},
                                                     {"logit_bias", "{\"99999999999\": 1}"},
                                                     {"return_logprob", "0"},
                                                     {"top_logprobs_num", "129"},
                                                     {"top_logprobs_num", "-1"},
                                                     {"logprob_start_len", "-2"},
                                                     {"logprob_start_len", "\"0\""}};
  for (const auto& [name, value] : bad) {
    const Status status = Parse(name, value);
    EXPECT_EQ(status.code(), Code::kInvalidArgument) << name << " " << value;
    EXPECT_NE(status.message().find(name), std::string::npos) << status.message();
  }
}

TEST(SamplingParams, DeepAndLongValuesAreRefusedBriefly) {
  Json deep = Json::array();
  for (int i = 0; i < 100000; ++i) deep = Json::array({std::move(deep)});
  for (const SamplingOption& option : SamplingOptions()) {
    SamplingParams params;
    EXPECT_FALSE(option.parse(deep, params).ok()) << option.name;
    const Status status = option.parse(std::string(1 << 20, '\xff'), params);
    EXPECT_FALSE(status.ok()) << option.name;
    EXPECT_LT(status.message().size(), 400u) << option.name;
  }
  EXPECT_FALSE(Parse("stop", Json(std::vector<std::string>(65, "x")).dump()).ok());
  EXPECT_FALSE(Parse("stop_token_ids", Json(std::vector<int>(4097, 1)).dump()).ok());
}

TEST(SamplingParams, CheckRefusesWhatNoParserSaw) {
  const auto refused = [](auto change) {
    SamplingParams params;
    change(params);
    return !CheckSamplingParams(params).ok();
  };
  const float nan = std::nanf("");
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(refused([](SamplingParams&) {}));
  EXPECT_TRUE(refused([&](SamplingParams& p) { p.temperature = nan; }));
  EXPECT_TRUE(refused([&](SamplingParams& p) { p.temperature = infinity; }));
  EXPECT_TRUE(refused([&](SamplingParams& p) { p.top_p = nan; }));
  EXPECT_TRUE(refused([&](SamplingParams& p) { p.logit_bias = {{1, nan}}; }));
  EXPECT_TRUE(refused([](SamplingParams& p) { p.logit_bias = {{-1, 0.0f}}; }));
  EXPECT_TRUE(refused([](SamplingParams& p) { p.stop_token_ids = {-1}; }));
  EXPECT_TRUE(refused([](SamplingParams& p) { p.stop = {""}; }));
  EXPECT_TRUE(refused([](SamplingParams& p) { p.stop_regex = {"["}; }));
  EXPECT_TRUE(refused([](SamplingParams& p) { p.logprob_start_len = -1; }));
  EXPECT_TRUE(refused([](SamplingParams& p) { p.min_new_tokens = p.max_new_tokens + 1; }));
}

}  // namespace
}  // namespace espalier
