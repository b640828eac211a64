#include "frontend_lang/script/values/compare.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/extension.h"
#include "frontend_lang/script/values/integer/integer.h"
#include "frontend_lang/script/values/set.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::lang {
namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;

enum class Order { kLess, kEqual, kGreater, kNone };  // kNone: a NaN

Order OrderOf(std::int64_t a, std::int64_t b) {
  return a < b ? Order::kLess : a > b ? Order::kGreater : Order::kEqual;
}
Order OrderOf(double a, double b) {
  return a < b ? Order::kLess : a > b ? Order::kGreater : a == b ? Order::kEqual : Order::kNone;
}
Order Reverse(Order order) {
  return order == Order::kLess ? Order::kGreater : order == Order::kGreater ? Order::kLess : order;
}

// Exact: the float is split in a whole part, which fits 64 bits, and a fraction.
Order OrderOf(std::int64_t a, double b) {
  if (std::isnan(b)) return Order::kNone;
  if (b >= kTwoTo63) return Order::kLess;
  if (b < -kTwoTo63) return Order::kGreater;
  const double whole = std::floor(b);
  const Order order = OrderOf(a, static_cast<std::int64_t>(whole));
  return order == Order::kEqual && b > whole ? Order::kLess : order;
}

Order OrderOfSign(int sign) {
  return sign < 0 ? Order::kLess : sign > 0 ? Order::kGreater : Order::kEqual;
}

Order BigOrder(const Value& a, const Value& b) {
  if (a.is_float()) return Reverse(BigOrder(b, a));
  if (!b.is_float()) return OrderOfSign(CompareIntegers(a, b));
  return std::isnan(b.as_float()) ? Order::kNone
                                  : OrderOfSign(CompareIntegerToFloat(a, b.as_float()));
}

Order NumberOrder(const Value& a, const Value& b) {
  if (a.on_heap() || b.on_heap()) return BigOrder(a, b);
  if (a.is_integral()) {
    return b.is_integral() ? OrderOf(a.as_int(), b.as_int()) : OrderOf(a.as_int(), b.as_float());
  }
  if (b.is_integral()) return Reverse(OrderOf(b.as_int(), a.as_float()));
  return OrderOf(a.as_float(), b.as_float());
}

bool Satisfies(CompareOp op, Order order) {
  switch (op) {
    case CompareOp::kEq: return order == Order::kEqual;
    case CompareOp::kNe: return order != Order::kEqual;
    case CompareOp::kLt: return order == Order::kLess;
    case CompareOp::kLe: return order == Order::kLess || order == Order::kEqual;
    case CompareOp::kGt: return order == Order::kGreater;
    case CompareOp::kGe: return order == Order::kGreater || order == Order::kEqual;
  }
  return false;
}

const std::vector<Value>* ItemsOf(const Value& value) {
  if (const List* list = value.If<List>()) return &list->items();
  if (const Tuple* tuple = value.If<Tuple>()) return &tuple->items();
  return nullptr;
}

// Number of leading members that the two have in common. (Comparing may change a
// list, so sizes are read anew each round.)
Outcome<std::size_t> CommonLength(Host& host, const Value& a, const Value& b) {
  std::size_t i = 0;
  while (i < ItemsOf(a)->size() && i < ItemsOf(b)->size()) {
    ESP_TRY(host.Step());
    const Value left = (*ItemsOf(a))[i], right = (*ItemsOf(b))[i];
    ESP_TRY_ASSIGN(const bool same, Same(host, left, right));
    if (!same) break;
    ++i;
  }
  return i;
}

Outcome<bool> SequencesEqual(Host& host, const Value& a, const Value& b) {
  if (ItemsOf(a)->size() != ItemsOf(b)->size()) return false;
  ESP_TRY_ASSIGN(const std::size_t common, CommonLength(host, a, b));
  return common == ItemsOf(a)->size() && common == ItemsOf(b)->size();
}

// An OrderedDict's order counts where both are of that kind.
bool OrderCounts(const Dict& a, const Dict& b) {
  return a.kind() != nullptr && a.kind() == b.kind() && a.kind()->order_counts;
}

Outcome<bool> SameKeyOrder(Host& host, const Dict& a, const Dict& b) {
  std::size_t i = 0, j = 0;
  for (;; ++i, ++j) {
    ESP_TRY(host.Step());
    const HashTable::Entry *left = a.EntryAt(i), *right = b.EntryAt(j);
    if (left == nullptr || right == nullptr) return left == right;
    const Value x = left->key, y = right->key;
    ESP_TRY_ASSIGN(const bool same, Same(host, x, y));
    if (!same) return false;
  }
}

