// Methods of set.
#include <string>

#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/extension.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/set.h"
#include "frontend_lang/script/values/set_operations.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::lang {
namespace {

using Arguments = std::span<const Value>;

Set& SetOf(const Value& self) { return *self.As<Set>(); }

// The set that `iterable` is or stands for, or one of its items.
Outcome<Value> AsSet(Host& host, const Value& iterable) {
  if (PlainOf(iterable).If<Set>() != nullptr) return PlainOf(iterable);
  return MakeSet(host, iterable);
}

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
  if (SetOf(self).size() > 0) return SetOf(self).Pop(host);
  return RaiseWith("KeyError", "'pop from an empty set'",
                   MakeStr(host.heap(), std::string_view("pop from an empty set")));
}

Outcome<Value> Union(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const Value result, MakeSet(host, self, SetOf(self).kind()));
  for (const Value& other : args.positional) {
    if (!other.Is(self)) ESP_TRY(AddAll(host, SetOf(result), other));
  }
  return result;
}

Outcome<Value> IntersectionMethod(Host& host, const Value& self, const Args& args) {
  if (args.positional.empty()) return MakeSet(host, self, SetOf(self).kind());
  Value result = self;
  for (const Value& other : args.positional) {
    ESP_TRY_ASSIGN(result, Intersection(host, Value(result), other));
  }
  return result;
}

Outcome<Value> DifferenceMethod(Host& host, const Value& self, const Args& args) {
  if (args.positional.empty()) return MakeSet(host, self, SetOf(self).kind());
  ESP_TRY_ASSIGN(const Value result, Difference(host, self, args.positional[0]));
  for (const Value& other : args.positional.subspan(1)) {
    ESP_TRY(EraseAll(host, SetOf(result), other));
  }
  return result;
}

Outcome<Value> SymmetricDifference(Host& host, const Value& self, Arguments args) {
  ESP_TRY_ASSIGN(const Value result, MakeSet(host, args[0], SetOf(self).kind()));
  ESP_TRY(ToggleAll(host, SetOf(result), self));
  return result;
}

template <Fault update(Host&, Set&, const Value&)>
Outcome<Value> Update(Host& host, const Value& self, const Args& args) {
  for (const Value& other : args.positional) ESP_TRY(update(host, SetOf(self), other));
  return Value();
}

Outcome<Value> IntersectionUpdate(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const Value result, IntersectionMethod(host, self, args));
  SetOf(self).SwapMembers(SetOf(result));
  return Value();
}

Outcome<Value> SymmetricDifferenceUpdate(Host& host, const Value& self, Arguments args) {
  ESP_TRY(ToggleAll(host, SetOf(self), args[0]));
  return Value();
}

template <CompareOp op>
Outcome<Value> Order(Host& host, const Value& self, Arguments args) {
  ESP_TRY_ASSIGN(const Value other, AsSet(host, args[0]));
  ESP_TRY_ASSIGN(const bool holds, Compare(host, op, self, other));
  return Value::Bool(holds);
}

Outcome<Value> IsDisjoint(Host& host, const Value& self, Arguments args) {
  ESP_TRY_ASSIGN(const bool disjoint, AreDisjoint(host, self, args[0]));
  return Value::Bool(disjoint);
}

constexpr Method kSetMethods[] = {
    {"add", 1, 1, Add},
    {"clear", 0, 0, ClearSet},
    {"copy", 0, 0, Copy},
    {.name = "difference", .raw_code = DifferenceMethod},
    {.name = "difference_update", .raw_code = Update<EraseAll>},
    {"discard", 1, 1, Discard},
    {.name = "intersection", .raw_code = IntersectionMethod},
    {.name = "intersection_update", .raw_code = IntersectionUpdate},
    {"isdisjoint", 1, 1, IsDisjoint},
    {"issubset", 1, 1, Order<CompareOp::kLe>},
    {"issuperset", 1, 1, Order<CompareOp::kGe>},
    {"pop", 0, 0, Pop},
    {"remove", 1, 1, Remove},
    {"symmetric_difference", 1, 1, SymmetricDifference},
    {"symmetric_difference_update", 1, 1, SymmetricDifferenceUpdate},
    {.name = "union", .raw_code = Union},
    {.name = "update", .raw_code = Update<AddAll>},
};

}  // namespace

std::span<const Method> SetMethods() { return kSetMethods; }

}  // namespace espalier::lang
