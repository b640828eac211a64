#include "runtime/local/chat_prompt.h"

#include <utility>

#include <fmt/format.h>

#include "frontend_lang/chat/content_marker.h"

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
    const bool may_lack_content = message["role"] == "assistant";  // it may call tools instead
    if (!may_lack_content && !message.contains("content")) {
      return wrong(fmt::format("messages[{}] has no content", i));
    }
  }
  return Status();
}

// They may not stand for what the request itself says, and others have judged.
Status CheckExtra(const nlohmann::ordered_json& extra) {
  for (const char* const ours :
       {"messages", "tools", "add_generation_prompt", "bos_token", "eos_token"}) {
    if (!extra.is_object() || !extra.contains(ours)) continue;
    return Status(Code::kUnsupported,
                  fmt::format("chat_template_kwargs.{} is not supported", ours));
  }
  return Status();
}

// Renders with a marker behind the last message's content, and cuts there. Blanks at the
// content's end go where the template trims: it shows none of those behind the marker.
Result<std::string> UpToContent(const ChatTemplate& chat_template, ChatInput input) {
  constexpr std::string_view kBlanks = " \t\r\n", kBehind = "\t \t";
  nlohmann::ordered_json& content = input.messages.back()["content"];
  const std::string whole = content.is_string() ? content.get<std::string>() : "";
  if (whole.find_first_not_of(kBlanks) == std::string::npos) {
    return Status(Code::kInvalidArgument, "messages: the last one has no content to go on with");
  }
  content = fmt::format("{}{}{}", whole, kContentMarker, kBehind);
  ESP_ASSIGN_OR_RETURN(const std::string text, chat_template.Render(input));
  std::optional<TurnText> cut = CutAtMarker(text);
  if (!cut) {
    return Status(Code::kUnsupported,
                  "messages: this chat template does not show the last one's content");
  }
  if (!cut->after.starts_with(kBehind)) {
    cut->before.erase(cut->before.find_last_not_of(kBlanks) + 1);
  }
  return std::move(cut->before);
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
  ESP_RETURN_IF_ERROR(CheckExtra(request.extra));
  ChatInput input;
  input.messages = request.messages;
  input.tools = request.tools;
  input.extra = request.extra;
  input.add_generation_prompt = request.end == End::kOpen;
  input.bos_token = model_.bos;
  input.eos_token = model_.eos;
  if (request.end == End::kContinued) return UpToContent(*template_, std::move(input));
  return template_->Render(input);
}

nlohmann::ordered_json UserMessages(std::string_view system, std::string_view user) {
  nlohmann::ordered_json messages = nlohmann::ordered_json::array();
  if (!system.empty()) messages.push_back({{"role", "system"}, {"content", system}});
  messages.push_back({{"role", "user"}, {"content", user}});
  return messages;
}

}  // namespace espalier
