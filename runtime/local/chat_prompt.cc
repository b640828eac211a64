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
    status_ = {compiled.status().code(), "chat template: " + compiled.status().message()};
  }
}

Result<std::string> ChatPrompt::Render(const nlohmann::ordered_json& messages, End end) const {
  ESP_RETURN_IF_ERROR(status_);
  ESP_RETURN_IF_ERROR(CheckMessages(messages));
  ChatInput input;
  input.messages = messages;
  input.add_generation_prompt = end == End::kOpen;
  input.bos_token = model_.bos;
  input.eos_token = model_.eos;
  return template_->Render(input);
}

nlohmann::ordered_json UserMessages(std::string_view system, std::string_view user) {
  nlohmann::ordered_json messages = nlohmann::ordered_json::array();
  if (!system.empty()) messages.push_back({{"role", "system"}, {"content", system}});
  messages.push_back({{"role", "user"}, {"content", user}});
  return messages;
}

}  // namespace espalier
