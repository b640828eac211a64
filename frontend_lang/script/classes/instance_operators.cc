// The half of Instance that operators and built-in functions ask.
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "frontend_lang/script/classes/descriptors.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/classes/object_methods.h"
#include "frontend_lang/script/classes/payload.h"
#include "frontend_lang/script/machine/error_object.h"
#include "frontend_lang/script/values/arithmetic.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/concatenate.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/hash.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/set.h"
#include "frontend_lang/script/values/text/format_spec.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using lang::TypeError;

// Iterates an object whose class has __next__.
class InstanceIterator final : public lang::Iterator {
 public:
  InstanceIterator(Heap& heap, Value instance) : Iterator(heap), instance_(std::move(instance)) {}

  Outcome<bool> Next(Host& host, Value& value) override {
    const Value held = instance_;
    if (held.is_none()) return false;
    return NextOfInstance(host, *held.As<Instance>(), value);
  }

 private:
  void Clear() override { instance_ = Value(); }

  Value instance_;
};

// Iterates an object whose class has only __getitem__: 0, 1, 2, ... until an IndexError.
class IndexIterator final : public lang::Iterator {
 public:
  IndexIterator(Heap& heap, Value instance) : Iterator(heap), instance_(std::move(instance)) {}

  Outcome<bool> Next(Host& host, Value& value) override {
    const Value held = instance_;
    if (held.is_none()) return false;
    const Value at = Value::Int(next_++);
    auto item = held.As<Instance>()->CallSpecial(host, Special::kGetItem, {&at, 1});
    if (!item.ok()) {
      if (!IsA(item.error(), "IndexError") && !IsA(item.error(), "StopIteration")) {
        return item.TakeFault();
      }
      instance_ = Value();
      return false;
    }
    value = std::move(*item);
    return true;
  }

 private:
  void Clear() override { instance_ = Value(); }

  Value instance_;
  std::int64_t next_ = 0;
};

Outcome<std::string> TextFrom(const Value& answer, std::string_view method) {
  if (answer.is_str()) return std::string(lang::TextOf(answer));
  if (answer.is_extension()) {
    const Value& plain = lang::PlainOf(answer);
    if (plain.is_str()) return std::string(lang::TextOf(plain));
  }
  return TypeError(fmt::format("{} returned non-string (type {})", method, lang::TypeName(answer)));
}

}  // namespace

Outcome<bool> NextOfInstance(Host& host, Instance& instance, Value& value) {
  auto next = instance.CallSpecial(host, Special::kNext);
  if (!next.ok()) {
    if (IsA(next.error(), "StopIteration")) return false;
    return next.TakeFault();
  }
  value = std::move(*next);
  return true;
}

Outcome<bool> Instance::Truth(Host& host) {
  const Value* method = FindSpecial(Special::kBool);
  if (method != nullptr && method->is_none()) {
    return TypeError("'NoneType' object is not callable");
  }
  ESP_TRY_ASSIGN(const Value answer, CallSpecial(host, Special::kBool));
  if (!answer.is_unset()) {
    if (answer.is_bool()) return answer.as_bool();
    return TypeError(
        fmt::format("__bool__ should return bool, returned {}", lang::TypeName(answer)));
  }
  ESP_TRY_ASSIGN(const Value length, Length(host));
  if (!length.is_unset()) return length.as_int() != 0;
  if (!payload.is_unset()) return lang::Truth(host, Value(payload));
  return true;
}

Outcome<Value> Instance::Length(Host& host) {
  ESP_TRY_ASSIGN(const Value length, CallSpecial(host, Special::kLen));
  if (length.is_unset()) {
    if (payload.is_unset() || payload.is_number()) return length;
    ESP_TRY_ASSIGN(const std::int64_t size, lang::Length(host, Value(payload)));
    return Value::Int(size);
  }
  if (!length.is_integral()) {
    return TypeError(
        fmt::format("'{}' object cannot be interpreted as an integer", lang::TypeName(length)));
  }
  if (length.as_int() < 0) return lang::ValueError("__len__() should return >= 0");
  return Value::Int(length.as_int());
}

Outcome<bool> Instance::Equals(Host& host, const Value& other) {
  const Value self(this), held = other;
  auto* right = held.If<Instance>();
  const bool right_first = right != nullptr && right->ComparesFirst(self);
  if (right_first) {
    ESP_TRY_ASSIGN(const Value reflected, right->Compare(host, lang::CompareOp::kEq, self));
    if (!reflected.is_unset()) return lang::Truth(host, reflected);
  }
  ESP_TRY_ASSIGN(const Value answer, Compare(host, lang::CompareOp::kEq, held));
  if (!answer.is_unset()) return lang::Truth(host, answer);
  if (right != nullptr && right != this && !right_first) {
    ESP_TRY_ASSIGN(const Value reflected, right->Compare(host, lang::CompareOp::kEq, self));
    if (!reflected.is_unset()) return lang::Truth(host, reflected);
  }
  return held.Is(self);
}

