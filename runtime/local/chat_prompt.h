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

class ChatPrompt {
 public:
  enum class End : unsigned char {
    kOpen,    // ends where the assistant is to speak
    kClosed,  // ends after the last message
  };

  // Compiles the template. Where that fails, or there is none, Render says so: a model
  // is of use without it.
  explicit ChatPrompt(Backend::ChatModel model);

  // `messages`: [{"role", "content", ...}]. kInvalidArgument names the message that is
  // not so, or says what the template raised.
  Result<std::string> Render(const nlohmann::ordered_json& messages, End end) const;

 private:
  Backend::ChatModel model_;
  std::optional<ChatTemplate> template_;
  Status status_;  // why there is none
};

// [{"role": "system", "content": system}?, {"role": "user", "content": user}]
nlohmann::ordered_json UserMessages(std::string_view system, std::string_view user);

}  // namespace espalier
