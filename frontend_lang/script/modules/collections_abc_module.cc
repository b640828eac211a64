// collections.abc: names of what values can do, for isinstance().
#include <string>

#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/machine/error_object.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/set.h"

namespace espalier::script {
namespace {

using lang::Type;

// Of an object of the program's classes: whether its class has these methods.
template <Special... specials>
bool Has(const Value& value) {
  const auto* instance = value.If<Instance>();
  const auto has = [&](Special special) {
    const Value* found = instance->FindSpecial(special);
    return found != nullptr && !found->is_none();
  };
  return instance != nullptr && (has(specials) && ...);
}

bool IsHashable(const Value& value) {
  if (const auto* instance = value.If<Instance>()) {
    const Value* hash = instance->FindSpecial(Special::kHash);
    const Value& payload = instance->payload;
    if (hash != nullptr) return !hash->is_none();
    return payload.is_unset() ? !instance->Has(Special::kEq) : IsHashable(payload);
  }
  const auto* set = value.If<lang::Set>();
  if (set != nullptr) return set->frozen();
  if (value.is_extension()) {
    const std::string_view name = lang::TypeName(value);
    return name != "deque" && name != "dict_keys" && name != "dict_items";
  }
  return value.type() != Type::kList && value.type() != Type::kDict;
}
bool IsDeque(const Value& value) {
  return value.is_extension() && lang::TypeName(value) == "deque";
}
bool IsSequence(const Value& value) {
  const Type type = value.type();
  return type == Type::kStr || type == Type::kList || type == Type::kTuple ||
         type == Type::kRange || IsDeque(value);
}
bool IsMutableSequence(const Value& value) { return value.type() == Type::kList || IsDeque(value); }
bool IsMapping(const Value& value) { return value.type() == Type::kDict; }
bool IsView(const Value& value, std::string_view name) {
  return value.is_extension() && lang::TypeName(value) == name;
}
bool IsKeysView(const Value& value) { return IsView(value, "dict_keys"); }
bool IsItemsView(const Value& value) { return IsView(value, "dict_items"); }
bool IsValuesView(const Value& value) { return IsView(value, "dict_values"); }
bool IsMappingView(const Value& value) {
  return IsKeysView(value) || IsItemsView(value) || IsValuesView(value);
}
bool IsMutableSet(const Value& value) {
  return value.type() == Type::kSet && !value.As<lang::Set>()->frozen();
}
bool IsSet(const Value& value) {
  return value.type() == Type::kSet || IsKeysView(value) || IsItemsView(value);
}
bool IsIterator(const Value& value) {
  return value.type() == Type::kIterator || Has<Special::kIter, Special::kNext>(value);
}
bool IsGenerator(const Value& value) {
  return value.is_extension() && lang::TypeName(value) == "generator";
}
bool IsContainerOfItems(const Value& value) {
  return IsSequence(value) || IsMapping(value) || IsSet(value) || IsMappingView(value);
}
bool IsIterable(const Value& value) {
  return IsContainerOfItems(value) || IsIterator(value) || Has<Special::kIter>(value);
}
bool IsSized(const Value& value) { return IsContainerOfItems(value) || Has<Special::kLen>(value); }
bool IsContainer(const Value& value) {
  return IsContainerOfItems(value) || Has<Special::kContains>(value);
}
bool IsCollection(const Value& value) {
  return IsContainerOfItems(value) || Has<Special::kLen, Special::kIter, Special::kContains>(value);
}
bool IsReversible(const Value& value) {
  return IsSequence(value) || IsMapping(value) || IsMappingView(value) ||
         Has<Special::kReversed, Special::kIter>(value);
}
bool IsCallable(const Value& value) {
  if (value.type() == Type::kInstance) return Has<Special::kCall>(value);
  return value.type() == Type::kFunction || value.type() == Type::kMethod ||
         value.type() == Type::kClass || Exactly<TypeObject>(value) != nullptr ||
         IsErrorType(value) || (value.is_extension() && lang::ExtensionOf(value).BindsAsMethod());
}
bool IsAwaitable(const Value& value) {
  return IsView(value, "coroutine") || IsView(value, "Task") || IsView(value, "Future") ||
         Has<Special::kAwait>(value);
}
bool IsCoroutine(const Value& value) { return IsView(value, "coroutine"); }
bool IsAsyncGenerator(const Value& value) { return IsView(value, "async_generator"); }
bool IsAsyncIterable(const Value& value) {
  return IsAsyncGenerator(value) || Has<Special::kAsyncIter>(value);
}
bool IsAsyncIterator(const Value& value) {
  return IsAsyncGenerator(value) || Has<Special::kAsyncIter, Special::kAsyncNext>(value);
}

constexpr std::pair<std::string_view, TypeObject::Test> kTypes[] = {
    {"collections.abc.AsyncGenerator", IsAsyncGenerator},
    {"collections.abc.AsyncIterable", IsAsyncIterable},
    {"collections.abc.AsyncIterator", IsAsyncIterator},
    {"collections.abc.Awaitable", IsAwaitable},
    {"collections.abc.Callable", IsCallable},
    {"collections.abc.Collection", IsCollection},
    {"collections.abc.Container", IsContainer},
    {"collections.abc.Coroutine", IsCoroutine},
    {"collections.abc.Generator", IsGenerator},
    {"collections.abc.Hashable", IsHashable},
    {"collections.abc.ItemsView", IsItemsView},
    {"collections.abc.Iterable", IsIterable},
    {"collections.abc.Iterator", IsIterator},
    {"collections.abc.KeysView", IsKeysView},
    {"collections.abc.Mapping", IsMapping},
    {"collections.abc.MappingView", IsMappingView},
    {"collections.abc.MutableMapping", IsMapping},
    {"collections.abc.MutableSequence", IsMutableSequence},
    {"collections.abc.MutableSet", IsMutableSet},
    {"collections.abc.Reversible", IsReversible},
    {"collections.abc.Sequence", IsSequence},
    {"collections.abc.Set", IsSet},
    {"collections.abc.Sized", IsSized},
    {"collections.abc.ValuesView", IsValuesView},
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
