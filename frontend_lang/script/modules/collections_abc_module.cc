// collections.abc: names of what values can do, for isinstance().
#include <string>

#include "frontend_lang/script/containers.h"
#include "frontend_lang/script/dict.h"
#include "frontend_lang/script/modules/standard_modules.h"

namespace espalier::script {
namespace {

using lang::Type;

bool IsHashable(const Value& value) {
  const auto* set = value.If<lang::Set>();
  if (set != nullptr) return set->frozen();
  return value.type() != Type::kList && value.type() != Type::kDict;
}
bool IsSequence(const Value& value) {
  const Type type = value.type();
  return type == Type::kStr || type == Type::kList || type == Type::kTuple ||
         type == Type::kRange || (value.is_extension() && lang::TypeName(value) == "deque");
}
bool IsMutableSequence(const Value& value) {
  return value.type() == Type::kList || (value.is_extension() && lang::TypeName(value) == "deque");
}
bool IsMapping(const Value& value) { return value.type() == Type::kDict; }
bool IsSet(const Value& value) { return value.type() == Type::kSet; }
bool IsIterator(const Value& value) { return value.type() == Type::kIterator; }
bool IsGenerator(const Value& value) {
  return value.is_extension() && lang::TypeName(value) == "generator";
}
bool IsIterable(const Value& value) {
  if (IsSequence(value) || IsMapping(value) || IsSet(value) || IsIterator(value)) return true;
  return value.is_extension() && lang::TypeName(value).starts_with("dict_");
}
bool IsSized(const Value& value) { return IsIterable(value) && !IsIterator(value); }
bool IsCallable(const Value& value) {
  return value.type() == Type::kFunction || Exactly<ScriptFunction>(value) != nullptr ||
         Exactly<TypeObject>(value) != nullptr;
}

constexpr std::pair<std::string_view, TypeObject::Test> kTypes[] = {
    {"collections.abc.Callable", IsCallable},
    {"collections.abc.Collection", IsSized},
    {"collections.abc.Container", IsSized},
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
