#include "runtime/server/endpoints/chat_request.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "runtime/api/chat_messages.h"
#include "runtime/api/constraint_format.h"
#include "runtime/api/tools.h"
#include "runtime/local/tokens_left.h"
#include "runtime/server/endpoints/openai_shape.h"

namespace espalier::endpoints {
namespace {

using Json = nlohmann::ordered_json;

// Before a template sees them: what it does with each costs more than it costs to send.
Status CheckMessages(Service& service, const Json& messages) {
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
  return CheckPromptBytes(num_bytes, service.defaults());
}

// The prompt; tools are told by the template if it knows of some, else in words.
Result<std::string> PromptOf(Service& service, const OpenAiBody& body, const Tools& tools,
                             const ToolFormat& format) {
  ESP_RETURN_IF_ERROR(CheckMessages(service, body.messages));
  ESP_ASSIGN_OR_RETURN(Json messages, TemplateMessages(body.messages));
  ChatRequest chat{.messages = std::move(messages), .extra = body.template_arguments};
  const bool has_word = service.defaults().chat->text().find("tools") != std::string::npos;
  if (tools.active() && has_word) {
    chat.tools = body.tools;
  } else if (tools.active()) {
    chat.messages = WithToolsDescribed(std::move(chat.messages), tools, format);
  }
  chat.end = body.add_generation_prompt ? ChatPrompt::End::kOpen : ChatPrompt::End::kClosed;
  if (body.continue_final_message) chat.end = ChatPrompt::End::kContinued;
  return service.defaults().chat->Render(chat);
}

Result<ChatAsked> Ask(Service& service, const OpenAiBody& body, const std::string& id) {
  ESP_ASSIGN_OR_RETURN(const Tools tools,
                       ReadTools(body.tools, body.tool_choice, body.parallel_tool_calls));
  const ToolFormat& format = ToolFormatOf(service.defaults().chat->text());
  Json line = body.line;
  ESP_ASSIGN_OR_RETURN(line["prompt"], PromptOf(service, body, tools, format));
  if (tools.active()) {
    ESP_ASSIGN_OR_RETURN(Json answer, TakeConstraintFormat(line));
    line["structural_tag"] = ToolTag(tools, format, std::move(answer));
  }
  const auto reasoning =
      ReasoningStart(service.defaults().chat->text(), line["prompt"].get_ref<const std::string&>());
  if (reasoning && body.add_generation_prompt) {
    ESP_RETURN_IF_ERROR(ConstrainBehindReasoning(*reasoning, line));
  }
  ESP_ASSIGN_OR_RETURN(LineRequest request,
                       ParseRequestLine(line, service.defaults(), service.NextSeed()));
  if (!line.contains("max_new_tokens")) {
    request.generate->sampling.max_new_tokens =
        std::max(TokensLeft(service.model(), request.generate->prompt.size()), 1);
  }
  // Calls and reasoning are read from the text, and special tokens may be what tells them.
  if (tools.active() || reasoning) request.generate->sampling.skip_special_tokens = false;
  ChatAsked chat;
  if (tools.active()) chat.parts.format = &format;
  if (body.separate_reasoning) chat.parts.reasoning = reasoning;
  chat.asked.stream = body.stream;
  chat.asked.headers = HeadersFor(body);
  chat.asked.names = body.renamed;
  chat.asked.requests.push_back(std::move(request));
  chat.asked.ids.push_back(body.request_id.empty() ? id : body.request_id);
  return chat;
}

}  // namespace

Result<std::string> ChatText(Service& service, const OpenAiBody& body) {
  ESP_ASSIGN_OR_RETURN(const Tools tools,
                       ReadTools(body.tools, body.tool_choice, body.parallel_tool_calls));
  return PromptOf(service, body, tools, ToolFormatOf(service.defaults().chat->text()));
}

Result<ChatAsked> AskChat(Service& service, const OpenAiBody& body, const std::string& id) {
  Result<ChatAsked> chat = Ask(service, body, id);
  if (!chat.ok()) return InNamesOf(body.renamed, chat.status());
  return chat;
}

}  // namespace espalier::endpoints
