// Chat messages to a prompt's text: where it ends, and whose variables a template sees.
#include "runtime/local/chat_prompt.h"

#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kChatMl =
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

Result<std::string> Continued(const std::string& chat_template, const std::string& content) {
  Backend::ChatModel model;
  model.chat_template = chat_template;
  ChatRequest request{.messages = UserMessages("", "q"), .end = ChatPrompt::End::kContinued};
  request.messages.push_back({{"role", "assistant"}, {"content", content}});
  return ChatPrompt(std::move(model)).Render(request);
}

TEST(ChatPromptTest, AContinuedMessageEndsWhereItsContentDoes) {
  const std::string before = "<|im_start|>user\nq<|im_end|>\n<|im_start|>assistant\n";
  for (const char* const content :
       {"x", "e", "i", "end", "<", "im", ">", "assistant", "x \n", " x"}) {
    const Result<std::string> text = Continued(kChatMl, content);
    ASSERT_TRUE(text.ok()) << text.status().message();
    EXPECT_EQ(*text, before + content);
  }
}

TEST(ChatPromptTest, ATemplateThatTrimsContentsTrimsTheContinuedOneToo) {
  const std::string trims =
      "{% for m in messages %}[{{ m.role }}] {{ m.content|trim }} </s>{% endfor %}";
  for (const char* const content : {"yes s", "  yes s", "yes s \n", "\tyes s\t"}) {
    const Result<std::string> text = Continued(trims, content);
    ASSERT_TRUE(text.ok()) << text.status().message();
    EXPECT_EQ(*text, "[user] q </s>[assistant] yes s");
  }
}

TEST(ChatPromptTest, WhatCannotBeContinuedIsRefused) {
  EXPECT_EQ(Continued(kChatMl, " \n").status().code(), Code::kInvalidArgument);
  EXPECT_EQ(Continued("{{ messages[0].content }}", "x").status().code(), Code::kUnsupported);
}

TEST(ChatPromptTest, FurtherVariablesReplaceNothingThatTheRequestSays) {
  Backend::ChatModel model;
  model.chat_template = "{{ messages[0].content }} {{ mood }} {{ documents }}";
  const ChatPrompt chat(std::move(model));
  ChatRequest request{.messages = UserMessages("", "x"),
                      .extra = {{"mood", "glad"}, {"documents", "papers"}}};
  const Result<std::string> text = chat.Render(request);
  ASSERT_TRUE(text.ok()) << text.status().message();
  EXPECT_EQ(*text, "x glad papers");
  for (const char* const name :
       {"messages", "tools", "add_generation_prompt", "bos_token", "eos_token"}) {
    request.extra = {{name, 1}};
    const Status status = chat.Render(request).status();
    EXPECT_EQ(status.code(), Code::kUnsupported) << name;
    EXPECT_TRUE(status.message().starts_with(std::string("chat_template_kwargs.") + name));
  }
}

TEST(ChatPromptTest, AnAssistantMayLackContent) {
  Backend::ChatModel model;
  model.chat_template = "{% for m in messages %}{{ m.content is defined }}{% endfor %}";
  const ChatPrompt chat(std::move(model));
  Json messages = UserMessages("", "x");
  messages.push_back({{"role", "assistant"}, {"tool_calls", Json::array()}});
  const Result<std::string> text = chat.Render(messages, ChatPrompt::End::kClosed);
  ASSERT_TRUE(text.ok()) << text.status().message();
  EXPECT_EQ(*text, "TrueFalse");
  EXPECT_FALSE(chat.Render(Json::array({{{"role", "user"}}}), ChatPrompt::End::kClosed).ok());
}

}  // namespace
}  // namespace espalier
