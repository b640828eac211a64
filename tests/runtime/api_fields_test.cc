// Fields of bodies that say one thing: given twice they are refused, never dropped.
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "runtime/api/openai_body.h"
#include "runtime/api/sglang_body.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

Result<OpenAiBody> Completion(const char* fields) {
  Json body = Json::parse(fields);
  body["prompt"] = "x";
  return ReadOpenAiBody(OpenAiApi::kCompletions, body);
}

TEST(ApiFieldsTest, TwoFieldsThatSayOneThingOtherwiseAreRefusedByName) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"guided_regex": "a", "regex": "b"})", "guided_regex and regex"},
      {R"({"regex": "b", "guided_regex": "a"})", "regex and guided_regex"},
      {R"({"max_tokens": 5, "max_completion_tokens": 9})", "max_tokens and max_completion_tokens"},
      {R"({"max_new_tokens": 5, "max_tokens": 9})", "max_new_tokens and max_tokens"},
      {R"({"guided_json": {"const": 2}, "response_format": {"type": "json_object"}})",
       "guided_json and response_format"},
      {R"({"response_format": {"type": "json_schema", "json_schema": {"schema": {"const": 1}}},
           "json_schema": {"const": 2}})",
       "response_format.json_schema.schema and json_schema"},
      {R"({"structured_outputs": {"choice": ["a"]}, "guided_choice": ["b"]})",
       "structured_outputs.choice and guided_choice"},
      {R"({"logprobs": 2, "top_logprobs": 3})", "logprobs and top_logprobs"},
      {R"({"logprobs": true, "return_logprob": false})", "logprobs and return_logprob"},
      {R"({"cache_salt": "a", "extra_key": "b"})", "cache_salt and extra_key"},
      {R"({"rid": "a", "request_id": "b"})", "rid and request_id"},
  };
  for (const auto& [fields, names] : cases) {
    const Status status = Completion(fields).status();
    EXPECT_EQ(status.code(), Code::kInvalidArgument) << fields;
    EXPECT_TRUE(status.message().starts_with(names)) << fields << ": " << status.message();
  }
}

TEST(ApiFieldsTest, TwoFieldsThatSayTheSameAreOne) {
  const Result<OpenAiBody> body =
      Completion(R"({"max_tokens": 5, "max_completion_tokens": 5, "guided_regex": "a",
                     "regex": "a"})");
  ASSERT_TRUE(body.ok()) << body.status().message();
  EXPECT_EQ(body->line["max_new_tokens"], 5);
  EXPECT_EQ(body->line["regex"], "a");
}

TEST(ApiFieldsTest, ACompletionHasSixteenTokensUnlessItSays) {
  EXPECT_EQ(Completion("{}")->line["max_new_tokens"], 16);
  EXPECT_EQ(Completion(R"({"max_new_tokens": 3})")->line["max_new_tokens"], 3);
}

TEST(ApiFieldsTest, LogprobsOfAChatAreNoNumber) {
  const Json messages = Json::array({{{"role", "user"}, {"content", "x"}}});
  EXPECT_FALSE(ReadOpenAiBody(OpenAiApi::kChat, {{"messages", messages}, {"logprobs", 5}}).ok());
  EXPECT_TRUE(ReadOpenAiBody(OpenAiApi::kChat, {{"messages", messages}, {"logprobs", true}}).ok());
  EXPECT_TRUE(Completion(R"({"logprobs": 5})").ok());
}

TEST(ApiFieldsTest, SglangsTwoNamesOfOneOptionAreRefused) {
  const auto read = [](const char* text) { return ReadSglangBody(Json::parse(text)); };
  EXPECT_TRUE(read(R"({"text": "x", "sampling_params": {"max_tokens": 7, "max_new_tokens": 3}})")
                  .status()
                  .message()
                  .starts_with("max_tokens and max_new_tokens"));
  EXPECT_FALSE(read(R"({"text": "x", "cache_salt": "a", "extra_key": "b"})").ok());
  const Result<SglangBody> unset =
      read(R"({"text": "x", "sampling_params": {"max_new_tokens": null, "max_tokens": 7}})");
  ASSERT_TRUE(unset.ok());
  EXPECT_EQ(unset->items[0].line["max_new_tokens"], 7);
}

}  // namespace
}  // namespace espalier
