// What the classes of collections.abc ask of values: library/collections.abc.py has the classes.
#include <algorithm>
#include <string>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/classes/trait.h"
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
bool IsByteString(const Value& value) {
  return value.is_extension() && lang::TypeName(value) == "bytes";
}
bool IsSequence(const Value& value) {
  const Type type = value.type();
  return type == Type::kStr || type == Type::kList || type == Type::kTuple ||
         type == Type::kRange || IsDeque(value) || IsByteString(value);
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

constexpr Special kHashMethods[] = {Special::kHash};
constexpr Special kAwaitMethods[] = {Special::kAwait};
constexpr Special kAsyncIterMethods[] = {Special::kAsyncIter};
constexpr Special kAsyncNextMethods[] = {Special::kAsyncIter, Special::kAsyncNext};
constexpr Special kIterMethods[] = {Special::kIter};
constexpr Special kNextMethods[] = {Special::kIter, Special::kNext};
constexpr Special kReversedMethods[] = {Special::kIter, Special::kReversed};
constexpr Special kLenMethods[] = {Special::kLen};
constexpr Special kContainsMethods[] = {Special::kContains};
constexpr Special kCollectionMethods[] = {Special::kLen, Special::kIter, Special::kContains};
constexpr Special kCallMethods[] = {Special::kCall};

constexpr Trait kTraits[] = {
    {"AsyncGenerator", IsAsyncGenerator},
    {"AsyncIterable", IsAsyncIterable, kAsyncIterMethods},
    {"AsyncIterator", IsAsyncIterator, kAsyncNextMethods},
    {"Awaitable", IsAwaitable, kAwaitMethods},
    {"ByteString", IsByteString},
    {"Callable", IsCallable, kCallMethods},
    {"Collection", IsCollection, kCollectionMethods},
    {"Container", IsContainer, kContainsMethods},
    {"Coroutine", IsCoroutine},
    {"Generator", IsGenerator},
    {"Hashable", IsHashable, kHashMethods},
    {"ItemsView", IsItemsView},
    {"Iterable", IsIterable, kIterMethods},
    {"Iterator", IsIterator, kNextMethods},
    {"KeysView", IsKeysView},
    {"Mapping", IsMapping},
    {"MappingView", IsMappingView},
    {"MutableMapping", IsMapping},
    {"MutableSequence", IsMutableSequence},
    {"MutableSet", IsMutableSet},
    {"Reversible", IsReversible, kReversedMethods},
    {"Sequence", IsSequence},
    {"Set", IsSet},
    {"Sized", IsSized, kLenMethods},
    {"ValuesView", IsValuesView},
};

// mark(class): it is the class of collections.abc of that name.
Outcome<Value> Mark(Host&, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("mark", args, 1, 1));
  auto* cls = args.positional[0].If<ClassObject>();
  if (cls == nullptr) return lang::TypeError("mark() takes a class");
  const auto* found = std::ranges::find(kTraits, cls->name(), &Trait::name);
  if (found != std::end(kTraits)) cls->trait = found;
  return Value();
}

}  // namespace

Value MakeAbstractModule(Machine& machine) {
  constexpr ModuleFunction kFunctions[] = {{"mark", Mark}};
  return NewModule(machine, "_abstract", kFunctions);
}

}  // namespace espalier::script
