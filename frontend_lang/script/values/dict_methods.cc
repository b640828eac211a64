// Methods of dict. keys(), values() and items() are live views, as in Python.
#include <algorithm>
#include <string>
#include <utility>

#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict_operations.h"
#include "frontend_lang/script/values/dict_walk.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/set.h"
#include "frontend_lang/script/values/set_operations.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::lang {
namespace {

using Arguments = std::span<const Value>;

enum class Part { kKeys, kValues, kItems };

Value PartOf(Heap& heap, const HashTable::Entry& entry, Part part) {
  if (part == Part::kKeys) return entry.key;
  if (part == Part::kValues) return entry.value;
  return heap.New<Tuple>(std::vector<Value>{entry.key, entry.value});
}

class ViewIterator final : public Iterator {
 public:
  ViewIterator(Heap& heap, Value dict, Part part)
      : Iterator(heap), dict_(std::move(dict)), part_(part), walk_(*dict_.As<Dict>()) {}

  Outcome<bool> Next(Host& host, Value& value) override {
    if (dict_.is_none()) return false;
    ESP_TRY_ASSIGN(const HashTable::Entry* entry, walk_.Next(*dict_.As<Dict>()));
    if (entry == nullptr) {
      dict_ = Value();
      return false;
    }
    value = PartOf(host.heap(), *entry, part_);
    return true;
  }

 private:
  void Clear() override { dict_ = Value(); }

  Value dict_;
  Part part_;
  DictWalk walk_;
};

class DictView final : public Extension {
 public:
  DictView(Heap& heap, Value dict, Part part)
      : Extension(heap, Type::kExtension), dict_(std::move(dict)), part_(part) {}

  std::string_view TypeName() const override {
    return part_ == Part::kKeys     ? "dict_keys"
           : part_ == Part::kValues ? "dict_values"
                                    : "dict_items";
  }
  bool IsSetLike() const { return part_ != Part::kValues; }
  Part part() const { return part_; }
  const Value& dict() const { return dict_; }
  Outcome<bool> Truth(Host&) override { return dict_.As<Dict>()->size() > 0; }
  Outcome<Value> Length(Host&) override { return Value::Int(dict_.As<Dict>()->size()); }
  Outcome<Value> Iterate(Host& host) override {
    return host.heap().New<ViewIterator>(dict_, part_);
  }
  Outcome<Value> Contains(Host& host, const Value& item) override;
  Outcome<std::string> Repr(Host& host) override;
  Outcome<bool> Equals(Host& host, const Value& other) override;
  Outcome<Value> Binary(Host& host, BinaryOp op, const Value& other, Side side) override;
  Outcome<Value> Compare(Host& host, CompareOp op, const Value& other) override;
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;

 private:
  void Clear() override { dict_ = heap().New<Dict>(); }

