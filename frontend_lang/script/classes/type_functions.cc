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
#include "frontend_lang/script/classes/object_methods.h"
#include "frontend_lang/script/classes/protocol.h"
#include "frontend_lang/script/classes/type_forms.h"
#include "frontend_lang/script/classes/type_functions.h"
#include "frontend_lang/script/machine/error_object.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using lang::Type;
using lang::TypeError;

Outcome<Value> NoInstances(Host&, const Value&, const Args&) {
  return TypeError("cannot create instances of this type");
}

// type(name, bases, attributes) as a class statement would.
Outcome<Value> MakeClass(Host& host, const Args& args) {
  const Value &name = args.positional[0], &bases = args.positional[1];
  const auto* attributes = args.positional[2].If<lang::Dict>();
  if (!name.is_str() || bases.If<lang::Tuple>() == nullptr || attributes == nullptr) {
    return TypeError("type() takes a str, a tuple and a dict");
  }
  ClassBody body{std::string(lang::TextOf(name)), std::string(lang::TextOf(name)), ""};
  body.bases = bases;
  body.keywords = host.heap().New<lang::Dict>();
  body.annotations = host.heap().New<lang::Dict>();
  for (std::size_t at = 0; const auto* entry = attributes->EntryAt(at); ++at) {
    if (!entry->key.is_str() || !IsAllowedDefinition(lang::TextOf(entry->key))) {
      return TypeError("this attribute of a class is not in the language");
    }
    body.attributes.emplace_back(lang::TextOf(entry->key), entry->value);
  }
  return BuildClass(host, body, nullptr);
}

Outcome<Value> TypeFunction(Host& host, const Value&, const Args& args) {
  if (args.positional.size() == 3) return MakeClass(host, args);
  if (args.positional.size() != 1 || !args.keywords.empty()) {
    return TypeError("type() takes 1 or 3 arguments");
  }
  return TypeOf(static_cast<Machine&>(host), args.positional[0]);
}

bool IsTypeValue(const Value& value) {
  return value.If<ClassObject>() != nullptr || Exactly<TypeObject>(value) != nullptr ||
         Exactly<ErrorType>(value) != nullptr;
}

Outcome<Value> IsInstanceFunction(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("isinstance", args, 2, 2));
  ESP_TRY_ASSIGN(const bool is, IsInstance(host, args.positional[0], args.positional[1]));
  return Value::Bool(is);
}

Outcome<bool> IsSubclass(Host& host, const Value& type, const Value& ancestor) {
  if (const auto* tuple = ancestor.If<lang::Tuple>()) {
    for (const Value& one : tuple->items()) {
      if (one.type() == Type::kTuple) return TypeError("issubclass() arg 2 is nested too deeply");
      ESP_TRY_ASSIGN(const bool is, IsSubclass(host, type, one));
      if (is) return true;
    }
    return false;
  }
  if (!IsTypeValue(ancestor)) {
    return TypeError("issubclass() arg 2 must be a class, a tuple of classes, or a union");
  }
  if (type.Is(ancestor)) return true;
  const auto* wanted = Exactly<TypeObject>(ancestor);
  if (wanted != nullptr && wanted->name() == "object") return true;
  if (const auto* cls = type.If<ClassObject>()) {
    if (const auto* other = ancestor.If<ClassObject>()) return cls->DerivesFrom(*other);
    if (wanted != nullptr) return cls->payload_type().Is(ancestor);
    return cls->error_kind() != nullptr &&
           IsSubkind(cls->error_kind()->name, Exactly<ErrorType>(ancestor)->kind().name);
  }
  const auto *error = Exactly<ErrorType>(type), *base = Exactly<ErrorType>(ancestor);
  if (error != nullptr && base != nullptr) return IsSubkind(error->kind().name, base->kind().name);
  const auto* builtin = Exactly<TypeObject>(type);
  return builtin != nullptr && wanted != nullptr && builtin->name() == "bool" &&
         wanted->name() == "int";
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

Outcome<bool> IsInstance(Host& host, const Value& value, const Value& type) {
  if (const auto* cls = type.If<ClassObject>()) {
    const auto* instance = value.If<Instance>();
    if (instance != nullptr && instance->cls().DerivesFrom(*cls)) return true;
    return IsProtocol(*cls) ? HasMembers(host, value, *cls) : Outcome<bool>(false);
  }
  if (const auto* wanted = Exactly<TypeObject>(type)) {
    if (wanted->Holds(value)) return true;
    if (value.type() == Type::kInstance) return wanted->Holds(lang::PlainOf(value));
    // A type that only type() gives: of functions, of iterators.
    return value.is_extension() && TypeOf(static_cast<Machine&>(host), value).Is(type);
  }
  if (const auto* wanted = Exactly<ErrorType>(type)) {
    const auto* error = value.IfExtension<ErrorObject>();
    return error != nullptr && IsSubkind(error->kind().name, wanted->kind().name);
  }
  if (const auto* tuple = type.If<lang::Tuple>()) {
    lang::NestedScope scope(host);
    ESP_TRY(scope.Check());
    for (const Value& one : tuple->items()) {
      ESP_TRY_ASSIGN(const bool is, IsInstance(host, value, one));
      if (is) return true;
    }
    return false;
  }
  const auto* form = Exactly<TypeForm>(type);
  if (form != nullptr && form->origin_name() == "Union") {
    for (const Value& one : form->args()) {
      if (one.is_none() && value.is_none()) return true;
      if (one.is_none()) continue;
      ESP_TRY_ASSIGN(const bool is, IsInstance(host, value, one));
      if (is) return true;
    }
    return false;
  }
  if (form != nullptr)
    return TypeError("isinstance() argument 2 cannot be a parameterized generic");
  if (const auto* name = Exactly<TypingName>(type); name != nullptr && !name->alias().is_unset()) {
    return IsInstance(host, value, name->alias());
  }
  return TypeError("isinstance() arg 2 must be a type, a tuple of types, or a union");
}

Fault SetAttribute(Host& host, const Value& object, std::string_view name, Value value) {
  if (object.is_extension()) {
    ESP_TRY_ASSIGN(const bool done,
                   lang::ExtensionOf(object).SetAttr(host, name, std::move(value)));
    if (done) return Fault();
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
