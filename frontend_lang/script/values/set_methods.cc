// Methods of set.
#include <string>

#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/set_operations.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::lang {
namespace {

using Arguments = std::span<const Value>;

Set& SetOf(const Value& self) { return *self.As<Set>(); }

Outcome<Value> Add(Host& host, const Value& self, Arguments args) {
  ESP_TRY(SetOf(self).Add(host, args[0]));
  return Value();
}

Outcome<Value> ClearSet(Host&, const Value& self, Arguments) {
  SetOf(self).EraseAll();
  return Value();
}

Outcome<Value> Copy(Host& host, const Value& self, Arguments) {
  if (SetOf(self).frozen()) return self;
  return MakeSet(host, self);
}

Outcome<Value> Discard(Host& host, const Value& self, Arguments args) {
  ESP_TRY_ASSIGN([[maybe_unused]] const bool erased, SetOf(self).Erase(host, args[0]));
  return Value();
}

Outcome<Value> Remove(Host& host, const Value& self, Arguments args) {
  ESP_TRY_ASSIGN(const bool erased, SetOf(self).Erase(host, args[0]));
  if (erased) return Value();
  ESP_TRY_ASSIGN(std::string text, Repr(host, args[0]));
  return RaiseWith("KeyError", std::move(text), args[0]);
}

Outcome<Value> Pop(Host& host, const Value& self, Arguments) {
  SetOf(self).Arrange();
  std::size_t at = 0;
  const HashTable::Entry* first = SetOf(self).EntryAt(at);
  if (first == nullptr) {
    return RaiseWith("KeyError", "'pop from an empty set'",
                     MakeStr(host.heap(), std::string_view("pop from an empty set")));
  }
  const Value key = first->key;
  ESP_TRY(host.Step(static_cast<std::int64_t>(at) / 64));
  SetOf(self).EraseAt(at);
  return key;
}

// Combines self with each argument in turn.
template <BinaryOp op>
Outcome<Value> Combine(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(Value result, MakeSet(host, self, SetOf(self).kind()));
  for (const Value& other : args.positional) {
    ESP_TRY_ASSIGN(const Value set, MakeSet(host, other));
    ESP_TRY_ASSIGN(result, SetBinary(host, op, result, set));
  }
  return result;
}

template <BinaryOp op>
Outcome<Value> Update(Host& host, const Value& self, const Args& args) {
  for (const Value& other : args.positional) {
    ESP_TRY_ASSIGN(const Value set, MakeSet(host, other));
    Value target = self;
    ESP_TRY_ASSIGN([[maybe_unused]] const bool done, UpdateInPlace(host, op, target, set));
  }
  return Value();
}

template <CompareOp op>
Outcome<Value> Order(Host& host, const Value& self, Arguments args) {
  ESP_TRY_ASSIGN(const Value other, MakeSet(host, args[0]));
  ESP_TRY_ASSIGN(const bool holds, Compare(host, op, self, other));
  return Value::Bool(holds);
}

Outcome<Value> IsDisjoint(Host& host, const Value& self, Arguments args) {
  ESP_TRY_ASSIGN(const Value other, MakeSet(host, args[0]));
  ESP_TRY_ASSIGN(const Value common, SetBinary(host, BinaryOp::kAnd, self, other));
  return Value::Bool(SetOf(common).size() == 0);
}

constexpr Method kSetMethods[] = {
    {"add", 1, 1, Add},
    {"clear", 0, 0, ClearSet},
    {"copy", 0, 0, Copy},
    {.name = "difference", .raw_code = Combine<BinaryOp::kSub>},
    {.name = "difference_update", .raw_code = Update<BinaryOp::kSub>},
    {"discard", 1, 1, Discard},
    {.name = "intersection", .raw_code = Combine<BinaryOp::kAnd>},
    {.name = "intersection_update", .raw_code = Update<BinaryOp::kAnd>},
    {"isdisjoint", 1, 1, IsDisjoint},
    {"issubset", 1, 1, Order<CompareOp::kLe>},
    {"issuperset", 1, 1, Order<CompareOp::kGe>},
    {"pop", 0, 0, Pop},
    {"remove", 1, 1, Remove},
    {"symmetric_difference", 1, 1,
     [](Host& host, const Value& self, Arguments args) {
       return Combine<BinaryOp::kXor>(host, self, {.positional = args});
     }},
    {"symmetric_difference_update", 1, 1,
     [](Host& host, const Value& self, Arguments args) {
       return Update<BinaryOp::kXor>(host, self, {.positional = args});
     }},
    {.name = "union", .raw_code = Combine<BinaryOp::kOr>},
    {.name = "update", .raw_code = Update<BinaryOp::kOr>},
};

}  // namespace

std::span<const Method> SetMethods() { return kSetMethods; }

}  // namespace espalier::lang
