#include "frontend_lang/script/classes/construct.h"

#include <fmt/format.h>

#include "frontend_lang/script/classes/descriptors.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/classes/metaclass.h"
#include "frontend_lang/script/classes/payload.h"
#include "frontend_lang/script/machine/error_fields.h"
#include "frontend_lang/script/machine/error_object.h"

namespace espalier::script {
namespace {

using lang::TypeError;

std::string Joined(const std::vector<std::string>& names) {
  std::string joined;
  for (const std::string& name : names) joined += (joined.empty() ? "" : ", ") + name;
  return joined;
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
    ESP_TRY(ReadErrorArgs(host, *error, args));
    return Value();
  }
  if (!instance.payload.is_unset()) {
    ESP_TRY(InitPayload(host, instance, args));
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
  return made.is_unset() ? ConstructPlainly(host, cls, args) : made;
}

Outcome<Value> ConstructPlainly(Host& host, ClassObject& cls, const Args& args) {
  if (IsMetaclass(cls)) return CallMetaclassWith(host, cls, args);
  const Value held(&cls);
  Value made;
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
