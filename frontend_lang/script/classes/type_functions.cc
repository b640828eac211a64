// type, isinstance, issubclass, callable, getattr, setattr, hasattr, delattr, vars, dir,
// id, super, property, staticmethod, classmethod, and the class of plain objects.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/builtins/builtins.h"
#include "frontend_lang/script/classes/build_class.h"
#include "frontend_lang/script/classes/descriptors.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/classes/metaclass.h"
#include "frontend_lang/script/classes/object_methods.h"
#include "frontend_lang/script/classes/type_forms.h"
#include "frontend_lang/script/classes/type_functions.h"
#include "frontend_lang/script/classes/type_relations.h"
#include "frontend_lang/script/machine/error_object.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using lang::Type;
using lang::TypeError;

Outcome<Value> NoInstances(Host&, const Value&, const Args&) {
  return TypeError("cannot create instances of this type");
}

// type(name, bases, attributes) as a class statement would: by the metaclass of the bases.
Outcome<Value> MakeClass(Host& host, const Args& args) {
  ClassBody body;
  body.keywords = host.heap().New<lang::Dict>();
  body.bases = args.positional[1].If<lang::Tuple>() != nullptr ? args.positional[1]
                                                               : host.heap().New<lang::Tuple>();
  ESP_TRY_ASSIGN(const Value metaclass, MetaclassOf(body));
  auto* cls = metaclass.If<ClassObject>();
  return cls == nullptr ? NewClass(host, nullptr, args) : CallMetaclassWith(host, *cls, args);
}

Outcome<Value> TypeFunction(Host& host, const Value&, const Args& args) {
  if (args.positional.size() == 3) return MakeClass(host, args);
  if (args.positional.size() != 1 || !args.keywords.empty()) {
    return TypeError("type() takes 1 or 3 arguments");
  }
  return TypeOf(static_cast<Machine&>(host), args.positional[0]);
}

Outcome<Value> IsInstanceFunction(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("isinstance", args, 2, 2));
  ESP_TRY_ASSIGN(const bool is, IsInstance(host, args.positional[0], args.positional[1]));
  return Value::Bool(is);
}

Outcome<Value> IsSubclassFunction(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("issubclass", args, 2, 2));
  if (!IsTypeValue(args.positional[0])) return TypeError("issubclass() arg 1 must be a class");
  ESP_TRY_ASSIGN(const bool is, IsSubclass(host, args.positional[0], args.positional[1]));
  return Value::Bool(is);
}

Outcome<Value> Callable(Host&, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("callable", args, 1, 1));
  const Value& value = args.positional[0];
  if (const auto* instance = value.If<Instance>()) {
    return Value::Bool(instance->Has(Special::kCall));
  }
  return Value::Bool(value.type() == Type::kFunction || value.type() == Type::kMethod ||
                     IsTypeValue(value) ||
                     (value.is_extension() && lang::ExtensionOf(value).BindsAsMethod()));
}

Outcome<std::string_view> AttributeName(const Value& name) {
  const Value& plain = lang::PlainOf(name);
  if (!plain.is_str()) {
    return TypeError(fmt::format("attribute name must be string, not '{}'", lang::TypeName(name)));
  }
  if (!IsAllowedAttribute(lang::TextOf(plain))) {
    return lang::Raise("AttributeError", "the attribute " + std::string(lang::TextOf(plain)) +
                                             " is not in the language");
  }
  return lang::TextOf(plain);
}

Outcome<Value> GetAttribute(Host& host, const Value& object, const Value& name) {
  ESP_TRY_ASSIGN(const std::string_view text, AttributeName(name));
  return lang::GetAttr(host, object, text);
}

Outcome<Value> GetAttrFunction(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("getattr", args, 2, 3));
  auto found = GetAttribute(host, args.positional[0], args.positional[1]);
  if (!found.ok() && IsA(found.error(), "AttributeError") && args.positional.size() == 3) {
    return args.positional[2];
  }
  return found;
}

