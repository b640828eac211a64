#include "frontend_lang/script/modules/deque.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/modules/step_iterator.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"

namespace espalier::script {
namespace {

using lang::TypeError;

Deque& DequeOf(const Value& self) { return *static_cast<Deque*>(self.object()); }

Fault Extend(Host& host, const Value& self, const Value& source, Deque::End end) {
  ESP_TRY_ASSIGN(const auto items, lang::Collect(host, source));
  for (const Value& item : items) {
    DequeOf(self).Push(item, end);
    ESP_TRY(host.Step());
  }
  return Fault();
}

Value Copy(Host& host, const Value& self) {
  const Value made = host.heap().New<Deque>(DequeOf(self).max_length());
  for (const Value& item : DequeOf(self).items()) DequeOf(made).Push(item, Deque::End::kRight);
  return made;
}

Value AsList(Host& host, const Deque& deque) {
  return host.heap().New<lang::List>(
      std::vector<Value>(deque.items().begin(), deque.items().end()));
}

template <Deque::End end>
Outcome<Value> AppendMethod(Host&, const Value& self, const Args& args) {
  ESP_TRY(
      CheckPositional(end == Deque::End::kLeft ? "deque.appendleft" : "deque.append", args, 1, 1));
  DequeOf(self).Push(args.positional[0], end);
  return Value();
}

template <Deque::End end>
Outcome<Value> PopMethod(Host&, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional(end == Deque::End::kLeft ? "deque.popleft" : "deque.pop", args, 0, 0));
  std::optional<Value> value = DequeOf(self).Pop(end);
  if (!value) return lang::Raise("IndexError", "pop from an empty deque");
  return *std::move(value);
}

template <Deque::End end>
Outcome<Value> ExtendMethod(Host& host, const Value& self, const Args& args) {
  ESP_TRY(
      CheckPositional(end == Deque::End::kLeft ? "deque.extendleft" : "deque.extend", args, 1, 1));
  ESP_TRY(Extend(host, self, args.positional[0], end));
  return Value();
}

Outcome<Value> Rotate(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("rotate", args, 0, 1));
  std::int64_t n = 1;
  if (!args.positional.empty()) {
    ESP_TRY_ASSIGN(n, IndexArgument(args.positional[0]));
  }
  auto& items = DequeOf(self).mutable_items();
  if (items.empty()) return Value();
  const auto size = static_cast<std::int64_t>(items.size());
  const std::int64_t shift = ((n % size) + size) % size;
  ESP_TRY(host.Step(size / 16));
  std::rotate(items.begin(), items.begin() + (size - shift), items.end());
  return Value();
}

Outcome<Value> ClearMethod(Host&, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("deque.clear", args, 0, 0));
  DequeOf(self).mutable_items().clear();
  return Value();
}

Outcome<Value> CopyMethod(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("deque.copy", args, 0, 0));
  return Copy(host, self);
}

Outcome<Value> Reverse(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("deque.reverse", args, 0, 0));
  ESP_TRY(host.Step(DequeOf(self).size() / 16));
  std::ranges::reverse(DequeOf(self).mutable_items());
  return Value();
}

Outcome<Value> CountMethod(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("deque.count", args, 1, 1));
  std::int64_t count = 0;
  ESP_TRY(lang::ForEach(host, self, [&](const Value& item) -> Fault {
    ESP_TRY_ASSIGN(const bool same, lang::Same(host, item, args.positional[0]));
    count += same;
    return Fault();
  }));
  return Value::Int(count);
}

// The place of the first item in [begin, end) that equals `value`, or -1.
Outcome<std::int64_t> Find(Host& host, const Value& self, const Value& value,
                           std::int64_t begin = 0,
                           std::int64_t end = std::numeric_limits<std::int64_t>::max()) {
  const Deque& deque = DequeOf(self);
  for (std::int64_t i = begin; i < std::min(end, deque.size()); ++i) {
    ESP_TRY(host.Step());
    const Value item = deque.items()[static_cast<std::size_t>(i)];
    ESP_TRY_ASSIGN(const bool same, lang::Same(host, item, value));
    if (same) return i;
  }
  return std::int64_t{-1};
}

