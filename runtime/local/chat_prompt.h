// ChatPrompt: chat messages to the prompt's text, by the model's own template.
//
// Thread safety: immutable.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "frontend_lang/backend.h"
#include "frontend_lang/chat/chat_template.h"
#include "kernels/base/status.h"

namespace espalier {

struct ChatRequest;

class ChatPrompt {
 public:
  enum class End : unsigned char {
    kOpen,       // ends where the assistant is to speak
    kClosed,     // ends after the last message
    kContinued,  // ends inside the last message, which is to go on
  };

  // Compiles the template. Where that fails, or there is none, Render says so: a model
  // is of use without it.
  explicit ChatPrompt(Backend::ChatModel model);

  // `messages`: [{"role", "content", ...}]; of an assistant also without content.
  // kInvalidArgument names the message that is not so, or says what the template raised;
  // kUnsupported names what of `extra` would replace the messages and their like.
  Result<std::string> Render(const nlohmann::ordered_json& messages, End end) const;
  Result<std::string> Render(const ChatRequest& request) const;

  const std::string& text() const { return model_.chat_template; }

 private:
  Backend::ChatModel model_;
  std::optional<ChatTemplate> template_;
  Status status_;  // why there is none
};

struct ChatRequest {
  nlohmann::ordered_json messages;
  ChatPrompt::End end = ChatPrompt::End::kOpen;
  nlohmann::ordered_json tools = nullptr;  // null: none
  nlohmann::ordered_json extra = nullptr;  // further variables of the template; null: none
};

// [{"role": "system", "content": system}?, {"role": "user", "content": user}]
nlohmann::ordered_json UserMessages(std::string_view system, std::string_view user);

}  // namespace espalier
