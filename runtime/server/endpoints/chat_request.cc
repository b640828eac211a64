#include "runtime/server/endpoints/chat_request.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "runtime/api/chat_messages.h"
#include "runtime/api/constraint_format.h"
#include "runtime/api/tools.h"
#include "runtime/server/endpoints/ignored_fields.h"

namespace espalier::endpoints {
namespace {

using Json = nlohmann::ordered_json;

// Before a template sees them: what it does with each costs more than it costs to send.
Status CheckMessages(const ServedModel& served, const Json& messages) {
  constexpr std::size_t kMostMessages = 4096;
  if (messages.is_array() && messages.size() > kMostMessages) {
    return Status(Code::kLimit, fmt::format("messages must be at most {}", kMostMessages));
  }
  std::size_t num_bytes = 0;
  for (const Json& message : messages) {
    const auto content = message.is_object() ? message.find("content") : message.end();
    if (!message.is_object() || content == message.end()) continue;
    if (content->is_string()) num_bytes += content->get_ref<const std::string&>().size();
  }
  return CheckPromptBytes(num_bytes, served.defaults());
}

// The prompt; tools are told by the template if it knows of some, else in words.
Result<std::string> PromptOf(const ServedModel& served, const OpenAiBody& body, const Tools& tools,
                             const ToolFormat& format) {
  ESP_RETURN_IF_ERROR(CheckMessages(served, body.messages));
  ESP_ASSIGN_OR_RETURN(Json messages, TemplateMessages(body.messages));
  ChatRequest chat{.messages = std::move(messages), .extra = body.template_arguments};
  const bool has_word = served.defaults().chat->text().find("tools") != std::string::npos;
  if (tools.active() && has_word) {
    chat.tools = body.tools;
  } else if (tools.active()) {
    chat.messages = WithToolsDescribed(std::move(chat.messages), tools, format);
  }
  chat.end = body.add_generation_prompt ? ChatPrompt::End::kOpen : ChatPrompt::End::kClosed;
  if (body.continue_final_message) chat.end = ChatPrompt::End::kContinued;
  return served.defaults().chat->Render(chat);
}

Result<ChatAsked> Ask(const ServedModel& served, const OpenAiBody& body, const ChatAsking& asking) {
  ESP_ASSIGN_OR_RETURN(const Tools tools,
                       ReadTools(body.tools, body.tool_choice, body.parallel_tool_calls));
  const ToolFormat& format = ToolFormatOf(served.defaults().chat->text());
  Json line = body.line;
  ESP_ASSIGN_OR_RETURN(line["prompt"], PromptOf(served, body, tools, format));
  if (tools.active()) {
    ESP_ASSIGN_OR_RETURN(Json answer, TakeConstraintFormat(line));
    line["structural_tag"] = ToolTag(tools, format, std::move(answer));
  }
  const auto reasoning =
      ReasoningStart(served.defaults().chat->text(), line["prompt"].get_ref<const std::string&>());
  if (reasoning && body.add_generation_prompt) {
    ESP_RETURN_IF_ERROR(ConstrainBehindReasoning(*reasoning, line));
  }
  ESP_ASSIGN_OR_RETURN(LineRequest request, ParseRequestLine(line, served.defaults(), asking.seed));
  if (!line.contains("max_new_tokens")) {
    request.generate->sampling.max_new_tokens =
        std::max(served.TokensLeft(request.generate->prompt.size()), 1);
  }
  // Calls and reasoning are read from the text, and special tokens may be what tells them.
  if (tools.active() || reasoning) request.generate->sampling.skip_special_tokens = false;
  ChatAsked chat;
  if (tools.active()) chat.parts.format = &format;
  if (body.separate_reasoning) chat.parts.reasoning = reasoning;
  chat.asked.stream = body.stream;
  chat.asked.timeout_s = body.timeout_s;
  chat.asked.headers = IgnoredHeaders(body.unknown);
  chat.asked.names = body.renamed;
  chat.asked.requests.push_back(std::move(request));
  chat.asked.ids.push_back(body.request_id.empty() ? asking.id : body.request_id);
  return chat;
}

}  // namespace

Result<std::string> ChatText(const ServedModel& served, const OpenAiBody& body) {
  ESP_ASSIGN_OR_RETURN(const Tools tools,
                       ReadTools(body.tools, body.tool_choice, body.parallel_tool_calls));
  return PromptOf(served, body, tools, ToolFormatOf(served.defaults().chat->text()));
}

Result<ChatAsked> AskChat(const ServedModel& served, const OpenAiBody& body,
                          const ChatAsking& asking) {
  Result<ChatAsked> chat = Ask(served, body, asking);
  if (!chat.ok()) return InNamesOf(body.renamed, chat.status());
  return chat;
}

}  // namespace espalier::endpoints