Outcome<Value> IndexMethod(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("deque.index", args, 1, 3));
  const std::int64_t size = DequeOf(self).size();
  std::int64_t bounds[] = {0, size};
  for (std::size_t i = 1; i < args.positional.size(); ++i) {
    ESP_TRY_ASSIGN(std::int64_t bound, IndexArgument(args.positional[i]));
    if (bound < 0) bound += size;
    bounds[i - 1] = std::clamp<std::int64_t>(bound, 0, size);
  }
  ESP_TRY_ASSIGN(const std::int64_t at, Find(host, self, args.positional[0], bounds[0], bounds[1]));
  if (at >= 0) return Value::Int(at);
  ESP_TRY_ASSIGN(const std::string text, lang::Repr(host, args.positional[0]));
  return lang::ValueError(text + " is not in deque");
}

Outcome<Value> Remove(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("deque.remove", args, 1, 1));
  ESP_TRY_ASSIGN(const std::int64_t at, Find(host, self, args.positional[0]));
  if (at < 0) {
    ESP_TRY_ASSIGN(const std::string text, lang::Repr(host, args.positional[0]));
    return lang::ValueError(text + " is not in deque");
  }
  auto& items = DequeOf(self).mutable_items();
  if (at < DequeOf(self).size()) items.erase(items.begin() + at);
  return Value();
}

Outcome<Value> Insert(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("insert", args, 2, 2));
  ESP_TRY_ASSIGN(std::int64_t at, IndexArgument(args.positional[0]));
  Deque& deque = DequeOf(self);
  if (deque.max_length() && deque.size() >= *deque.max_length()) {
    return lang::Raise("IndexError", "deque already at its maximum size");
  }
  if (at < 0) at += deque.size();
  at = std::clamp<std::int64_t>(at, 0, deque.size());
  ESP_TRY(host.Step(deque.size() / 16));
  auto& items = deque.mutable_items();
  items.insert(items.begin() + at, args.positional[1]);
  return Value();
}

constexpr ModuleFunction kMethods[] = {
    {"append", AppendMethod<Deque::End::kRight>},
    {"appendleft", AppendMethod<Deque::End::kLeft>},
    {"pop", PopMethod<Deque::End::kRight>},
    {"popleft", PopMethod<Deque::End::kLeft>},
    {"extend", ExtendMethod<Deque::End::kRight>},
    {"extendleft", ExtendMethod<Deque::End::kLeft>},
    {"rotate", Rotate},
    {"clear", ClearMethod},
    {"copy", CopyMethod},
    {"reverse", Reverse},
    {"count", CountMethod},
    {"index", IndexMethod},
    {"remove", Remove},
    {"insert", Insert},
};

Outcome<Value> MakeDeque(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("deque", args, {"iterable", "maxlen"}, 0));
  std::optional<std::int64_t> max_length;
  if (!bound[1].is_unset() && !bound[1].is_none()) {
    const Value& limit = lang::PlainOf(bound[1]);
    if (!limit.is_integral()) return TypeError("an integer is required");
    if (limit.as_int() < 0) return lang::ValueError("maxlen must be non-negative");
    max_length = limit.as_int();
  }
  const Value made = host.heap().New<Deque>(max_length);
  if (!bound[0].is_unset()) ESP_TRY(Extend(host, made, bound[0], Deque::End::kRight));
  return made;
}

}  // namespace

void Deque::Changed() {
  ++num_changes_;
  Charge(static_cast<std::int64_t>(sizeof(Deque) + 600 + items_.size() * sizeof(Value)));
}

std::deque<Value>& Deque::mutable_items() {
  Changed();
  return items_;
}

void Deque::Push(Value value, End end) {
  end == End::kRight ? items_.push_back(std::move(value)) : items_.push_front(std::move(value));
  if (max_length_ && size() > *max_length_) {
    const Value gone = end == End::kRight ? items_.front() : items_.back();
    end == End::kRight ? items_.pop_front() : items_.pop_back();
  }
  Changed();
}

std::optional<Value> Deque::Pop(End end) {
  if (items_.empty()) return std::nullopt;
  Value value = std::move(end == End::kRight ? items_.back() : items_.front());
  end == End::kRight ? items_.pop_back() : items_.pop_front();
  Changed();
  return value;
}

Outcome<std::size_t> Deque::Index(const Value& key) const {
  if (!key.is_integral()) {
    return TypeError("sequence index must be integer, not '" + std::string(lang::TypeName(key)) +
                     "'");
  }
  const std::int64_t at = key.as_int() < 0 ? key.as_int() + size() : key.as_int();
  if (at < 0 || at >= size()) return lang::Raise("IndexError", "deque index out of range");
  return static_cast<std::size_t>(at);
}

