#include "frontend_lang/program/sgl_runtime.h"

#include <utility>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::program {

using lang::Args;
using lang::Fault;
using lang::Host;
using lang::Outcome;
using lang::Value;
using script::BindArguments;
using script::Exactly;

namespace {

BackendChoice& ChoiceOf(const Value& self) { return *Exactly<BackendChoice>(self); }

Fault BackendFault(Host& host, const Status& status) {
  return script::RaiseStatus(host.heap(), "RuntimeError", status, status.message());
}

Outcome<Value> Nothing(Host&, const Value&, const Args&) { return Value(); }

// Facts are texts; those that are numbers are numbers.
Value FactValue(Host& host, const std::string& fact) {
  const bool is_number = !fact.empty() && fact.size() < 18 &&
                         fact.find_first_not_of("0123456789") == std::string::npos;
  return is_number ? Value::Int(std::stoll(fact)) : lang::MakeStr(host.heap(), fact);
}

Outcome<Value> ModelName(Host& host, const Value& self, const Args&) {
  auto model = ChoiceOf(self).executor().backend();
  if (!model.ok()) return BackendFault(host, model.status());
  auto chat = (*model)->Chat(host.deadline());
  if (!chat.ok()) return BackendFault(host, chat.status());
  return lang::MakeStr(host.heap(), chat->name);
}

// What a server's /get_model_info tells that programs read.
Outcome<Value> ModelFacts(Host& host, const Value& self) {
  ESP_TRY_ASSIGN(Value name, ModelName(host, self, Args{}));
  const Value made = host.heap().New<lang::Dict>();
  made.As<lang::Dict>()->PutStr("model_path", std::move(name));
  return made;
}

// Once a run a word about who decides.
void NoteChoice(BackendChoice& run) {
  if (std::exchange(run.is_noted, true)) return;
  run.executor().Note(
      "the command line decides the backend (--model, --url); the program's choice is ignored");
}

}  // namespace

Fault BackendChoice::SetChatFormat(Host& host, const Value& value) {
  std::string name;
  if (const auto* format = Exactly<ChatFormatObject>(value)) {
    name = format->name();
  } else if (value.is_str()) {
    name = lang::TextOf(value);
  } else {
    return lang::TypeError("a chat template is named by a str, or made by get_chat_template()");
  }
  auto known = ChatFormat::Named(name);
  if (!known.ok()) return BackendFault(host, known.status());
  chat_format_ = std::move(name);
  return Fault();
}

Outcome<Value> BackendChoice::GetAttr(Host& host, std::string_view name) {
  if (name == "shutdown") return host.heap().New<lang::NativeFunction>("shutdown", Nothing);
  if (name == "flush_cache") {
    return host.heap().New<lang::NativeFunction>("flush_cache", FlushCache, Value(this));
  }
  if (name == "get_server_info") {
    return host.heap().New<lang::NativeFunction>("get_server_info", GetServerFacts, Value(this));
  }
  if (name == "get_model_name") {
    return host.heap().New<lang::NativeFunction>("get_model_name", ModelName, Value(this));
  }
  if (name == "model_info") return ModelFacts(host, Value(this));
  if (name == "endpoint") return Value(this);  // of a Runtime
  if (name == "chat_template") {
    return chat_format_.empty() ? Value() : host.heap().New<ChatFormatObject>(chat_format_);
  }
  return Value::Unset();
}

Outcome<bool> BackendChoice::SetAttr(Host& host, std::string_view name, Value value) {
  if (name != "chat_template") return false;
  ESP_TRY(SetChatFormat(host, value));
  return true;
}

Outcome<Value> GlobalConfig::GetAttr(Host&, std::string_view name) {
  if (name == "default_backend") return run_;
  const auto found = set_.find(name);
  return found == set_.end() ? Value::Unset() : found->second;
}

Outcome<bool> GlobalConfig::SetAttr(Host&, std::string_view name, Value value) {
  set_.insert_or_assign(std::string(name), std::move(value));
  return true;
}

Outcome<Value> ChatFormatObject::GetAttr(Host& host, std::string_view name) {
  return name == "name" ? lang::MakeStr(host.heap(), name_) : Value::Unset();
}

Outcome<Value> MakeBackendChoice(Host& host, const Value& self, const Args& args) {
  NoteChoice(ChoiceOf(self));
  Value made = host.heap().New<BackendChoice>(ChoiceOf(self).executor());
  for (const lang::Keyword& keyword : args.keywords) {
    const bool is_format = keyword.name == "chat_template_name" || keyword.name == "chat_template";
    if (is_format && !keyword.value.is_none()) {
      ESP_TRY(ChoiceOf(made).SetChatFormat(host, keyword.value));
    }
  }
  return made;
}

Outcome<Value> SetDefaultBackend(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("set_default_backend", args, {"backend"}, 1));
  NoteChoice(ChoiceOf(self));
  const auto* choice = Exactly<BackendChoice>(bound[0]);
  if (choice == nullptr || choice->chat_format().empty()) return Value();
  const Status status = ChoiceOf(self).executor().SetChatFormat(choice->chat_format());
  if (!status.ok()) return BackendFault(host, status);
  return Value();
}

Outcome<Value> FlushCache(Host& host, const Value& self, const Args&) {
  auto model = ChoiceOf(self).executor().backend();
  const Status status = model.ok() ? (*model)->FlushCache(host.deadline()) : model.status();
  if (!status.ok()) return BackendFault(host, status);
  return Value();
}

Outcome<Value> GetServerFacts(Host& host, const Value& self, const Args&) {
  auto model = ChoiceOf(self).executor().backend();
  if (!model.ok()) return BackendFault(host, model.status());
  auto facts = (*model)->ServerFacts(host.deadline());
  if (!facts.ok()) return BackendFault(host, facts.status());
  const Value made = host.heap().New<lang::Dict>();
  for (const auto& [name, fact] : *facts) {
    made.As<lang::Dict>()->PutStr(name, FactValue(host, fact));
  }
  return made;
}

Outcome<Value> GetChatTemplate(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("get_chat_template", args, {"name"}, 1));
  if (!bound[0].is_str()) return lang::TypeError("the name of a chat template must be a str");
  std::string name(lang::TextOf(bound[0]));
  auto known = ChatFormat::Named(name);
  if (!known.ok()) return BackendFault(host, known.status());
  return host.heap().New<ChatFormatObject>(std::move(name));
}

}  // namespace espalier::program
