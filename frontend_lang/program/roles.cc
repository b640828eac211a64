#include "frontend_lang/program/roles.h"

#include <utility>

namespace espalier::program {
namespace {

// <|im_start|>role\n ... <|im_end|>\n
class ChatMl final : public RoleFormat {
 public:
  Result<std::string> Before(std::string_view role, const std::vector<Message>&) override {
    return "<|im_start|>" + std::string(role) + "\n";
  }
  Result<std::string> After(std::string_view, const std::vector<Message>&) override {
    return std::string("<|im_end|>\n");
  }
};

// SGLang's default for models without a template of their own.
class PlainRoles final : public RoleFormat {
 public:
  Result<std::string> Before(std::string_view role, const std::vector<Message>&) override {
    return std::string(role == "system" ? "SYSTEM:" : role == "assistant" ? "ASSISTANT:" : "USER:");
  }
  Result<std::string> After(std::string_view, const std::vector<Message>&) override {
    return std::string("\n");
  }
};

}  // namespace

Result<std::unique_ptr<RoleFormat>> MakeRoleFormat(const Backend::ChatModel& model) {
  if (model.chat_template.find("<|im_start|>") != std::string::npos) {
    return std::unique_ptr<RoleFormat>(std::make_unique<ChatMl>());
  }
  return std::unique_ptr<RoleFormat>(std::make_unique<PlainRoles>());
}

}  // namespace espalier::program
