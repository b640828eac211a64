// The words of the APIs: names of fields, bounds of bodies, tokens as they are spelled.
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "runtime/api/field_names.h"
#include "runtime/api/openai_body.h"
#include "runtime/api/responses_body.h"
#include "runtime/api/sglang_body.h"
#include "runtime/server/api_keys.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

TEST(ServerApiTest, ErrorsAreInTheClientsNames) {
  const FieldNames names = {{"choices", "guided_choice"}, {"schema", "guided_json"}};
  const auto named = [&](const char* message) {
    return InNamesOf(names, Status(Code::kInvalidArgument, message)).message();
  };
  EXPECT_EQ(named("choices must be a list"), "guided_choice must be a list");
  EXPECT_EQ(named("choices[0] must be"), "guided_choice[0] must be");
  EXPECT_EQ(named("choices_method needs"), "choices_method needs");
  EXPECT_EQ(named("schema: /type"), "guided_json: /type");
}

// Every field with values of every type: answered, and never by an exception.
TEST(ServerApiTest, AnyValueOfAnyFieldIsReadOrRefused) {
  const Json values =
      Json::parse(R"([null, true, 0, -1, 1.5, 1e99, "", "x", [], [1], ["a"], [null], {}, {"a": 1},
                      {"type": 3}, [[]], [{}], {"json_schema": 1}])");
  const char* const fields[] = {"model",
                                "messages",
                                "prompt",
                                "max_tokens",
                                "logprobs",
                                "top_logprobs",
                                "stream",
                                "stream_options",
                                "echo",
                                "response_format",
                                "return_logprob",
                                "guided_json",
                                "guided_choice",
                                "tools",
                                "tool_choice",
                                "functions",
                                "suffix",
                                "modalities",
                                "best_of",
                                "temperature",
                                "structured_outputs",
                                "chat_template_kwargs",
                                "add_generation_prompt",
                                "cache_salt",
                                "retention_s",
                                "rid",
                                "input",
                                "instructions",
                                "text",
                                "max_output_tokens",
                                "input_ids",
                                "sampling_params",
                                "return_text_in_logprobs",
                                "logprob_start_len",
                                "top_logprobs_num"};
  for (const char* const field : fields) {
    for (const Json& value : values) {
      const Json body = {
          {"messages", Json::array()}, {"prompt", "x"}, {"text", "x"}, {field, value}};
      EXPECT_NO_THROW({
        (void)ReadOpenAiBody(OpenAiApi::kChat, body);
        (void)ReadOpenAiBody(OpenAiApi::kCompletions, body);
        (void)ReadResponsesBody(body);
        (void)ReadSglangBody(body);
      }) << field
         << " " << value;
    }
  }
}

TEST(ServerApiTest, SamplingParamsHoldNoPrompt) {
  for (const char* const key : {"prompt", "ids", "messages", "cache_salt", "retention_s"}) {
    const Json body = {{"text", "a"}, {"sampling_params", {{key, "x"}}}};
    EXPECT_FALSE(ReadSglangBody(body).ok()) << key;
  }
}

TEST(ApiKeysTest, TheSchemeIsReadInAnyCase) {
  const std::vector<std::string> keys = {"one", "two"};
  EXPECT_TRUE(HasKey(keys, "Bearer two"));
  EXPECT_TRUE(HasKey(keys, "bearer one"));
  for (const char* const wrong : {"", "Bearer", "Bearer ", "Bearer three", "Basic one", "one"}) {
    EXPECT_FALSE(HasKey(keys, wrong)) << wrong;
  }
  EXPECT_TRUE(HasKey({}, ""));
}

}  // namespace
}  // namespace espalier
