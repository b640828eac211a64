// Chat templates on a real model's golden texts, and the pieces cut from templates.
#include "frontend_lang/chat/chat_format.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/paths.h"

namespace espalier {
namespace {

// SmolLM2-Instruct's own template.
constexpr std::string_view kSmolLm2 =
    "{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}"
    "{{ '<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face"
    "<|im_end|>\n' }}{% endif %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + "
    "'<|im_end|>' + '\n'}}{% endfor %}{% if add_generation_prompt %}"
    "{{ '<|im_start|>assistant\n' }}{% endif %}";

TEST(ChatTemplate, EqualsTheGoldenTextsOfTheDefaultModel) {
  ESP_NEEDS_SHARED("golden/smollm2-135m/chat.jsonl");
  const Result<ChatTemplate> compiled = ChatTemplate::Compile(kSmolLm2);
  ASSERT_TRUE(compiled.ok()) << compiled.status().message();
  std::ifstream file(test::SharedPath("golden/smollm2-135m/chat.jsonl"));
  int num_cases = 0;
  for (std::string line; std::getline(file, line); ++num_cases) {
    const auto json = nlohmann::ordered_json::parse(line);
    const Result<std::string> text = compiled->Render(
        {.messages = json["messages"], .add_generation_prompt = json["add_generation_prompt"]});
    ASSERT_TRUE(text.ok()) << text.status().message();
    EXPECT_EQ(text.value(), json["text"].get<std::string>());
  }
  EXPECT_GT(num_cases, 0);
}

TEST(ChatTemplate, ErrorsTellLineAndColumn) {
  const Status bad = ChatTemplate::Compile("a\n{{ 1 + }}").status();
  EXPECT_EQ(bad.code(), Code::kInvalidArgument);
  EXPECT_NE(bad.message().find("line 2, column 8"), std::string::npos) << bad.message();
  EXPECT_EQ(ChatTemplate::Compile("{% include 'x' %}").status().code(), Code::kUnsupported);
  EXPECT_EQ(ChatTemplate::Compile("{{ 1 | nope }}").status().code(), Code::kUnsupported);
}

TEST(ChatTemplate, RaiseExceptionGivesItsOwnMessage) {
  const auto compiled = ChatTemplate::Compile("{{ raise_exception('no such role') }}");
  ASSERT_TRUE(compiled.ok());
  const Status status = compiled->Render({}).status();
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_EQ(status.message(), "no such role");
}

TEST(ChatTemplate, RunawaysEndInALimit) {
  const std::string_view runaways[] = {
      "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
      "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
      "{{ 'x' * 900000000000 }}",
      "{{ 'x'.center(900000000000) }}",
      "{% for i in range(99999) %}{{ 'x' * 100000 }}{% endfor %}",
      "{% set n = namespace(s='x') %}{% for i in range(99) %}{% set n.s = n.s ~ n.s %}{% endfor %}",
  };
  for (const std::string_view text : runaways) {
    const auto compiled = ChatTemplate::Compile(text);
    ASSERT_TRUE(compiled.ok()) << text;
    jinja::RenderLimits limits;
    limits.values.max_steps = 200'000;
    limits.values.max_bytes = 16 << 20;
    limits.max_output_bytes = 1 << 20;
    EXPECT_EQ(compiled->Render({}, limits).status().code(), Code::kLimit) << text;
  }
}

// The pieces of a conversation, put together, are the whole rendering.
TEST(ChatFormat, PiecesOfATemplateMakeTheWholeConversation) {
  const auto format = ChatFormat::FromTemplate(kSmolLm2, "", "");
  const auto compiled = ChatTemplate::Compile(kSmolLm2);
  ASSERT_TRUE(format.ok() && compiled.ok());
  std::vector<ChatTurn> turns;
  nlohmann::ordered_json messages = nlohmann::ordered_json::array();
  std::string text;
  for (const auto& [role, content] : {std::pair<std::string, std::string>{"user", "Hi"},
                                      {"assistant", "Hello."},
                                      {"user", "Bye"},
                                      {"assistant", "Bye."}}) {
    const Result<TurnText> piece = format->Around(turns, role);
    ASSERT_TRUE(piece.ok()) << piece.status().message();
    text += piece->before + content + piece->after;
    turns.push_back({role, content});
    messages.push_back({{"role", role}, {"content", content}});
    EXPECT_EQ(text, compiled->Render({.messages = messages}).value());
  }
}

// Thousands of turns, of which a template is shown a few.
TEST(ChatFormat, PiecesOfALongConversationMakeTheWholeToo) {
  const std::string_view alternating =
      "{% for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}"
      "{{ raise_exception('roles must alternate') }}{% endif %}"
      "{{ '[' ~ m.role ~ (' first' if loop.first else '') ~ ']' ~ m.content ~ '\n' }}{% endfor %}"
      "{% if add_generation_prompt %}{{ '[assistant]' }}{% endif %}";
  for (const std::string_view jinja : {kSmolLm2, alternating}) {
    const auto format = ChatFormat::FromTemplate(jinja, "", "");
    const auto compiled = ChatTemplate::Compile(jinja);
    ASSERT_TRUE(format.ok() && compiled.ok());
    std::vector<ChatTurn> turns;
    nlohmann::ordered_json messages = nlohmann::ordered_json::array();
    std::string text;
    for (int i = 0; i < 3001; ++i) {
      const std::string role = i % 2 == 0 ? "user" : "assistant";
      const std::string content = "message " + std::to_string(i);
      const Result<TurnText> piece = format->Around(turns, role);
      ASSERT_TRUE(piece.ok()) << i << ": " << piece.status().message();
      text += piece->before + content + piece->after;
      turns.push_back({role, content});
      messages.push_back({{"role", role}, {"content", content}});
    }
    EXPECT_EQ(text, compiled->Render({.messages = messages}).value());
  }
}

TEST(ChatFormat, ATemplateThatLooksIntoTheMiddleIsRefusedOnceItIsLong) {
  const auto format = ChatFormat::FromTemplate(
      "{% for m in messages %}{{ m.content }}"
      "{% if loop.index0 >= 10 %}{{ messages[10].content }}{% endif %}{% endfor %}",
      "", "");
  ASSERT_TRUE(format.ok());
  std::vector<ChatTurn> turns;
  for (std::size_t i = 0; i < 64; ++i) turns.push_back({"user", std::to_string(i)});
  EXPECT_TRUE(format->Around({turns.begin(), turns.begin() + 12}, "user").ok());
  const Status status = format->Around({turns.begin(), turns.begin() + 32}, "user").status();
  EXPECT_EQ(status.code(), Code::kUnsupported);
  EXPECT_NE(status.message().find("in the middle"), std::string::npos) << status.message();
}

TEST(ChatFormat, ATemplateThatRewritesEarlierTextIsRefused) {
  const auto format = ChatFormat::FromTemplate(
      "{{ messages | length }}{% for m in messages %}{{ m.content }}{% endfor %}", "", "");
  ASSERT_TRUE(format.ok());
  EXPECT_TRUE(format->Around({}, "user").ok());
  EXPECT_EQ(format->Around({{"user", "a"}}, "user").status().code(), Code::kUnsupported);
}

TEST(ChatFormat, NamedFormatsFollowTheirTable) {
  const auto llama2 = ChatFormat::Named("llama-2-chat");
  ASSERT_TRUE(llama2.ok());
  EXPECT_EQ(llama2->Around({}, "system")->before, "[INST] <<SYS>>\n");
  EXPECT_EQ(llama2->Around({{"system", "s"}}, "user")->before, "");
  const auto vicuna = ChatFormat::Named("vicuna_v1.1");
  ASSERT_TRUE(vicuna.ok());
  EXPECT_TRUE(vicuna->Around({}, "user")->before.ends_with("user's questions. USER:"));
  EXPECT_EQ(ChatFormat::Named("nope").status().code(), Code::kNotFound);
  EXPECT_EQ(ChatFormat::Named("default")->Around({}, "tool").status().code(), Code::kUnsupported);
}

}  // namespace
}  // namespace espalier