bool Instance::ComparesFirst(const Value& left) const {
  const auto* other = left.If<Instance>();
  if (other == nullptr || !other->has_class() || !has_class()) return false;
  return &other->cls() != &cls() && cls().DerivesFrom(other->cls());
}

bool Instance::ReflectsFirst(lang::BinaryOp op, const Value& left) const {
  if (!ComparesFirst(left)) return false;
  const Special reflected = SpecialOf(op, Special::kRightAdd);
  return FindSpecial(reflected) != left.As<Instance>()->FindSpecial(reflected);
}

Outcome<Value> Instance::Compare(Host& host, lang::CompareOp op, const Value& other) {
  const bool inverted = op == lang::CompareOp::kNe && !Has(SpecialOf(op));
  const auto asked = inverted ? lang::CompareOp::kEq : op;
  const Value held = other;
  ESP_TRY_ASSIGN(Value answer, CallSpecial(host, SpecialOf(asked), {&held, 1}));
  if (answer.is_unset() && !payload.is_unset() && FindSpecial(SpecialOf(asked)) == nullptr) {
    const Value mine = payload, theirs = lang::PlainOf(held);
    if (theirs.type() != lang::Type::kInstance) {
      if (op == lang::CompareOp::kEq || op == lang::CompareOp::kNe ||
          theirs.type() == mine.type() || (theirs.is_number() && mine.is_number())) {
        return lang::CompareValue(host, op, mine, theirs);
      }
    }
    return Value::Unset();
  }
  if (answer.is_unset() || IsNotImplemented(answer)) return Value::Unset();
  if (!inverted) return answer;
  ESP_TRY_ASSIGN(const bool equal, lang::Truth(host, answer));
  return Value::Bool(!equal);
}

Outcome<std::uint64_t> Instance::Hash(Host& host) {
  const Value* found = FindSpecial(Special::kHash);
  if (found != nullptr && found->is_none()) {
    return TypeError(fmt::format("unhashable type: '{}'", TypeName()));
  }
  const bool native = found == nullptr || Exactly<NativeMethod>(*found) != nullptr;
  if (native && !payload.is_unset()) return lang::Hash(host, Value(payload));
  ESP_TRY_ASSIGN(const Value answer, CallSpecial(host, Special::kHash));
  if (answer.is_integral()) return static_cast<std::uint64_t>(answer.as_int());
  if (answer.is_integer()) return lang::Hash(host, answer);
  if (!answer.is_unset()) return TypeError("__hash__ method should return an integer");
  return Extension::Hash(host);
}

Outcome<std::string> Instance::Repr(Host& host) {
  ESP_TRY_ASSIGN(const Value answer, CallSpecial(host, Special::kRepr));
  if (!answer.is_unset()) return TextFrom(answer, "__repr__");
  return DefaultRepr(host);
}

Outcome<std::string> Instance::DefaultRepr(Host& host) {
  if (!payload.is_unset()) return ReprPayload(host, *this);
  return fmt::format("<{} object at {}>", cls().FullName(), IdentityText(host.heap(), *this));
}

Outcome<std::string> Instance::Text(Host& host) {
  ESP_TRY_ASSIGN(const Value answer, CallSpecial(host, Special::kStr));
  if (!answer.is_unset()) return TextFrom(answer, "__str__");
  if (payload.is_str() && !Has(Special::kRepr)) return std::string(lang::TextOf(payload));
  return DefaultText(host);
}

Outcome<std::string> Instance::Format(Host& host, std::string_view spec) {
  const Value text = lang::MakeStr(host.heap(), spec);
  ESP_TRY_ASSIGN(const Value answer, CallSpecial(host, Special::kFormat, {&text, 1}));
  if (!answer.is_unset()) {
    if (answer.is_str()) return std::string(lang::TextOf(answer));
    return TypeError(fmt::format("__format__ must return a str, not {}", lang::TypeName(answer)));
  }
  if (spec.empty()) return Text(host);
  if (!payload.is_unset()) return lang::Format(host, Value(payload), spec);
  return Extension::Format(host, spec);
}

Outcome<Value> Instance::GetItem(Host& host, const Value& key) {
  const Value held = key;
  ESP_TRY_ASSIGN(Value answer, CallSpecial(host, Special::kGetItem, {&held, 1}));
  if (!answer.is_unset() || payload.is_unset()) return answer;
  return PayloadItem(host, *this, held);
}

Outcome<bool> Instance::SetItem(Host& host, const Value& key, Value value) {
  if (!Has(Special::kSetItem)) {
    if (payload.is_unset()) return false;
    ESP_TRY(lang::SetItem(host, Value(payload), key, std::move(value)));
    return true;
  }
  const Value args[] = {key, std::move(value)};
  ESP_TRY_ASSIGN(const Value ignored, CallSpecial(host, Special::kSetItem, args));
  return !ignored.is_unset();
}

Outcome<bool> Instance::DelItem(Host& host, const Value& key) {
  const Value held = key;
  if (!Has(Special::kDelItem)) {
    if (payload.is_unset()) return false;
    ESP_TRY(lang::DelItem(host, Value(payload), held));
    return true;
  }
  ESP_TRY_ASSIGN(const Value ignored, CallSpecial(host, Special::kDelItem, {&held, 1}));
  return !ignored.is_unset();
}

