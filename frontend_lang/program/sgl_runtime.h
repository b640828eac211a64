// The objects that name a backend: sgl.Runtime(...), RuntimeEndpoint(url), OpenAI(name).
// The command line decides the backend, so they only carry the chat format that the
// program asks for.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <string>
#include <string_view>

#include "frontend_lang/program/executor.h"
#include "frontend_lang/script/objects.h"

namespace espalier::program {

class BackendChoice final : public lang::Extension {
 public:
  BackendChoice(lang::Heap& heap, Executor& executor)
      : Extension(heap, lang::Type::kExtension), executor_(executor) {}

  Executor& executor() { return executor_; }
  // The name of a chat format, or "" for the model's own.
  const std::string& chat_format() const { return chat_format_; }
  lang::Fault SetChatFormat(lang::Host& host, const lang::Value& value);

  std::string_view TypeName() const override { return "Runtime"; }
  lang::Outcome<lang::Value> GetAttr(lang::Host& host, std::string_view name) override;
  lang::Outcome<bool> SetAttr(lang::Host& host, std::string_view name, lang::Value value) override;

  bool is_noted = false;

 private:
  Executor& executor_;
  std::string chat_format_;
};

// What get_chat_template(name) gives.
class ChatFormatObject final : public lang::Extension {
 public:
  ChatFormatObject(lang::Heap& heap, std::string name)
      : Extension(heap, lang::Type::kExtension), name_(std::move(name)) {}
  const std::string& name() const { return name_; }
  std::string_view TypeName() const override { return "ChatTemplate"; }
  lang::Outcome<lang::Value> GetAttr(lang::Host& host, std::string_view name) override;

 private:
  const std::string name_;
};

// The functions of the module that are about backends; `self` is the run's BackendChoice.
lang::Outcome<lang::Value> MakeBackendChoice(lang::Host&, const lang::Value& self,
                                             const lang::Args&);
lang::Outcome<lang::Value> SetDefaultBackend(lang::Host&, const lang::Value& self,
                                             const lang::Args&);
lang::Outcome<lang::Value> FlushCache(lang::Host&, const lang::Value& self, const lang::Args&);
lang::Outcome<lang::Value> GetServerFacts(lang::Host&, const lang::Value& self, const lang::Args&);
lang::Outcome<lang::Value> GetChatTemplate(lang::Host&, const lang::Value& self, const lang::Args&);

}  // namespace espalier::program