Outcome<Value> HasAttrFunction(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("hasattr", args, 2, 2));
  auto found = GetAttribute(host, args.positional[0], args.positional[1]);
  if (!found.ok() && !IsA(found.error(), "AttributeError")) return found.TakeFault();
  return Value::Bool(found.ok());
}

Outcome<Value> SetAttrFunction(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("setattr", args, 3, 3));
  ESP_TRY_ASSIGN(const std::string_view name, AttributeName(args.positional[1]));
  ESP_TRY(SetAttribute(host, args.positional[0], name, args.positional[2]));
  return Value();
}

Outcome<Value> DelAttrFunction(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("delattr", args, 2, 2));
  ESP_TRY_ASSIGN(const std::string_view name, AttributeName(args.positional[1]));
  ESP_TRY(DeleteAttribute(host, args.positional[0], name));
  return Value();
}

Outcome<Value> Vars(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("vars", args, 1, 1));
  const Value made = host.heap().New<lang::Dict>();
  auto& dict = *made.As<lang::Dict>();
  if (auto* instance = args.positional[0].If<Instance>()) {
    const auto own = instance->Own();
    const auto hidden = [](const auto& entry) { return entry.first.starts_with(kHiddenMark); };
    const bool shows_all =
        instance->has_class() && !instance->cls().slots && std::ranges::none_of(own, hidden);
    if (shows_all) return instance->OwnDict(host);  // which vars(x)["y"] = z may change
    for (const auto& [name, value] : own) {
      if (!name.starts_with(kHiddenMark)) dict.PutStr(name, value);
    }
    return made;
  }
  if (const auto* cls = args.positional[0].If<ClassObject>()) {
    for (const auto& attribute : cls->attributes()) {
      dict.PutStr(attribute.name, attribute.value);
    }
    return made;
  }
  if (args.positional[0].is_extension()) {
    ESP_TRY_ASSIGN(const Value own,
                   lang::ExtensionOf(args.positional[0]).GetAttr(host, "__dict__"));
    if (own.If<lang::Dict>() != nullptr) return own;
  }
  return TypeError("vars() argument must have __dict__ attribute");
}

// The names without underscores around: others are of the class's machinery.
Outcome<Value> Dir(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("dir", args, 1, 1));
  if (!args.positional[0].If<ClassObject>() && !args.positional[0].If<Instance>()) {
    return TypeError("dir() takes an object of a class, or a class");
  }
  ESP_TRY_ASSIGN(const Value own, CallNamedOf(host, args.positional[0], "__dir__"));
  if (!own.is_unset()) {
    ESP_TRY_ASSIGN(auto names, lang::Collect(host, own));
    const Value made = host.heap().New<lang::List>(std::move(names));
    ESP_TRY_ASSIGN(const Value sorted, lang::CallAttr(host, made, "sort", {}));
    return sorted.is_none() ? made : sorted;
  }
  std::vector<Value> items;
  for (const std::string& name : AttributeNames(args.positional[0])) {
    if (!name.starts_with("__")) items.push_back(lang::MakeStr(host.heap(), name));
  }
  return host.heap().New<lang::List>(std::move(items));
}

Outcome<Value> Id(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("id", args, 1, 1));
  const Value& value = args.positional[0];
  if (value.on_heap()) return Value::Int(IdentityOf(host.heap(), *value.object()));
  const std::int64_t payload = value.is_none() ? 0 : value.as_int();
  return Value::Int(((payload & 0xFFFFFFFF) << 4) | static_cast<std::int64_t>(value.type()));
}

}  // namespace

std::vector<std::string> AttributeNames(const Value& value) {
  std::vector<std::string> names;
  const auto* cls = value.If<ClassObject>();
  if (const auto* instance = value.If<Instance>()) {
    cls = &instance->cls();
    for (const auto& [name, own] : instance->Own()) {
      if (!name.starts_with(kHiddenMark)) names.push_back(name);
    }
  }
  if (cls == nullptr) return names;
  for (const ClassObject* at : cls->mro()) {
    for (const auto& attribute : at->attributes()) names.push_back(attribute.name);
  }
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  return names;
}

