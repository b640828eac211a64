// What the built-in types have as attributes: their methods as functions (str.upper),
// and the functions of the types themselves (dict.fromkeys).
#include <algorithm>
#include <string>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/builtins/builtins.h"
#include "frontend_lang/script/builtins/number_members.h"
#include "frontend_lang/script/bytes/bytes.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/sequence.h"

namespace espalier::script {
namespace {

template <lang::Type type>
const lang::Method* FindIn(std::string_view name) {
  return lang::FindMethod(type, name);
}

Outcome<Value> FromKeys(Host& host, const Value& type, const Args& args) {
  ESP_TRY(CheckPositional("fromkeys", args, 1, 2));
  const Value value = args.positional.size() == 2 ? args.positional[1] : Value();
  ESP_TRY_ASSIGN(const Value made, host.Call(type, {}));
  ESP_TRY(lang::ForEach(host, args.positional[0], [&](const Value& key) {
    return made.As<lang::Dict>()->Put(host, key, value);
  }));
  return made;
}

Outcome<Value> MakeTrans(Host& host, const Value&, const Args& args) {
  const lang::Method* method = lang::FindMethod(lang::Type::kStr, "maketrans");
  return lang::CallMethod(host, *method, host.heap().EmptyStr(), args);
}

// Set's methods but for those that change it.
const lang::Method* FindFrozen(std::string_view name) {
  constexpr std::string_view kChanges[] = {
      "add", "clear",  "difference_update",           "discard", "intersection_update",
      "pop", "remove", "symmetric_difference_update", "update"};
  const bool changes = std::ranges::find(kChanges, name) != std::end(kChanges);
  return changes ? nullptr : lang::FindMethod(lang::Type::kSet, name);
}

struct Row {
  std::string_view type;
  const lang::Method* (*find)(std::string_view name);
};
constexpr Row kRows[] = {
    {"str", FindIn<lang::Type::kStr>},     {"list", FindIn<lang::Type::kList>},
    {"tuple", FindIn<lang::Type::kTuple>}, {"dict", FindIn<lang::Type::kDict>},
    {"set", FindIn<lang::Type::kSet>},     {"frozenset", FindFrozen},
    {"int", FindIn<lang::Type::kInt>},     {"float", FindIn<lang::Type::kFloat>},
    {"bool", FindIn<lang::Type::kInt>},    {"range", FindIn<lang::Type::kRange>},
};

}  // namespace

void AddFromKeys(Machine& machine, const Value& type) {
  Exactly<TypeObject>(type)->AddMember(
      "fromkeys", machine.heap().New<lang::NativeFunction>("fromkeys", FromKeys, type));
}

void AddTypeMembers(Machine& machine) {
  Heap& heap = machine.heap();
  for (const Row& row : kRows) {
    auto* type = Exactly<TypeObject>(machine.Builtin(row.type));
    if (type != nullptr) type->ShareMethods(row.find);
  }
  AddFromKeys(machine, machine.Builtin("dict"));
  Exactly<TypeObject>(machine.Builtin("bytes"))
      ->AddMember("fromhex", heap.New<lang::NativeFunction>("fromhex", BytesFromHex));
  Exactly<TypeObject>(machine.Builtin("int"))
      ->AddMember("from_bytes", heap.New<lang::NativeFunction>("from_bytes", IntFromBytes));
  Exactly<TypeObject>(machine.Builtin("float"))
      ->AddMember("fromhex", heap.New<lang::NativeFunction>("fromhex", FloatFromHex));
  Exactly<TypeObject>(machine.Builtin("str"))
      ->AddMember("maketrans", heap.New<lang::NativeFunction>("maketrans", MakeTrans));
}

}  // namespace espalier::script
