#include "runtime/local/chat_prompt.h"

#include <utility>

#include <fmt/format.h>

namespace espalier {
namespace {

Status CheckMessages(const nlohmann::ordered_json& messages) {
  const auto wrong = [](std::string message) {
    return Status(Code::kInvalidArgument, std::move(message));
  };
  if (!messages.is_array() || messages.empty()) {
    return wrong("messages must be a list that is not empty");
  }
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const nlohmann::ordered_json& message = messages[i];
    if (!message.is_object()) return wrong(fmt::format("messages[{}] must be an object", i));
    if (!message.contains("role") || !message["role"].is_string()) {
      return wrong(fmt::format("messages[{}].role must be a string", i));
    }
    if (!message.contains("content")) return wrong(fmt::format("messages[{}] has no content", i));
  }
  return Status();
}

// `text` without what the template puts behind the last message's content. Templates trim
// contents, so its trimmed form is looked for.
Result<std::string> UpToContent(std::string text, const nlohmann::ordered_json& content) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::string whole = content.is_string() ? content.get<std::string>() : "";
  const std::size_t first = whole.find_first_not_of(kBlank);
  if (first == std::string::npos) {
    return Status(Code::kInvalidArgument, "messages: the last one has no content to go on with");
  }
  std::string_view wanted = whole;
  std::size_t at = text.rfind(wanted);
  if (at == std::string::npos) {
    wanted = wanted.substr(first, wanted.find_last_not_of(kBlank) + 1 - first);
    at = text.rfind(wanted);
  }
  if (at == std::string::npos) {
    return Status(Code::kUnsupported,
                  "messages: this chat template does not show the last one's content as it is");
  }
  text.resize(at + wanted.size());
  return text;
}

}  // namespace

ChatPrompt::ChatPrompt(Backend::ChatModel model) : model_(std::move(model)) {
  if (model_.chat_template.empty()) {
    status_ = {Code::kUnsupported,
               fmt::format("{} has no chat template; give a plain prompt", model_.name)};
    return;
  }
  Result<ChatTemplate> compiled = ChatTemplate::Compile(model_.chat_template);
  if (compiled.ok()) {
    template_.emplace(std::move(compiled).value());
  } else {
    status_ = compiled.status();
  }
}

Result<std::string> ChatPrompt::Render(const nlohmann::ordered_json& messages, End end) const {
  return Render(ChatRequest{.messages = messages, .end = end});
}

Result<std::string> ChatPrompt::Render(const ChatRequest& request) const {
  ESP_RETURN_IF_ERROR(status_);
  ESP_RETURN_IF_ERROR(CheckMessages(request.messages));
  ChatInput input;
  input.messages = request.messages;
  input.tools = request.tools;
  input.extra = request.extra;
  input.add_generation_prompt = request.end == End::kOpen;
  input.bos_token = model_.bos;
  input.eos_token = model_.eos;
  ESP_ASSIGN_OR_RETURN(std::string text, template_->Render(input));
  if (request.end == End::kContinued) {
    return UpToContent(std::move(text), request.messages.back()["content"]);
  }
  return text;
}

nlohmann::ordered_json UserMessages(std::string_view system, std::string_view user) {
  nlohmann::ordered_json messages = nlohmann::ordered_json::array();
  if (!system.empty()) messages.push_back({{"role", "system"}, {"content", system}});
  messages.push_back({{"role", "user"}, {"content", user}});
  return messages;
}

}  // namespace espalier