Outcome<Value> Instance::Contains(Host& host, const Value& item) {
  const Value held = item;
  ESP_TRY_ASSIGN(const Value answer, CallSpecial(host, Special::kContains, {&held, 1}));
  if (!answer.is_unset()) {
    ESP_TRY_ASSIGN(const bool truth, lang::Truth(host, answer));
    return Value::Bool(truth);
  }
  if (payload.is_unset() || payload.is_number()) return answer;
  ESP_TRY_ASSIGN(const bool found, lang::Contains(host, Value(payload), lang::PlainOf(held)));
  return Value::Bool(found);
}

Outcome<Value> Instance::Iterate(Host& host) {
  ESP_TRY_ASSIGN(Value answer, CallSpecial(host, Special::kIter));
  if (answer.is_unset()) {
    if (!payload.is_unset() && !payload.is_number()) return lang::Iterate(host, Value(payload));
    if (Has(Special::kGetItem)) return host.heap().New<IndexIterator>(Value(this));
    return answer;
  }
  if (answer.type() == lang::Type::kIterator) return answer;
  const auto* instance = answer.If<Instance>();
  if (instance != nullptr && instance->Has(Special::kNext)) {
    return host.heap().New<InstanceIterator>(std::move(answer));
  }
  return TypeError(
      fmt::format("iter() returned non-iterator of type '{}'", lang::TypeName(answer)));
}

Outcome<Value> Instance::Binary(Host& host, lang::BinaryOp op, const Value& other,
                                lang::Side side) {
  const Special special =
      SpecialOf(op, side == lang::Side::kLeft ? Special::kAdd : Special::kRightAdd);
  const Value held = other;
  ESP_TRY_ASSIGN(Value answer, CallSpecial(host, special, {&held, 1}));
  if (!answer.is_unset()) return IsNotImplemented(answer) ? Value::Unset() : std::move(answer);
  if (payload.is_unset()) return answer;
  // A text that is formatted asks the object itself for its text, its number, its items.
  if (op == lang::BinaryOp::kMod && side == lang::Side::kRight && held.is_str()) return answer;
  const Value mine = payload;
  const bool formats = op == lang::BinaryOp::kMod && mine.is_str();
  const Value theirs = formats ? held : lang::PlainOf(held);
  if (theirs.type() == lang::Type::kInstance && !formats) return Value::Unset();
  auto result = side == lang::Side::kLeft ? lang::Binary(host, op, mine, theirs)
                                          : lang::Binary(host, op, theirs, mine);
  if (!result.ok()) return result;
  return AsOwnResult(host, *this, op, *std::move(result));
}

Outcome<Value> InPlaceSpecial(Host& host, Instance& instance, lang::BinaryOp op,
                              const Value& value) {
  const Value held = value;
  ESP_TRY_ASSIGN(Value answer,
                 instance.CallSpecial(host, SpecialOf(op, Special::kInPlaceAdd), {&held, 1}));
  if (!answer.is_unset() && !IsNotImplemented(answer)) return answer;
  const bool own = instance.FindSpecial(SpecialOf(op, Special::kAdd)) != nullptr;
  if (!own && op == lang::BinaryOp::kAdd && instance.payload.is_extension()) {
    const Value self(&instance), payload = instance.payload;
    auto* accumulator = dynamic_cast<Accumulator*>(payload.object());
    if (accumulator == nullptr) return Value::Unset();
    ESP_TRY_ASSIGN(const Value changed, accumulator->AddInPlace(host, held));
    return changed.is_unset() ? changed : self;
  }
  const auto* set = instance.payload.If<lang::Set>();
  const bool changes = instance.payload.If<lang::List>() != nullptr ||
                       instance.payload.If<lang::Dict>() != nullptr ||
                       (set != nullptr && !set->frozen());
  if (own || !changes) return Value::Unset();
  const Value self(&instance), right = op == lang::BinaryOp::kAdd ? held : lang::PlainOf(held);
  Value target = instance.payload;  // which stays the same object
  ESP_TRY_ASSIGN(const bool done, lang::ExtendInPlace(host, op, target, right));
  return done ? self : Value::Unset();
}

Outcome<Value> Instance::Unary(Host& host, lang::UnaryOp op) {
  ESP_TRY_ASSIGN(Value answer, CallSpecial(host, SpecialOf(op)));
  if (!answer.is_unset() || payload.is_unset()) return answer;
  return lang::Unary(host, op, Value(payload));
}

Outcome<Value> Instance::Call(Host& host, const Args& args) {
  const Value* found = FindSpecial(Special::kCall);
  if (found == nullptr && !payload.is_unset()) return host.Call(Value(payload), args);
  if (found == nullptr) {
    return TypeError(fmt::format("'{}' object is not callable", TypeName()));
  }
  const Value method = *found;
  std::vector<Value> positional{Value(this)};
  positional.insert(positional.end(), args.positional.begin(), args.positional.end());
  return host.Call(method, Args{positional, args.keywords});
}

}  // namespace espalier::script
