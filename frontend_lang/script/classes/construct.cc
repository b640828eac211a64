#include "frontend_lang/script/classes/construct.h"

#include <fmt/format.h>

#include "frontend_lang/script/classes/descriptors.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/machine/error_object.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/dict_operations.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/set.h"
#include "frontend_lang/script/values/set_operations.h"

namespace espalier::script {
namespace {

using lang::TypeError;

std::string Joined(const std::vector<std::string>& names) {
  std::string joined;
  for (const std::string& name : names) joined += (joined.empty() ? "" : ", ") + name;
  return joined;
}

// A list or dict is filled by __init__; other types are made from the arguments.
bool IsFilled(const Value& payload_type) {
  const std::string_view name = Exactly<TypeObject>(payload_type)->name();
  return name == "list" || name == "dict" || name == "set";
}

Outcome<Value> MakePayload(Host& host, const ClassObject& cls, const Args& args) {
  const Value type = cls.payload_type();
  return lang::ExtensionOf(type).Call(host, IsFilled(type) ? Args{} : args);
}

Fault Fill(Host& host, Value& payload, const Args& args) {
  if (auto* dict = payload.If<lang::Dict>()) {
    if (args.positional.size() > 1) {
      return TypeError(
          fmt::format("dict expected at most 1 argument, got {}", args.positional.size()));
    }
    if (!args.positional.empty()) {
      ESP_TRY(lang::UpdateDict(host, *dict, args.positional[0]));
    }
    for (const lang::Keyword& keyword : args.keywords) {
      dict->PutStr(keyword.name, keyword.value);
    }
    return Fault();
  }
  if (args.positional.empty()) return Fault();
  if (auto* list = payload.If<lang::List>()) {
    ESP_TRY_ASSIGN(auto items, lang::Collect(host, args.positional[0]));
    list->Replace(std::move(items));
  } else if (auto* set = payload.If<lang::Set>()) {
    return lang::AddAll(host, *set, args.positional[0]);
  }
  return Fault();
}

}  // namespace

Fault CheckInitResult(const Value& returned) {
  if (returned.is_none()) return Fault();
  return TypeError(
      fmt::format("__init__() should return None, not '{}'", lang::TypeName(returned)));
}

Outcome<Value> Allocate(Host& host, ClassObject& cls, const Args& args) {
  if (!cls.abstract_names.empty()) {
    return TypeError(fmt::format("Can't instantiate abstract class {} with abstract method{} {}",
                                 cls.name(), cls.abstract_names.size() == 1 ? "" : "s",
                                 Joined(cls.abstract_names)));
  }
  if (cls.error_kind() != nullptr) {
    return host.heap().New<ErrorObject>(
        cls, std::vector<Value>(args.positional.begin(), args.positional.end()));
  }
  Value made = host.heap().New<Instance>(cls);
  if (!cls.payload_type().is_unset()) {
    ESP_TRY_ASSIGN(made.As<Instance>()->payload, MakePayload(host, cls, args));
  }
  return made;
}

Outcome<Value> InitDefault(Host& host, Instance& instance, const Args& args) {
  if (auto* error = dynamic_cast<ErrorObject*>(&instance)) {
    if (!args.keywords.empty()) {
      return TypeError(fmt::format("{}() takes no keyword arguments", instance.TypeName()));
    }
    error->SetArgs({args.positional.begin(), args.positional.end()});
    return Value();
  }
  if (!instance.payload.is_unset()) {
    ESP_TRY(Fill(host, instance.payload, args));
    return Value();
  }
  if (args.positional.empty() && args.keywords.empty()) return Value();
  if (instance.Has(Special::kInit)) {
    return TypeError("object.__init__() takes exactly one argument (the instance to initialize)");
  }
  if (instance.Has(Special::kNew)) return Value();
  return TypeError(fmt::format("{}() takes no arguments", instance.TypeName()));
}

Outcome<Value> Construct(Host& host, ClassObject& cls, const Args& args) {
  const Value held(&cls);
  ESP_TRY_ASSIGN(Value made, cls.metatype().Call(host, cls, args));
  if (!made.is_unset()) return made;
  if (const Value* found = cls.Find(Special::kNew)) {
    const auto* method = Exactly<StaticMethod>(*found);
    const Value function = method != nullptr ? method->function : *found;
    std::vector<Value> positional{held};
    positional.insert(positional.end(), args.positional.begin(), args.positional.end());
    ESP_TRY_ASSIGN(made, host.Call(function, Args{positional, args.keywords}));
    const auto* instance = made.If<Instance>();
    if (instance == nullptr || !instance->cls().DerivesFrom(cls)) return made;
  } else {
    ESP_TRY_ASSIGN(made, Allocate(host, cls, args));
  }
  Instance& instance = *made.As<Instance>();
  const Value* init = cls.Find(Special::kInit);
  if (init == nullptr) {
    ESP_TRY_ASSIGN(const Value ignored, InitDefault(host, instance, args));
    return ignored.is_unset() ? ignored : made;
  }
  ESP_TRY_ASSIGN(const Value bound, BindToInstance(host, Value(*init), made));
  ESP_TRY_ASSIGN(const Value returned, host.Call(bound, args));
  ESP_TRY(CheckInitResult(returned));
  return made;
}

}  // namespace espalier::script