Outcome<bool> DictsEqual(Host& host, const Dict& a, const Dict& b) {
  if (a.size() != b.size()) return false;
  if (OrderCounts(a, b)) {
    ESP_TRY_ASSIGN(const bool same, SameKeyOrder(host, a, b));
    if (!same) return false;
  }
  for (std::size_t at = 0; const HashTable::Entry* entry = a.EntryAt(at); ++at) {
    ESP_TRY(host.Step());
    const Value key = entry->key, value = entry->value;
    ESP_TRY_ASSIGN(const Value* other, b.Find(host, key));
    if (other == nullptr) return false;
    const Value held = *other;
    ESP_TRY_ASSIGN(const bool same, Same(host, value, held));
    if (!same) return false;
  }
  return true;
}

Outcome<bool> IsSubset(Host& host, const Set& a, const Set& b) {
  if (a.size() > b.size()) return false;
  for (std::size_t at = 0; const Set::Entry* entry = a.EntryAt(at); ++at) {
    ESP_TRY(host.Step());
    const Set::Entry held = *entry;
    ESP_TRY_ASSIGN(const bool has, b.Contains(host, held));
    if (!has) return false;
  }
  return true;
}

bool RangesEqual(const Range& a, const Range& b) {
  return a.size() == b.size() && (a.size() == 0 || a.start() == b.start()) &&
         (a.size() <= 1 || a.step() == b.step());
}

// The kind of two dicts, where it has comparisons of its own.
const DictKind* ComparingKind(const Value& a, const Value& b) {
  const auto *left = a.If<Dict>(), *right = b.If<Dict>();
  if (left == nullptr || right == nullptr || left->kind() != right->kind()) return nullptr;
  return left->kind() != nullptr && left->kind()->holds != nullptr ? left->kind() : nullptr;
}

Outcome<bool> SlicesEqual(Host& host, const Slice& a, const Slice& b) {
  ESP_TRY_ASSIGN(const bool starts, Same(host, a.start(), b.start()));
  if (!starts) return false;
  ESP_TRY_ASSIGN(const bool stops, Same(host, a.stop(), b.stop()));
  return stops ? Same(host, a.step(), b.step()) : Outcome<bool>(false);
}

Outcome<bool> ContainersEqual(Host& host, const Value& a, const Value& b) {
  NestedScope scope(host);
  ESP_TRY(scope.Check());
  switch (a.type()) {
    case Type::kList:
    case Type::kTuple: return SequencesEqual(host, a, b);
    case Type::kDict:
      if (const DictKind* kind = ComparingKind(a, b))
        return kind->holds(host, CompareOp::kEq, a, b);
      return DictsEqual(host, *a.As<Dict>(), *b.As<Dict>());
    case Type::kSet:
      if (a.As<Set>()->size() != b.As<Set>()->size()) return false;
      return IsSubset(host, *a.As<Set>(), *b.As<Set>());
    case Type::kRange: return RangesEqual(*a.As<Range>(), *b.As<Range>());
    case Type::kSlice: return SlicesEqual(host, *a.As<Slice>(), *b.As<Slice>());
    default: return a.Is(b);
  }
}

Outcome<bool> StrsEqual(Host& host, const Value& a, const Value& b) {
  if (a.Is(b)) return true;
  const std::string_view left = TextOf(a), right = TextOf(b);
  if (left.size() != right.size()) return false;
  ESP_TRY(host.StepOver(left.size()));
  return left == right;
}

Fault NoOrder(CompareOp op, const Value& a, const Value& b) {
  return TypeError("'" + std::string(Symbol(op)) + "' not supported between instances of '" +
                   std::string(TypeName(a)) + "' and '" + std::string(TypeName(b)) + "'");
}

Outcome<bool> OrderSequences(Host& host, CompareOp op, const Value& a, const Value& b) {
  NestedScope scope(host);
  ESP_TRY(scope.Check());
  ESP_TRY_ASSIGN(const std::size_t common, CommonLength(host, a, b));
  const auto &left = *ItemsOf(a), &right = *ItemsOf(b);
  if (common >= left.size() || common >= right.size()) {
    return Satisfies(op, OrderOf(static_cast<std::int64_t>(left.size()),
                                 static_cast<std::int64_t>(right.size())));
  }
  const Value x = left[common], y = right[common];
  return Compare(host, op, x, y);
}

Outcome<bool> OrderSets(Host& host, CompareOp op, const Set& a, const Set& b) {
  switch (op) {
    case CompareOp::kLt:
      if (a.size() >= b.size()) return false;
      return IsSubset(host, a, b);
    case CompareOp::kLe: return IsSubset(host, a, b);
    case CompareOp::kGt:
      if (a.size() <= b.size()) return false;
      return IsSubset(host, b, a);
    default: return IsSubset(host, b, a);
  }
}

CompareOp Mirror(CompareOp op) {
  switch (op) {
    case CompareOp::kLt: return CompareOp::kGt;
    case CompareOp::kLe: return CompareOp::kGe;
    case CompareOp::kGt: return CompareOp::kLt;
    case CompareOp::kGe: return CompareOp::kLe;
    default: return op;
  }
}

}  // namespace

