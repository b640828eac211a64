// collections: Counter, defaultdict and OrderedDict are dicts of a kind; deque is in
// deque.cc.
#include "frontend_lang/script/modules/collections_module.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/builtins/builtins.h"
#include "frontend_lang/script/classes/named_tuple.h"
#include "frontend_lang/script/modules/deque.h"
#include "frontend_lang/script/values/arithmetic.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/dict_operations.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/set_operations.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using lang::Dict;
using lang::TypeError;
using Arguments = std::span<const Value>;

template <const lang::DictKind& kind>
bool IsKind(const Value& value) {
  const auto* dict = value.If<Dict>();
  return dict != nullptr && dict->kind() == &kind;
}

Outcome<std::string> ReprPlain(Host& host, const Value& dict) {
  const Value plain = host.heap().New<Dict>();
  ESP_TRY(lang::UpdateDict(host, *plain.As<Dict>(), dict));
  return lang::Repr(host, plain);
}

Fault PutKeywords(Host& host, const Value& dict, const Args& args) {
  for (const lang::Keyword& keyword : args.keywords) {
    dict.As<Dict>()->PutStr(keyword.name, keyword.value);
    ESP_TRY(host.Step());
  }
  return Fault();
}

// ---- defaultdict.

Outcome<Value> MakeDefault(Host& host, const Value& self, const Value& key) {
  const Value factory = self.As<Dict>()->default_factory();
  if (factory.is_none()) {
    ESP_TRY_ASSIGN(std::string text, lang::Repr(host, key));
    return lang::RaiseWith("KeyError", std::move(text), key);
  }
  ESP_TRY_ASSIGN(Value value, host.Call(factory, {}));
  ESP_TRY(self.As<Dict>()->Put(host, key, value));
  return value;
}

Outcome<std::string> ReprDefault(Host& host, const Value& self) {
  ESP_TRY_ASSIGN(const std::string factory, lang::Repr(host, self.As<Dict>()->default_factory()));
  ESP_TRY_ASSIGN(const std::string items, ReprPlain(host, self));
  return "defaultdict(" + factory + ", " + items + ")";
}

constexpr lang::DictKind kDefaultDict{.name = "defaultdict",
                                      .find_method = nullptr,
                                      .missing = MakeDefault,
                                      .repr = ReprDefault,
                                      .binary = nullptr,
                                      .has_factory = true};

Outcome<Value> MakeDefaultDict(Host& host, const Value&, const Args& args) {
  const Value made = host.heap().New<Dict>(&kDefaultDict);
  if (!args.positional.empty()) {
    const Value& factory = args.positional[0];
    if (!factory.is_none() && !factory.is_extension()) {
      return TypeError("first argument must be callable or None");
    }
    made.As<Dict>()->set_default_factory(factory);
  }
  ESP_TRY(CheckPositional("defaultdict", {args.positional, {}}, 0, 2));
  if (args.positional.size() == 2) {
    ESP_TRY(lang::UpdateDict(host, *made.As<Dict>(), args.positional[1]));
  }
  ESP_TRY(PutKeywords(host, made, args));
  return made;
}

// ---- OrderedDict.

Outcome<Value> MoveToEnd(Host& host, const Value& self, Arguments args) {
  Dict& dict = *self.As<Dict>();
  bool last = true;
  if (!args[1].is_unset()) {
    ESP_TRY_ASSIGN(last, lang::Truth(host, args[1]));
  }
  ESP_TRY_ASSIGN(Value value, dict.Pop(host, args[0]));
  if (value.is_unset()) {
    ESP_TRY_ASSIGN(std::string text, lang::Repr(host, args[0]));
    return lang::RaiseWith("KeyError", std::move(text), args[0]);
  }
  if (last) {
    ESP_TRY(dict.Put(host, args[0], std::move(value)));
    return Value();
  }
  ESP_TRY(host.Step(dict.size() / 16));
  ESP_TRY_ASSIGN(const Value rest, lang::CopyDict(host, self));
  dict.EraseAll();
  ESP_TRY(dict.Put(host, args[0], std::move(value)));
  ESP_TRY(lang::UpdateDict(host, dict, rest));
  return Value();
}

Outcome<Value> PopItem(Host& host, const Value& self, Arguments args) {
  Dict& dict = *self.As<Dict>();
  if (dict.size() == 0) {
    return lang::RaiseWith("KeyError", "'dictionary is empty'",
                           lang::MakeStr(host.heap(), std::string("dictionary is empty")));
  }
  bool last = true;
  if (!args[0].is_unset()) {
    ESP_TRY_ASSIGN(last, lang::Truth(host, args[0]));
  }
  std::size_t at = dict.entries().size() - 1;
  if (!last) {
    at = 0;
    dict.EntryAt(at);
  }
  const Value key = dict.entries()[at].key;
  Value value = dict.TakeAt(at);
  return host.heap().New<lang::Tuple>(std::vector<Value>{key, std::move(value)});
}

constexpr lang::Method kOrderedMethods[] = {
    {"move_to_end", 1, 2, MoveToEnd, "key last"},
    {"popitem", 0, 1, PopItem, "last"},
};
const lang::Method* FindOrdered(std::string_view name) {
  return lang::FindIn(kOrderedMethods, name);
}

Outcome<std::string> ReprOrdered(Host& host, const Value& self) {
  const Dict& dict = *self.As<Dict>();
  if (dict.size() == 0) return std::string("OrderedDict()");
  std::vector<Value> pairs;
  for (std::size_t at = 0; const auto* entry = dict.EntryAt(at); ++at) {
    pairs.push_back(host.heap().New<lang::Tuple>(std::vector<Value>{entry->key, entry->value}));
  }
  const Value list = host.heap().New<lang::List>(std::move(pairs));
  ESP_TRY_ASSIGN(const std::string text, lang::Repr(host, list));
  return "OrderedDict(" + text + ")";
}

constexpr lang::DictKind kOrderedDict{.name = "OrderedDict",
                                      .find_method = FindOrdered,
                                      .missing = nullptr,
                                      .repr = ReprOrdered,
                                      .binary = nullptr,
                                      .order_counts = true};

Outcome<Value> MakeOrderedDict(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("OrderedDict", {args.positional, {}}, 0, 1));
  const Value made = host.heap().New<Dict>(&kOrderedDict);
  if (!args.positional.empty()) {
    ESP_TRY(lang::UpdateDict(host, *made.As<Dict>(), args.positional[0]));
  }
  ESP_TRY(PutKeywords(host, made, args));
  return made;
}

}  // namespace

Value MakeCollectionsModule(Machine& machine) {
  const Value value = NewModule(machine, "collections", {});
  Module& module = ModuleOf(value);
  module.AddFunction("namedtuple", NamedTupleFunction);
  module.Add("Counter", NewCounterType(machine));
  module.Add("deque", NewDequeType(machine));
  module.Add("defaultdict",
             NewType(machine, "collections.defaultdict", MakeDefaultDict, IsKind<kDefaultDict>));
  const Value ordered =
      NewType(machine, "collections.OrderedDict", MakeOrderedDict, IsKind<kOrderedDict>);
  Exactly<TypeObject>(ordered)->ShareMethods([](std::string_view name) {
    const lang::Method* own = FindOrdered(name);
    return own != nullptr ? own : lang::FindMethod(lang::Type::kDict, name);
  });
  AddFromKeys(machine, ordered);
  module.Add("OrderedDict", ordered);
  return value;
}

}  // namespace espalier::script