  Value dict_;
  Part part_;
};

Outcome<Value> DictView::Contains(Host& host, const Value& item) {
  const Dict& dict = *dict_.As<Dict>();
  if (part_ == Part::kKeys) {
    ESP_TRY_ASSIGN(const bool found, dict.Contains(host, item));
    return Value::Bool(found);
  }
  if (part_ == Part::kValues) return Value::Unset();
  const Tuple* pair = item.If<Tuple>();
  if (pair == nullptr || pair->size() != 2) return Value::Bool(false);
  ESP_TRY_ASSIGN(const Value* found, dict.Find(host, (*pair)[0]));
  if (found == nullptr) return Value::Bool(false);
  const Value value = *found;
  ESP_TRY_ASSIGN(const bool same, Same(host, value, (*pair)[1]));
  return Value::Bool(same);
}

Outcome<std::string> DictView::Repr(Host& host) {
  ESP_TRY_ASSIGN(auto items, Collect(host, Value(this)));
  const Value list = host.heap().New<List>(std::move(items));
  ESP_TRY_ASSIGN(const std::string text, lang::Repr(host, list));
  return std::string(TypeName()) + "(" + text + ")";
}

bool IsSetLike(const Value& value) {
  const auto* view = value.IfExtension<DictView>();
  return value.If<Set>() != nullptr || (view != nullptr && view->IsSetLike());
}

// Whether all of `items` are in `container`.
Outcome<bool> AllIn(Host& host, const Value& items, const Value& container) {
  ESP_TRY_ASSIGN(const Value iterator, Iterate(host, items));
  for (Value item;;) {
    ESP_TRY(host.Step());
    ESP_TRY_ASSIGN(const bool more, Next(host, iterator, item));
    if (!more) return true;
    ESP_TRY_ASSIGN(const bool found, lang::Contains(host, container, item));
    if (!found) return false;
  }
}

Outcome<bool> DictView::Equals(Host& host, const Value& other) {
  const Value self(this), held = other;
  if (held.Is(self)) return true;
  if (!IsSetLike() || !lang::IsSetLike(held)) return false;
  ESP_TRY_ASSIGN(const std::int64_t length, lang::Length(host, held));
  if (length != dict_.As<Dict>()->size()) return false;
  return AllIn(host, self, held);
}

Outcome<Value> DictView::Compare(Host& host, CompareOp op, const Value& other) {
  const bool orders = op != CompareOp::kEq && op != CompareOp::kNe;
  if (!orders || !IsSetLike() || !lang::IsSetLike(other)) return Value::Unset();
  const Value self(this), held = other;
  ESP_TRY_ASSIGN(const std::int64_t theirs, lang::Length(host, held));
  const std::int64_t mine = dict_.As<Dict>()->size();
  const bool less = op == CompareOp::kLt || op == CompareOp::kLe;
  const bool strict = op == CompareOp::kLt || op == CompareOp::kGt;
  if (strict ? (less ? mine >= theirs : mine <= theirs) : (less ? mine > theirs : mine < theirs)) {
    return Value::Bool(false);
  }
  ESP_TRY_ASSIGN(const bool all, less ? AllIn(host, self, held) : AllIn(host, held, self));
  return Value::Bool(all);
}

// What a set of the items, or of an operand's, is made from.
Value SourceOf(const Value& operand) {
  const auto* view = operand.IfExtension<DictView>();
  return view != nullptr && view->part() == Part::kKeys ? view->dict() : operand;
}

// left & right, where `view` is one of them: walks through the smaller one, if both have a size.
Outcome<Value> ViewIntersection(Host& host, const Value& view, const Value& other) {
  ESP_TRY_ASSIGN(const std::int64_t size, lang::Length(host, view));
  Value in = view, from = other;
  if (const Set* set = other.If<Set>(); set != nullptr && size <= set->size()) {
    return Intersection(host, other, view);
  }
  if (IsSetLike(other) && other.If<Set>() == nullptr) {
    ESP_TRY_ASSIGN(const std::int64_t theirs, lang::Length(host, other));
    if (theirs > size) in.swap(from);
  }
  const Value result = host.heap().New<Set>();
  ESP_TRY(ForEach(host, from, [&](const Value& item) -> Fault {
    ESP_TRY_ASSIGN(const bool found, lang::Contains(host, in, item));
    return found ? result.As<Set>()->Add(host, item) : Fault();
  }));
  return result;
}

// As CPython's views do, with any iterable on the other side.
Outcome<Value> DictView::Binary(Host& host, BinaryOp op, const Value& other, Side side) {
  const bool known =
      op == BinaryOp::kSub || op == BinaryOp::kAnd || op == BinaryOp::kOr || op == BinaryOp::kXor;
  if (!known || !IsSetLike()) return Value::Unset();
  if (op == BinaryOp::kAnd) return ViewIntersection(host, Value(this), other);
  const Value left = side == Side::kRight ? other : Value(this);
  const Value right = side == Side::kRight ? Value(this) : other;
  ESP_TRY_ASSIGN(const Value result, MakeSet(host, SourceOf(left)));
  Set& set = *result.As<Set>();
  ESP_TRY(op == BinaryOp::kSub  ? EraseAll(host, set, right)
          : op == BinaryOp::kOr ? AddAll(host, set, right)
                                : ToggleAll(host, set, right));
  return result;
}

Outcome<Value> IsDisjoint(Host& host, const Value& self, const Args& args) {
  if (args.positional.size() != 1 || !args.keywords.empty()) {
    return TypeError(std::string(TypeName(self)) + ".isdisjoint() takes exactly one argument (" +
                     std::to_string(args.positional.size()) + " given)");
  }
  ESP_TRY_ASSIGN(const bool disjoint, AreDisjoint(host, self, args.positional[0]));
  return Value::Bool(disjoint);
}

Outcome<Value> IterateView(Host& host, const Value& self, const Args&) {
  return Iterate(host, self);
}
Outcome<Value> HasItem(Host& host, const Value& self, const Args& args) {
  if (args.positional.size() != 1) return TypeError("expected 1 argument");
  ESP_TRY_ASSIGN(const bool found, lang::Contains(host, self, args.positional[0]));
  return Value::Bool(found);
}
Outcome<Value> LengthOfView(Host& host, const Value& self, const Args&) {
  ESP_TRY_ASSIGN(const std::int64_t length, Length(host, self));
  return Value::Int(length);
}

Outcome<Value> DictView::GetAttr(Host& host, std::string_view name) {
  static constexpr std::pair<std::string_view, NativeCode> kMethods[] = {{"isdisjoint", IsDisjoint},
                                                                         {"__contains__", HasItem},
                                                                         {"__iter__", IterateView},
                                                                         {"__len__", LengthOfView}};
  const auto* method =
      std::ranges::find(kMethods, name, &std::pair<std::string_view, NativeCode>::first);
  const bool known = method != std::end(kMethods) &&
                     (IsSetLike() || (name != "isdisjoint" && name != "__contains__"));
  if (!known) return Value::Unset();
  return host.heap().New<NativeFunction>(method->first, method->second, Value(this));
}

Dict& DictOf(const Value& self) { return *self.As<Dict>(); }

Outcome<Value> ClearDict(Host&, const Value& self, Arguments) {
  DictOf(self).EraseAll();
  return Value();
}

Outcome<Value> Copy(Host& host, const Value& self, Arguments) { return CopyDict(host, self); }

Outcome<Value> Get(Host& host, const Value& self, Arguments args) {
  ESP_TRY_ASSIGN(const Value* found, DictOf(self).Find(host, args[0]));
  if (found != nullptr) return *found;
  return args[1].is_unset() ? Value() : args[1];
}

Outcome<Value> Keys(Host& host, const Value& self, Arguments) {
  return host.heap().New<DictView>(self, Part::kKeys);
}
Outcome<Value> Values(Host& host, const Value& self, Arguments) {
  return host.heap().New<DictView>(self, Part::kValues);
}
Outcome<Value> Items(Host& host, const Value& self, Arguments) {
  return host.heap().New<DictView>(self, Part::kItems);
}

Outcome<Value> Pop(Host& host, const Value& self, Arguments args) {
  ESP_TRY_ASSIGN(Value value, DictOf(self).Pop(host, args[0]));
  if (!value.is_unset()) return value;
  if (!args[1].is_unset()) return args[1];
  ESP_TRY_ASSIGN(std::string text, Repr(host, args[0]));
  return RaiseWith("KeyError", std::move(text), args[0]);
}

Outcome<Value> PopItem(Host& host, const Value& self, Arguments) {
  Dict& dict = DictOf(self);
  if (dict.size() == 0) {
    return RaiseWith("KeyError", "'popitem(): dictionary is empty'",
                     MakeStr(host.heap(), std::string_view("popitem(): dictionary is empty")));
  }
  const HashTable::Entry last = dict.entries().back();  // erased ones never stand last
  dict.EraseAt(dict.entries().size() - 1);
  return host.heap().New<Tuple>(std::vector<Value>{last.key, last.value});
}

Outcome<Value> SetDefault(Host& host, const Value& self, Arguments args) {
  ESP_TRY_ASSIGN(const Value* found, DictOf(self).Find(host, args[0]));
  if (found != nullptr) return *found;
  const Value value = args[1].is_unset() ? Value() : args[1];
  ESP_TRY(DictOf(self).Put(host, args[0], value));
  return value;
}

Outcome<Value> Update(Host& host, const Value& self, const Args& args) {
  if (args.positional.size() > 1) {
    return TypeError("update expected at most 1 argument, got " +
                     std::to_string(args.positional.size()));
  }
  if (!args.positional.empty()) ESP_TRY(UpdateDict(host, DictOf(self), args.positional[0]));
  for (const Keyword& keyword : args.keywords) {
    DictOf(self).PutStr(keyword.name, keyword.value);
  }
  return Value();
}

constexpr Method kDictMethods[] = {
    {"clear", 0, 0, ClearDict},
    {"copy", 0, 0, Copy},
    {"get", 1, 2, Get},
    {"items", 0, 0, Items},
    {"keys", 0, 0, Keys},
    {"pop", 1, 2, Pop},
    {"popitem", 0, 0, PopItem},
    {"setdefault", 1, 2, SetDefault},
    {.name = "update", .raw_code = Update},
    {"values", 0, 0, Values},
};

}  // namespace

std::span<const Method> DictMethods() { return kDictMethods; }

}  // namespace espalier::lang