Value TypeOf(Machine& machine, const Value& value) {
  if (const auto* instance = value.If<Instance>()) return Value(&instance->cls());
  const auto* cls = value.If<ClassObject>();
  if (cls != nullptr && !cls->meta.is_unset()) return cls->meta;
  if (IsTypeValue(value)) return machine.Builtin("type");
  if (const auto* error = Exactly<ErrorObject>(value); error && !error->kind().module.empty()) {
    const std::string_view module = error->kind().module;  // "json.decoder": of json
    const Value known = machine.FindType(error->kind().name);
    if (!known.is_unset()) return known;
    // It adds the type.
    [[maybe_unused]] const auto imported = machine.Import(module.substr(0, module.find('.')));
    return machine.FindType(error->kind().name);
  }
  Value known = machine.Builtin(lang::TypeName(value));
  if (known.is_unset()) known = machine.FindType(lang::TypeName(value));
  if (IsTypeValue(known)) return known;
  const Value made = machine.heap().New<TypeObject>(lang::TypeName(value), NoInstances,
                                                    [](const Value&) { return false; });
  machine.AddType(lang::TypeName(value), made);
  return made;
}

Fault SetAttribute(Host& host, const Value& object, std::string_view name, Value value) {
  if (object.is_extension()) {
    ESP_TRY_ASSIGN(const bool done,
                   lang::ExtensionOf(object).SetAttr(host, name, std::move(value)));
    if (done) return Fault();
  }
  auto* dict = lang::PlainOf(object).If<lang::Dict>();
  if (dict != nullptr && dict->kind() != nullptr && dict->kind()->has_factory &&
      name == "default_factory") {
    dict->set_default_factory(std::move(value));
    return Fault();
  }
  if (Exactly<TypeObject>(object) != nullptr || Exactly<ErrorType>(object) != nullptr) {
    return TypeError("cannot set attributes of a built-in type");
  }
  return lang::Raise("AttributeError", fmt::format("'{}' object has no attribute '{}'",
                                                   lang::TypeName(object), name));
}

Fault DeleteAttribute(Host& host, const Value& object, std::string_view name) {
  if (auto* instance = object.If<Instance>()) return instance->DelAttr(host, name);
  if (auto* cls = object.If<ClassObject>()) {
    ESP_TRY(cls->metatype().CheckChange(*cls, name, Metatype::Change::kDelete));
    if (cls->Erase(name)) return Fault();
    return lang::Raise("AttributeError",
                       fmt::format("type object '{}' has no attribute '{}'", cls->name(), name));
  }
  return lang::Raise("AttributeError", fmt::format("'{}' object has no attribute '{}'",
                                                   lang::TypeName(object), name));
}

void AddClassBuiltins(Machine& machine) {
  constexpr std::pair<std::string_view, lang::NativeCode> kFunctions[] = {
      {"isinstance", IsInstanceFunction},
      {"issubclass", IsSubclassFunction},
      {"callable", Callable},
      {"getattr", GetAttrFunction},
      {"hasattr", HasAttrFunction},
      {"setattr", SetAttrFunction},
      {"delattr", DelAttrFunction},
      {"vars", Vars},
      {"dir", Dir},
      {"id", Id},
      {"super", MakeSuper},
      {"property", MakeProperty},
      {"staticmethod", MakeStaticMethod},
      {"classmethod", MakeClassMethod},
  };
  Heap& heap = machine.heap();
  for (const auto& [name, code] : kFunctions) {
    machine.AddBuiltin(name, heap.New<lang::NativeFunction>(name, code));
  }
  machine.AddBuiltin("type", heap.New<TypeObject>("type", TypeFunction, IsTypeValue));
  machine.AddBuiltin("NotImplemented", heap.New<NotImplementedType>());
  machine.AddBuiltin("Ellipsis", heap.New<EllipsisType>());
  machine.AddBuiltin(".Union", heap.New<TypingName>("Union", Value::Unset()));
}

}  // namespace espalier::script