Outcome<bool> Deque::Equals(Host& host, const Value& other) {
  const auto* deque = Exactly<Deque>(other);
  if (deque == nullptr) return false;
  return lang::Equals(host, AsList(host, *this), AsList(host, *deque));
}

Outcome<std::uint64_t> Deque::Hash(Host&) {
  return TypeError("unhashable type: 'collections.deque'");
}

Outcome<std::string> Deque::Repr(Host& host) {
  const std::vector<Value> held(items_.begin(), items_.end());
  const Value self(this);
  std::string items;
  for (const Value& item : held) {
    if (!items.empty()) items += ", ";
    if (item.Is(self)) {
      items += "[...]";
      continue;
    }
    ESP_TRY_ASSIGN(const std::string text, lang::Repr(host, item));
    items += text;
  }
  items = "[" + items + "]";
  const std::string limit = max_length_ ? ", maxlen=" + std::to_string(*max_length_) : "";
  return "deque(" + items + limit + ")";
}

Outcome<Value> Deque::GetAttr(Host& host, std::string_view name) {
  for (const ModuleFunction& row : kMethods) {
    if (row.name == name) {
      return host.heap().New<lang::NativeFunction>(row.name, row.code, Value(this));
    }
  }
  if (name == "maxlen") return max_length_ ? Value::Int(*max_length_) : Value();
  return Value::Unset();
}

Outcome<Value> Deque::GetItem(Host&, const Value& key) {
  ESP_TRY_ASSIGN(const std::size_t at, Index(key));
  return items_[at];
}

Outcome<bool> Deque::SetItem(Host&, const Value& key, Value value) {
  ESP_TRY_ASSIGN(const std::size_t at, Index(key));
  items_[at].swap(value);
  return true;
}

Outcome<bool> Deque::DelItem(Host& host, const Value& key) {
  ESP_TRY_ASSIGN(const std::size_t at, Index(key));
  ESP_TRY(host.Step(size() / 16));
  const Value gone = items_[at];
  mutable_items().erase(items_.begin() + static_cast<std::ptrdiff_t>(at));
  return true;
}

Outcome<Value> Deque::Iterate(Host& host) {
  return host.heap().New<StepIterator>(
      "_collections._deque_iterator",
      [self = Value(this), at = std::size_t{0}, num_changes = num_changes_](
          Host&, Value& value) mutable -> Outcome<bool> {
        const Deque& deque = DequeOf(self);
        if (deque.num_changes() != num_changes) {
          return lang::Raise("RuntimeError", "deque mutated during iteration");
        }
        if (at >= deque.items().size()) return false;
        value = deque.items()[at++];
        return true;
      });
}

Outcome<Value> Deque::Binary(Host& host, lang::BinaryOp op, const Value& other, lang::Side side) {
  if (op == lang::BinaryOp::kAdd && side == lang::Side::kLeft && Exactly<Deque>(other)) {
    const Value made = Copy(host, Value(this));
    ESP_TRY(Extend(host, made, other, End::kRight));
    return made;
  }
  if (op == lang::BinaryOp::kMul && other.is_integral()) {
    const Value made = host.heap().New<Deque>(max_length_);
    ESP_TRY(host.Reserve(std::max<std::int64_t>(0, other.as_int()),
                         (1 + size()) * static_cast<std::int64_t>(sizeof(Value))));
    for (std::int64_t i = 0; i < other.as_int() && size() > 0; ++i) {
      ESP_TRY(Extend(host, made, Value(this), End::kRight));
    }
    return made;
  }
  return Value::Unset();
}

Outcome<Value> Deque::AddInPlace(Host& host, const Value& value) {
  Value self(this);
  ESP_TRY(Extend(host, self, value, End::kRight));
  return self;
}

Outcome<Value> Deque::Compare(Host& host, lang::CompareOp op, const Value& other) {
  const auto* deque = Exactly<Deque>(other);
  if (deque == nullptr) return Value::Unset();
  return lang::CompareValue(host, op, AsList(host, *this), AsList(host, *deque));
}

Value NewDequeType(Machine& machine) {
  return NewType(machine, "collections.deque", MakeDeque,
                 [](const Value& value) { return Exactly<Deque>(value) != nullptr; });
}

}  // namespace espalier::script
