#include "frontend_lang/script/classes/type_relations.h"

#include <algorithm>
#include <optional>
#include <string>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/classes/protocol.h"
#include "frontend_lang/script/classes/trait.h"
#include "frontend_lang/script/classes/type_forms.h"
#include "frontend_lang/script/classes/type_functions.h"
#include "frontend_lang/script/machine/error_object.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"

namespace espalier::script {
namespace {

using lang::Type;
using lang::TypeError;

// What a built-in type derives from, beside object.
std::string_view BaseOf(std::string_view type) {
  constexpr std::pair<std::string_view, std::string_view> kBases[] = {
      {"bool", "int"},
      {"collections.Counter", "dict"},
      {"collections.OrderedDict", "dict"},
      {"collections.defaultdict", "dict"},
  };
  const auto* found =
      std::ranges::find(kBases, type, &std::pair<std::string_view, std::string_view>::first);
  return found == std::end(kBases) ? std::string_view() : found->second;
}

// Whether the class has the methods that make one of this kind.
bool HasTrait(const ClassObject& cls, const Trait& trait) {
  return !trait.methods.empty() && std::ranges::all_of(trait.methods, [&](Special special) {
    const Value* found = cls.Find(special);
    if (found == nullptr) {  // object has one, but for a class with an __eq__
      return special == Special::kHash && cls.payload_type().is_unset();
    }
    return !found->is_none();
  });
}

Outcome<bool> IsRegistered(Host& host, const Value& type, const ClassObject& ancestor) {
  if (ancestor.registered.empty()) return false;
  lang::NestedScope scope(host);
  ESP_TRY(scope.Check());
  const std::vector<Value> registered = ancestor.registered;
  for (const Value& one : registered) {
    ESP_TRY(host.Step());
    ESP_TRY_ASSIGN(const bool is, IsSubclass(host, type, one));
    if (is) return true;
  }
  return false;
}

// What the metaclass of a class says: __instancecheck__, __subclasscheck__. Nothing: no metaclass
// that has the method.
Outcome<std::optional<bool>> AskMetaclass(Host& host, const ClassObject& cls,
                                          std::string_view method, const Value& asked) {
  const auto* meta = cls.meta.If<ClassObject>();
  const Value* found = meta == nullptr ? nullptr : meta->Find(method);
  if (found == nullptr) return std::optional<bool>();
  const Value args[] = {Value(const_cast<ClassObject*>(&cls)), asked};
  ESP_TRY_ASSIGN(const Value answer, host.Call(Value(*found), Args{args, {}}));
  ESP_TRY_ASSIGN(const bool is, lang::Truth(host, answer));
  return std::optional<bool>(is);
}

Outcome<bool> DerivesFromClass(Host& host, const Value& type, const ClassObject& ancestor) {
  ESP_TRY_ASSIGN(const auto said, AskMetaclass(host, ancestor, "__subclasscheck__", type));
  if (said) return *said;
  const auto* cls = type.If<ClassObject>();
  if (cls != nullptr) {
    if (cls->DerivesFrom(ancestor)) return true;
    if (ancestor.trait != nullptr && HasTrait(*cls, *ancestor.trait)) return true;
  }
  ESP_TRY_ASSIGN(const bool registered, IsRegistered(host, type, ancestor));
  if (registered || cls == nullptr || cls->payload_type().is_unset()) return registered;
  return IsRegistered(host, cls->payload_type(), ancestor);
}

bool DerivesFromBuiltIn(const Value& type, const Value& ancestor) {
  const std::string_view wanted = Exactly<TypeObject>(ancestor)->name();
  if (wanted == "object") return true;
  const auto* cls = type.If<ClassObject>();
  const auto* built_in = Exactly<TypeObject>(cls == nullptr ? type : cls->payload_type());
  return built_in != nullptr && (built_in->name() == wanted || BaseOf(built_in->name()) == wanted);
}

bool DerivesFromError(const Value& type, const ErrorType& ancestor) {
  const auto* error = Exactly<ErrorType>(type);
  if (error != nullptr) return IsSubkind(error->kind().name, ancestor.kind().name);
  const auto* cls = type.If<ClassObject>();
  return cls != nullptr && cls->error_kind() != nullptr &&
         (IsSubkind(cls->error_kind()->name, ancestor.kind().name) ||
          script::DerivesFromError(*cls, ancestor.kind().name));
}

const std::vector<Value>* MembersOfUnion(const Value& type) {
  const auto* form = Exactly<TypeForm>(type);
  return form != nullptr && form->origin_name() == "Union" ? &form->args() : nullptr;
}

// Whether `holds` is true of one of the types.
template <class Holds>
Outcome<bool> AnyOf(Host& host, const std::vector<Value>& types, const Holds& holds) {
  lang::NestedScope scope(host);
  ESP_TRY(scope.Check());
  for (const Value& one : types) {
    ESP_TRY_ASSIGN(const bool is, holds(one));
    if (is) return true;
  }
  return false;
}

Outcome<bool> IsOfClass(Host& host, const Value& value, const ClassObject& cls) {
  ESP_TRY_ASSIGN(const auto said, AskMetaclass(host, cls, "__instancecheck__", value));
  if (said) return *said;
  const auto* of_metaclass = value.If<ClassObject>();
  if (of_metaclass != nullptr && !of_metaclass->meta.is_unset() &&
      of_metaclass->meta.As<ClassObject>()->DerivesFrom(cls)) {
    return true;
  }
  const auto* instance = value.If<Instance>();
  if (instance != nullptr && instance->cls().DerivesFrom(cls)) return true;
  if (IsProtocol(cls)) return HasMembers(host, value, cls);
  if (cls.trait != nullptr && (cls.trait->holds(value) || cls.trait->holds(lang::PlainOf(value)))) {
    return true;
  }
  if (cls.registered.empty()) return false;
  return DerivesFromClass(host, TypeOf(static_cast<Machine&>(host), value), cls);
}

bool IsOfType(Host& host, const Value& value, const Value& type) {
  const auto* wanted = Exactly<TypeObject>(type);
  if (wanted->Holds(value)) return true;
  if (value.type() == Type::kInstance) return wanted->Holds(lang::PlainOf(value));
  // A type that only type() gives: of functions, of iterators.
  return value.is_extension() && TypeOf(static_cast<Machine&>(host), value).Is(type);
}

}  // namespace

bool IsTypeValue(const Value& value) {
  return value.If<ClassObject>() != nullptr || Exactly<TypeObject>(value) != nullptr ||
         Exactly<ErrorType>(value) != nullptr;
}

Outcome<bool> IsInstance(Host& host, const Value& value, const Value& type) {
  if (const auto* cls = type.If<ClassObject>()) return IsOfClass(host, value, *cls);
  if (Exactly<TypeObject>(type) != nullptr) return IsOfType(host, value, type);
  if (Exactly<ErrorType>(type) != nullptr) {
    const auto* error = value.IfExtension<ErrorObject>();
    return error != nullptr && error->IsA(type);
  }
  const auto is_one = [&](const Value& one) -> Outcome<bool> {
    return one.is_none() ? Outcome<bool>(value.is_none()) : IsInstance(host, value, one);
  };
  if (const auto* members = MembersOfUnion(type)) return AnyOf(host, *members, is_one);
  if (const auto* tuple = type.If<lang::Tuple>()) {
    return AnyOf(host, tuple->items(),
                 [&](const Value& one) { return IsInstance(host, value, one); });
  }
  if (Exactly<TypeForm>(type) != nullptr) {
    return TypeError("isinstance() argument 2 cannot be a parameterized generic");
  }
  ESP_TRY_ASSIGN(const Value meant, ClassMeantBy(host, type));
  if (!meant.is_unset()) return IsInstance(host, value, meant);
  return TypeError("isinstance() arg 2 must be a type, a tuple of types, or a union");
}

Outcome<bool> IsSubclass(Host& host, const Value& type, const Value& ancestor) {
  if (type.Is(ancestor)) return true;
  if (const auto* cls = ancestor.If<ClassObject>()) return DerivesFromClass(host, type, *cls);
  if (Exactly<TypeObject>(ancestor) != nullptr) return DerivesFromBuiltIn(type, ancestor);
  if (const auto* error = Exactly<ErrorType>(ancestor)) return DerivesFromError(type, *error);
  const auto derives = [&](const Value& one) { return IsSubclass(host, type, one); };
  if (const auto* members = MembersOfUnion(ancestor)) return AnyOf(host, *members, derives);
  if (const auto* tuple = ancestor.If<lang::Tuple>()) return AnyOf(host, tuple->items(), derives);
  ESP_TRY_ASSIGN(const Value meant, ClassMeantBy(host, ancestor));
  if (!meant.is_unset()) return IsSubclass(host, type, meant);
  return TypeError("issubclass() arg 2 must be a class, a tuple of classes, or a union");
}

Outcome<Value> ClassMeantBy(Host& host, const Value& typing_name) {
  const auto* name = Exactly<TypingName>(typing_name);
  if (name == nullptr) return Value::Unset();
  if (!name->alias().is_unset()) return name->alias();
  constexpr std::pair<std::string_view, std::string_view> kOfCollections[] = {
      {"Counter", "Counter"},
      {"DefaultDict", "defaultdict"},
      {"Deque", "deque"},
      {"OrderedDict", "OrderedDict"}};
  auto& machine = static_cast<Machine&>(host);
  for (const auto& [typing, own] : kOfCollections) {
    if (typing != name->name()) continue;
    ESP_TRY_ASSIGN(const Value module, machine.Import("collections"));
    return module.is_unset() ? module : lang::ExtensionOf(module).GetAttr(host, own);
  }
  ESP_TRY_ASSIGN(const Value module, machine.Import("collections.abc"));
  if (module.is_unset()) return module;
  auto found = lang::ExtensionOf(module).GetAttr(
      host, name->name() == "AbstractSet" ? std::string_view("Set") : name->name());
  if (!found.ok() || found->If<ClassObject>() == nullptr) return Value::Unset();
  return found;
}

Outcome<Value> RegisterSubclass(Host& host, const Value& cls, const Args& args) {
  ESP_TRY(CheckPositional("register", args, 1, 1));
  const Value& registered = args.positional[0];
  auto* ancestor = cls.If<ClassObject>();
  if (ancestor == nullptr || !IsTypeValue(registered))
    return TypeError("Can only register classes");
  ESP_TRY_ASSIGN(const bool known, IsSubclass(host, registered, cls));
  if (known) return registered;
  ESP_TRY_ASSIGN(const bool cyclic, IsSubclass(host, cls, registered));
  const auto* built_in = Exactly<TypeObject>(registered);
  if (cyclic && !(built_in != nullptr && built_in->name() == "object")) {
    return lang::Raise("RuntimeError", "Refusing to create an inheritance cycle");
  }
  for (ClassObject* at : ancestor->mro()) at->registered.push_back(registered);
  return registered;
}

}  // namespace espalier::script
