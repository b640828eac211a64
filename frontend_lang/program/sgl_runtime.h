// The objects that name a backend: sgl.Runtime(...), RuntimeEndpoint(url), OpenAI(name).
// The command line decides the backend, so they only carry the chat format that the
// program asks for.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "frontend_lang/program/executor.h"
#include "frontend_lang/script/machine/objects.h"

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

// global_config of sglang.global_config: `default_backend` is the run's; what else a program
// sets there changes nothing.
class GlobalConfig final : public lang::Extension {
 public:
  // `run` is the run's BackendChoice.
  GlobalConfig(lang::Heap& heap, lang::Value run)
      : Extension(heap, lang::Type::kExtension), run_(std::move(run)) {}
  std::string_view TypeName() const override { return "GlobalConfig"; }
  lang::Outcome<lang::Value> GetAttr(lang::Host& host, std::string_view name) override;
  lang::Outcome<bool> SetAttr(lang::Host& host, std::string_view name, lang::Value value) override;

 private:
  void Clear() override {
    run_ = lang::Value();
    set_.clear();
  }

  lang::Value run_;
  std::map<std::string, lang::Value, std::less<>> set_;
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
