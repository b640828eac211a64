#include "frontend_lang/script/modules/function_names.h"

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using lang::Dict;
using lang::TypeError;

// What the program has set on a function.
template <class Visit>
Fault ForEachAttribute(const Value& function, const Visit& visit) {
  const auto* script = Exactly<ScriptFunction>(function);
  const Value held = script == nullptr ? Value() : script->attributes();
  const auto* attributes = held.If<Dict>();
  for (std::size_t at = 0; attributes != nullptr; ++at) {
    const auto* entry = attributes->EntryAt(at);
    if (entry == nullptr) break;
    ESP_TRY(visit(lang::TextOf(entry->key), entry->value));
  }
  return Fault();
}

// An object that wraps a function has its names as attributes of its own.
Fault TakeNamesOf(Host& host, Instance& wrapper, const Value& wrapped) {
  for (const std::string_view name : {"__module__", "__name__", "__qualname__", "__doc__"}) {
    auto value = lang::GetAttr(host, wrapped, name);
    if (value.ok()) ESP_TRY(wrapper.PutOwn(host, name, std::move(*value)));
  }
  ESP_TRY(ForEachAttribute(wrapped, [&](std::string_view name, const Value& value) {
    return wrapper.PutOwn(host, name, value);
  }));
  return wrapper.PutOwn(host, "__wrapped__", wrapped);
}

Outcome<Value> TakeNames(Host& host, const Value& wrapped, const Args& args) {
  ESP_TRY(CheckPositional("update_wrapper", args, 1, 1));
  auto* wrapper = Exactly<ScriptFunction>(args.positional[0]);
  if (auto* instance = args.positional[0].If<Instance>()) {
    ESP_TRY(TakeNamesOf(host, *instance, wrapped));
  }
  if (wrapper == nullptr) return args.positional[0];
  for (const std::string_view name : {"__name__", "__doc__"}) {
    auto value = lang::GetAttr(host, wrapped, name);
    if (value.ok()) wrapper->SetName(name, *value);
  }
  ESP_TRY(ForEachAttribute(wrapped, [&](std::string_view name, const Value& value) -> Fault {
    ESP_TRY_ASSIGN([[maybe_unused]] const bool set, wrapper->SetAttr(host, name, value));
    return Fault();
  }));
  ESP_TRY_ASSIGN([[maybe_unused]] const bool set, wrapper->SetAttr(host, "__wrapped__", wrapped));
  return args.positional[0];
}

}  // namespace

Outcome<Value> Wraps(Host& host, const Value&, const Args& args) {
  if (args.positional.size() != 1) {
    return TypeError("wraps() missing 1 required positional argument: 'wrapped'");
  }
  return host.heap().New<lang::NativeFunction>("update_wrapper", TakeNames, args.positional[0]);
}

Outcome<Value> UpdateWrapper(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound,
                 BindArguments("update_wrapper", args, {"wrapper", "wrapped"}, 2));
  return TakeNames(host, bound[1], Args{{&bound[0], 1}, {}});
}

}  // namespace espalier::script
