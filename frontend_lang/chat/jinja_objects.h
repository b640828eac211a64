// The values that Jinja adds to the shared ones: undefined, namespace, loop, joiner,
// cycler; and its forgiving way to look things up.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/extension.h"

namespace espalier::jinja {

using lang::Args;
using lang::Fault;
using lang::Host;
using lang::Outcome;
using lang::Value;

// What a missing name or attribute gives: prints as nothing, is false and empty, and
// an UndefinedError when used otherwise (jinja2's default Undefined).
class Undefined final : public lang::Extension {
 public:
  // `message` is the error's: "'x' is undefined".
  Undefined(lang::Heap& heap, std::string message)
      : Extension(heap, lang::Type::kExtension), message_(std::move(message)) {}

  Fault Error() const { return lang::Raise("UndefinedError", message_); }

  std::string_view TypeName() const override { return "Undefined"; }
  Outcome<bool> Truth(Host&) override { return false; }
  Outcome<bool> Equals(Host&, const Value& other) override {
    return other.IfExtension<Undefined>() != nullptr;
  }
  Outcome<std::string> Repr(Host&) override { return std::string("Undefined"); }
  Outcome<std::string> Text(Host&) override { return std::string(); }
  Outcome<Value> GetAttr(Host&, std::string_view) override { return Error(); }
  Outcome<Value> GetItem(Host&, const Value&) override { return Error(); }
  Outcome<Value> Length(Host&) override { return Value::Int(0); }
  Outcome<Value> Iterate(Host& host) override;
  Outcome<Value> Binary(Host&, lang::BinaryOp, const Value&, lang::Side) override {
    return Error();
  }
  Outcome<Value> Compare(Host&, lang::CompareOp op, const Value&) override;
  Outcome<Value> Unary(Host&, lang::UnaryOp) override { return Error(); }
  Outcome<Value> Call(Host&, const Args&) override { return Error(); }

 private:
  std::string message_;
};

inline bool IsUndefined(const Value& value) { return value.IfExtension<Undefined>() != nullptr; }

// namespace(a=1): the one object whose attributes a set may assign.
class Namespace final : public lang::Extension {
 public:
  explicit Namespace(lang::Heap& heap)
      : Extension(heap, lang::Type::kExtension), attributes_(heap.New<lang::Dict>()) {}

  lang::Dict& attributes() { return *attributes_.As<lang::Dict>(); }

  std::string_view TypeName() const override { return "Namespace"; }
  Outcome<Value> GetAttr(Host&, std::string_view name) override;
  Outcome<bool> SetAttr(Host& host, std::string_view name, Value value) override;
  Outcome<Value> GetItem(Host& host, const Value& key) override;

 private:
  void Clear() override { attributes_ = heap().New<lang::Dict>(); }

  Value attributes_;
};

// `loop` in the body of a for.
class Loop final : public lang::Extension {
 public:
  Loop(lang::Heap& heap, std::vector<Value> items, int depth0)
      : Extension(heap, lang::Type::kExtension), items_(std::move(items)), depth0_(depth0) {
    Charge(static_cast<std::int64_t>(sizeof(Loop) + items_.capacity() * sizeof(Value)));
  }

  const std::vector<Value>& items() const { return items_; }
  int depth0() const { return depth0_; }
  void MoveTo(std::size_t index) { index_ = index; }
  // The function that a recursive loop is: loop(children).
  void SetRecursion(Value recursion) { recursion_ = std::move(recursion); }
  // loop.changed(value)
  Outcome<bool> Changed(Host& host, const Value& value);
  // loop.cycle(a, b, ...)
  const Value& Cycle(std::span<const Value> values) const { return values[index_ % values.size()]; }

  std::string_view TypeName() const override { return "LoopContext"; }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;
  Outcome<Value> Length(Host&) override {
    return Value::Int(static_cast<std::int64_t>(items_.size()));
  }
  Outcome<Value> Call(Host& host, const Args& args) override;

 private:
  void Clear() override;

  std::vector<Value> items_;
  std::size_t index_ = 0;
  int depth0_;
  Value recursion_;
  Value last_changed_ = Value::Unset();
};

// joiner(", "): nothing at its first call, then the separator.
class Joiner final : public lang::Extension {
 public:
  Joiner(lang::Heap& heap, Value separator)
      : Extension(heap, lang::Type::kExtension), separator_(std::move(separator)) {}
  std::string_view TypeName() const override { return "Joiner"; }
  Outcome<Value> Call(Host& host, const Args& args) override;

 private:
  void Clear() override { separator_ = Value(); }

  Value separator_;
  bool used_ = false;
};

// cycler(a, b): next() gives them in turn; current, reset().
class Cycler final : public lang::Extension {
 public:
  Cycler(lang::Heap& heap, std::vector<Value> values)
      : Extension(heap, lang::Type::kExtension), values_(std::move(values)) {}
  std::string_view TypeName() const override { return "Cycler"; }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;

  Value Next();
  void Reset() { index_ = 0; }

 private:
  void Clear() override { values_.clear(); }

  std::vector<Value> values_;
  std::size_t index_ = 0;
};

// What groupby gives: the tuple (grouper, list) with names for its two places.
class Group final : public lang::Extension {
 public:
  Group(lang::Heap& heap, Value grouper, std::vector<Value> items);

  const Value& pair() const { return pair_; }

  std::string_view TypeName() const override { return "_GroupTuple"; }
  Outcome<bool> Equals(Host& host, const Value& other) override;
  Outcome<std::string> Repr(Host& host) override;
  Outcome<Value> GetAttr(Host&, std::string_view name) override;
  Outcome<Value> GetItem(Host& host, const Value& key) override;
  Outcome<Value> Length(Host&) override { return Value::Int(2); }
  Outcome<Value> Iterate(Host& host) override;

 private:
  void Clear() override { pair_ = Value(); }

  Value pair_;  // a Tuple
};

// object.name: an attribute or method, else the item, else Undefined.
Outcome<Value> LookUpAttribute(Host& host, const Value& object, std::string_view name);
// object[key]: the item, else the attribute, else Undefined.
Outcome<Value> LookUpItem(Host& host, const Value& object, const Value& key);
// A path such as "function.name" or "0.role", as map(attribute=...) has.
Outcome<Value> LookUpPath(Host& host, const Value& object, const Value& path);

Value MakeUndefined(Host& host, std::string message);

}  // namespace espalier::jinja
