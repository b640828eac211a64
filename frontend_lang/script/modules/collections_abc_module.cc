// collections.abc: names of what values can do, for isinstance().
#include <string>

#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/containers.h"
#include "frontend_lang/script/dict.h"
#include "frontend_lang/script/error_object.h"
#include "frontend_lang/script/modules/deque.h"
#include "frontend_lang/script/modules/standard_modules.h"

namespace espalier::script {
namespace {

using lang::Type;

bool Has(const Value& value, Special special) {
  const auto* instance = value.If<Instance>();
  const Value* found = instance == nullptr ? nullptr : instance->FindSpecial(special);
  return found != nullptr && !found->is_none();
}

bool IsHashable(const Value& value) {
  if (const auto* instance = value.If<Instance>()) {
    const Value* hash = instance->FindSpecial(Special::kHash);
    const bool compares = hash == nullptr && instance->Has(Special::kEq);
    return instance->payload.is_unset() ? !compares && (hash == nullptr || !hash->is_none())
                                        : IsHashable(instance->payload);
  }
  const auto* set = value.If<lang::Set>();
  if (set != nullptr) return set->frozen();
  if (Exactly<Deque>(value) != nullptr) return false;
  const std::string_view type = lang::TypeName(value);
  if (value.is_extension() && (type == "dict_keys" || type == "dict_items")) return false;
  return value.type() != Type::kList && value.type() != Type::kDict;
}
bool IsSequence(const Value& value) {
  const Type type = value.type();
  return type == Type::kStr || type == Type::kList || type == Type::kTuple ||
         type == Type::kRange || Exactly<Deque>(value) != nullptr;
}
bool IsMutableSequence(const Value& value) {
  return value.type() == Type::kList || Exactly<Deque>(value) != nullptr;
}
bool IsMapping(const Value& value) { return value.type() == Type::kDict; }
bool IsSet(const Value& value) { return value.type() == Type::kSet; }
bool IsIterator(const Value& value) {
  return value.type() == Type::kIterator ||
         (Has(value, Special::kIter) && Has(value, Special::kNext));
}
bool IsGenerator(const Value& value) {
  return value.is_extension() && lang::TypeName(value) == "generator";
}
bool IsIterable(const Value& value) {
  if (IsSequence(value) || IsMapping(value) || IsSet(value) || IsIterator(value)) return true;
  return Has(value, Special::kIter) ||
         (value.type() == Type::kExtension && lang::TypeName(value).starts_with("dict_"));
}
bool IsBuiltInCollection(const Value& value) {
  return value.type() != Type::kInstance && IsIterable(value) && !IsIterator(value);
}
bool IsSized(const Value& value) { return IsBuiltInCollection(value) || Has(value, Special::kLen); }
bool IsContainer(const Value& value) {
  return IsBuiltInCollection(value) || Has(value, Special::kContains);
}
bool IsCollection(const Value& value) {
  return IsSized(value) && IsContainer(value) && IsIterable(value);
}
bool IsCallable(const Value& value) {
  return value.type() == Type::kFunction || Exactly<ScriptFunction>(value) != nullptr ||
         value.type() == Type::kMethod || value.type() == Type::kClass ||
         Exactly<TypeObject>(value) != nullptr || IsErrorType(value) || Has(value, Special::kCall);
}

constexpr std::pair<std::string_view, TypeObject::Test> kTypes[] = {
    {"collections.abc.Callable", IsCallable},
    {"collections.abc.Collection", IsCollection},
    {"collections.abc.Container", IsContainer},
    {"collections.abc.Generator", IsGenerator},
    {"collections.abc.Hashable", IsHashable},
    {"collections.abc.Iterable", IsIterable},
    {"collections.abc.Iterator", IsIterator},
    {"collections.abc.Mapping", IsMapping},
    {"collections.abc.MutableMapping", IsMapping},
    {"collections.abc.MutableSequence", IsMutableSequence},
    {"collections.abc.MutableSet", IsSet},
    {"collections.abc.Sequence", IsSequence},
    {"collections.abc.Set", IsSet},
    {"collections.abc.Sized", IsSized},
};

Outcome<Value> NoMaking(Host&, const Value& type, const Args&) {
  const std::string_view name = static_cast<TypeObject*>(type.object())->name();
  return lang::TypeError("Can't instantiate abstract class " +
                         std::string(name.substr(name.rfind('.') + 1)));
}

}  // namespace

Value MakeCollectionsAbcModule(Machine& machine) {
  const Value module = NewModule(machine, "collections.abc", {});
  for (const auto& [name, test] : kTypes) {
    ModuleOf(module).Add(name.substr(name.rfind('.') + 1), NewType(machine, name, NoMaking, test));
  }
  return module;
}

}  // namespace espalier::script