Outcome<bool> Truth(Host& host, const Value& value) {
  switch (value.type()) {
    case Type::kUnset:
    case Type::kNone: return false;
    case Type::kBool:
    case Type::kInt: return value.as_int() != 0;
    case Type::kFloat: return value.as_float() != 0;
    case Type::kBigInt: return true;
    case Type::kStr: return value.As<Str>()->length() > 0;
    case Type::kList: return value.As<List>()->size() > 0;
    case Type::kTuple: return value.As<Tuple>()->size() > 0;
    case Type::kDict: return value.As<Dict>()->size() > 0;
    case Type::kSet: return value.As<Set>()->size() > 0;
    case Type::kRange: return value.As<Range>()->size() > 0;
    case Type::kSlice: return true;
    default: return ExtensionOf(value).Truth(host);
  }
}

Outcome<bool> Equals(Host& host, const Value& a, const Value& b) {
  if (a.is_extension()) return ExtensionOf(a).Equals(host, b);
  if (b.is_extension()) return ExtensionOf(b).Equals(host, a);
  if (a.is_number() && b.is_number()) return NumberOrder(a, b) == Order::kEqual;
  if (a.type() != b.type()) return false;
  if (a.is_str()) return StrsEqual(host, a, b);
  if (!a.on_heap()) return true;  // None
  return ContainersEqual(host, a, b);
}

Outcome<bool> Same(Host& host, const Value& a, const Value& b) {
  if (a.Is(b)) return true;
  return Equals(host, a, b);
}

// What the operands themselves say; Unset if they say nothing.
static Outcome<Value> Ask(Host& host, CompareOp op, const Value& a, const Value& b) {
  const bool b_first = a.is_extension() && b.is_extension() && ExtensionOf(b).ComparesFirst(a);
  if (b_first) {
    ESP_TRY_ASSIGN(Value answer, ExtensionOf(b).Compare(host, Mirror(op), a));
    if (!answer.is_unset()) return answer;
  }
  if (a.is_extension()) {
    ESP_TRY_ASSIGN(Value answer, ExtensionOf(a).Compare(host, op, b));
    if (!answer.is_unset()) return answer;
  }
  if (b.is_extension() && !b_first) return ExtensionOf(b).Compare(host, Mirror(op), a);
  return Value::Unset();
}

Outcome<Value> CompareValue(Host& host, CompareOp op, const Value& a, const Value& b) {
  ESP_TRY_ASSIGN(Value answer, Ask(host, op, a, b));
  if (!answer.is_unset()) return answer;
  if (op == CompareOp::kEq || op == CompareOp::kNe) {
    if (a.type() == Type::kInstance || b.type() == Type::kInstance) {  // both were asked
      return Value::Bool(a.Is(b) == (op == CompareOp::kEq));
    }
    ESP_TRY_ASSIGN(const bool equal, Equals(host, a, b));
    return Value::Bool(equal == (op == CompareOp::kEq));
  }
  ESP_TRY_ASSIGN(const bool holds, Compare(host, op, a, b));
  return Value::Bool(holds);
}

Outcome<bool> Compare(Host& host, CompareOp op, const Value& a, const Value& b) {
  if (a.is_extension() || b.is_extension()) {
    if (op != CompareOp::kEq && op != CompareOp::kNe) {
      ESP_TRY_ASSIGN(const Value answer, Ask(host, op, a, b));
      return answer.is_unset() ? NoOrder(op, a, b) : Truth(host, answer);
    }
    ESP_TRY_ASSIGN(const Value answer, CompareValue(host, op, a, b));
    return Truth(host, answer);
  }
  if (a.is_number() && b.is_number()) return Satisfies(op, NumberOrder(a, b));
  if (op == CompareOp::kEq || op == CompareOp::kNe) {
    ESP_TRY_ASSIGN(const bool equal, Equals(host, a, b));
    return equal == (op == CompareOp::kEq);
  }
  if (a.type() != b.type()) return NoOrder(op, a, b);
  if (a.is_str()) {  // the order of UTF-8 bytes is the order of code points
    ESP_TRY(host.StepOver(std::min(TextOf(a).size(), TextOf(b).size())));
    return Satisfies(op, OrderOf(std::int64_t{TextOf(a).compare(TextOf(b))}, std::int64_t{0}));
  }
  if (ItemsOf(a) != nullptr) return OrderSequences(host, op, a, b);
  if (const DictKind* kind = ComparingKind(a, b)) return kind->holds(host, op, a, b);
  if (a.If<Set>() != nullptr) return OrderSets(host, op, *a.As<Set>(), *b.As<Set>());
  return NoOrder(op, a, b);
}

}  // namespace espalier::lang
