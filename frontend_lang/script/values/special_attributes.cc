#include "frontend_lang/script/values/special_attributes.h"

#include <algorithm>
#include <string>

#include "frontend_lang/script/values/arithmetic.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::lang {
namespace {

using Arguments = std::span<const Value>;

// The types that a row holds for, one bit each.
enum Kinds : unsigned {
  kInts = 1,
  kFloats = 2,
  kStrs = 4,
  kLists = 8,
  kTuples = 16,
  kDicts = 32,
  kSets = 64,
  kRanges = 128,
  kIterators = 256,
  kCallables = 512,
  kNumbers = kInts | kFloats,
  kSequences = kStrs | kLists | kTuples,
  kSized = kSequences | kDicts | kSets | kRanges,
  kOrdered = kNumbers | kSequences | kSets,
  kBuiltins = kNumbers | kSized,
};

unsigned KindOf(const Value& value) {
  switch (value.type()) {
    case Type::kBool:
    case Type::kInt:
    case Type::kBigInt: return kInts;
    case Type::kFloat: return kFloats;
    case Type::kStr: return kStrs;
    case Type::kList: return kLists;
    case Type::kTuple: return kTuples;
    case Type::kDict: return kDicts;
    case Type::kSet: return kSets;
    case Type::kRange: return kRanges;
    case Type::kIterator: return kIterators;
    case Type::kFunction:
    case Type::kClass:
    case Type::kMethod: return kCallables;
    default: break;
  }
  const bool callable = value.is_extension() && ExtensionOf(value).BindsAsMethod();
  return callable ? unsigned{kCallables} : 0U;
}

template <BinaryOp op>
Outcome<Value> Operate(Host& host, const Value& self, Arguments args) {
  return Binary(host, op, self, args[0]);
}
template <BinaryOp op>
Outcome<Value> OperateFromRight(Host& host, const Value& self, Arguments args) {
  return Binary(host, op, args[0], self);
}
template <UnaryOp op>
Outcome<Value> Apply(Host& host, const Value& self, Arguments) {
  return Unary(host, op, self);
}
template <CompareOp op>
Outcome<Value> CompareWith(Host& host, const Value& self, Arguments args) {
  return CompareValue(host, op, self, args[0]);
}

Outcome<Value> LengthOf(Host& host, const Value& self, Arguments) {
  ESP_TRY_ASSIGN(const std::int64_t length, Length(host, self));
  return Value::Int(length);
}
Outcome<Value> IterateOver(Host& host, const Value& self, Arguments) { return Iterate(host, self); }

Outcome<Value> TakeNext(Host& host, const Value& self, Arguments) {
  Value value;
  ESP_TRY_ASSIGN(const bool more, Next(host, self, value));
  if (!more) return Raise("StopIteration", "");
  return value;
}
Outcome<Value> Has(Host& host, const Value& self, Arguments args) {
  ESP_TRY_ASSIGN(const bool found, Contains(host, self, args[0]));
  return Value::Bool(found);
}
Outcome<Value> ItemAt(Host& host, const Value& self, Arguments args) {
  return GetItem(host, self, args[0]);
}
Outcome<Value> PutItem(Host& host, const Value& self, Arguments args) {
  ESP_TRY(SetItem(host, self, args[0], args[1]));
  return Value();
}
Outcome<Value> EraseItem(Host& host, const Value& self, Arguments args) {
  ESP_TRY(DelItem(host, self, args[0]));
  return Value();
}
Outcome<Value> ReprOf(Host& host, const Value& self, Arguments) {
  ESP_TRY_ASSIGN(std::string text, Repr(host, self));
  return MakeStr(host.heap(), std::move(text));
}
Outcome<Value> StrOf(Host& host, const Value& self, Arguments) {
  ESP_TRY_ASSIGN(std::string text, Text(host, self));
  return MakeStr(host.heap(), std::move(text));
}
Outcome<Value> TruthOf(Host& host, const Value& self, Arguments) {
  ESP_TRY_ASSIGN(const bool truth, Truth(host, self));
  return Value::Bool(truth);
}
Outcome<Value> CallSelf(Host& host, const Value& self, const Args& args) {
  return host.Call(self, args);
}

struct Row {
  Method method;
  unsigned kinds;
};

constexpr Row kRows[] = {
    {{"__add__", 1, 1, Operate<BinaryOp::kAdd>}, kNumbers | kSequences},
    {{"__and__", 1, 1, Operate<BinaryOp::kAnd>}, kInts | kSets},
    {{"__bool__", 0, 0, TruthOf}, kNumbers},
    {{.name = "__call__", .raw_code = CallSelf}, kCallables},
    {{"__contains__", 1, 1, Has}, kSized},
    {{"__delitem__", 1, 1, EraseItem}, kLists | kDicts},
    {{"__eq__", 1, 1, CompareWith<CompareOp::kEq>}, kBuiltins},
    {{"__floordiv__", 1, 1, Operate<BinaryOp::kFloorDiv>}, kNumbers},
    {{"__ge__", 1, 1, CompareWith<CompareOp::kGe>}, kOrdered},
    {{"__getitem__", 1, 1, ItemAt}, kSequences | kDicts | kRanges},
    {{"__gt__", 1, 1, CompareWith<CompareOp::kGt>}, kOrdered},
    {{"__invert__", 0, 0, Apply<UnaryOp::kInvert>}, kInts},
    {{"__iter__", 0, 0, IterateOver}, kSized | kIterators},
    {{"__le__", 1, 1, CompareWith<CompareOp::kLe>}, kOrdered},
    {{"__len__", 0, 0, LengthOf}, kSized},
    {{"__lshift__", 1, 1, Operate<BinaryOp::kLeftShift>}, kInts},
    {{"__lt__", 1, 1, CompareWith<CompareOp::kLt>}, kOrdered},
    {{"__mod__", 1, 1, Operate<BinaryOp::kMod>}, kNumbers | kStrs},
    {{"__mul__", 1, 1, Operate<BinaryOp::kMul>}, kNumbers | kSequences},
    {{"__ne__", 1, 1, CompareWith<CompareOp::kNe>}, kBuiltins},
    {{"__neg__", 0, 0, Apply<UnaryOp::kMinus>}, kNumbers},
    {{"__next__", 0, 0, TakeNext}, kIterators},
    {{"__or__", 1, 1, Operate<BinaryOp::kOr>}, kInts | kSets | kDicts},
    {{"__pos__", 0, 0, Apply<UnaryOp::kPlus>}, kNumbers},
    {{"__pow__", 1, 1, Operate<BinaryOp::kPow>}, kNumbers},
    {{"__radd__", 1, 1, OperateFromRight<BinaryOp::kAdd>}, kNumbers},
    {{"__repr__", 0, 0, ReprOf}, kBuiltins},
    {{"__rmul__", 1, 1, OperateFromRight<BinaryOp::kMul>}, kNumbers | kSequences},
    {{"__rshift__", 1, 1, Operate<BinaryOp::kRightShift>}, kInts},
    {{"__rsub__", 1, 1, OperateFromRight<BinaryOp::kSub>}, kNumbers | kSets},
    {{"__setitem__", 2, 2, PutItem}, kLists | kDicts},
    {{"__str__", 0, 0, StrOf}, kBuiltins},
    {{"__sub__", 1, 1, Operate<BinaryOp::kSub>}, kNumbers | kSets},
    {{"__truediv__", 1, 1, Operate<BinaryOp::kDiv>}, kNumbers},
    {{"__xor__", 1, 1, Operate<BinaryOp::kXor>}, kInts | kSets},
};

}  // namespace

const Method* FindSpecialMethod(const Value& self, std::string_view name) {
  if (!name.starts_with("__")) return nullptr;
  const auto* row = std::ranges::find(kRows, name, [](const Row& r) { return r.method.name; });
  return row != std::end(kRows) && (row->kinds & KindOf(self)) != 0 ? &row->method : nullptr;
}

}  // namespace espalier::lang
