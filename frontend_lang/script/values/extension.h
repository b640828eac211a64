// Extension: the base of values that a language adds to the shared ones: functions,
// iterators, class instances, prompt states, Jinja's undefined and namespace.
//
// Each operation on values asks the object here when it does not know the type. An
// absent answer (an Unset value) means "not supported": the operation then raises
// Python's TypeError or AttributeError.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_lang/script/values/host.h"
#include "frontend_lang/script/values/operators.h"

namespace espalier::lang {

class Extension : public Container {
 public:
  virtual std::string_view TypeName() const = 0;

  // Identity and text.
  virtual Outcome<bool> Truth(Host&) { return true; }
  virtual Outcome<bool> Equals(Host&, const Value& other);  // default: the same object
  virtual Outcome<std::uint64_t> Hash(Host&);               // default: by identity
  virtual Outcome<std::string> Repr(Host&);                 // default: <T object>
  virtual Outcome<std::string> Text(Host& host) { return Repr(host); }
  virtual Outcome<std::string> Format(Host&, std::string_view spec);

  // Parts. An Unset answer: no such attribute, not subscriptable, without length, ...
  virtual Outcome<Value> GetAttr(Host&, std::string_view /*name*/) { return Value::Unset(); }
  virtual Outcome<bool> SetAttr(Host&, std::string_view /*name*/, Value) { return false; }
  virtual Outcome<Value> GetItem(Host&, const Value& /*key*/) { return Value::Unset(); }
  virtual Outcome<bool> SetItem(Host&, const Value& /*key*/, Value) { return false; }
  virtual Outcome<bool> DelItem(Host&, const Value& /*key*/) { return false; }
  virtual Outcome<Value> Length(Host&) { return Value::Unset(); }
  virtual Outcome<Value> Contains(Host&, const Value&) { return Value::Unset(); }
  virtual Outcome<Value> Iterate(Host&) { return Value::Unset(); }  // an Iterator

  // self op other, or other op self when `side` is kRight.
  virtual Outcome<Value> Binary(Host&, BinaryOp, const Value& /*other*/, Side) {
    return Value::Unset();
  }
  virtual Outcome<Value> Compare(Host&, CompareOp, const Value& /*other*/) {
    return Value::Unset();
  }
  // Whether it is asked first where it stands right of `left`, because its class derives from
  // that one's (and, of a binary operator, has a reflected method of its own).
  virtual bool ComparesFirst(const Value& /*left*/) const { return false; }
  virtual bool ReflectsFirst(BinaryOp, const Value& /*left*/) const { return false; }
  virtual Outcome<Value> Unary(Host&, UnaryOp) { return Value::Unset(); }
  virtual Outcome<Value> Call(Host&, const Args&);  // default: 'T' object is not callable

  // Of an instance of a subclass of str, int, dict, ...: the value of that type that it
  // stands for. Unset for others.
  virtual const Value& Underlying() const;
  // Whether it becomes a method where a class holds it.
  virtual bool BindsAsMethod() const { return false; }

 protected:
  Extension(Heap& heap, Type type) : Container(heap, type) {}
  void Clear() override {}

 private:
  std::uint64_t number_ = 0;  // its hash, given when it is first asked for: a run repeats
};

// REQUIRES: value.is_extension()
inline Extension& ExtensionOf(const Value& value) {
  return *static_cast<Extension*>(value.object());
}

// The value, or what it stands for: see Underlying.
inline const Value& PlainOf(const Value& value) {
  if (value.type() != Type::kInstance) return value;
  const Value& underlying = ExtensionOf(value).Underlying();
  return underlying.is_unset() ? value : underlying;
}

// Gives values one after another.
class Iterator : public Extension {
 public:
  static constexpr Type kType = Type::kIterator;

  // Puts the next value into `value`; false at the end. Called by lang::Next only.
  virtual Outcome<bool> Next(Host& host, Value& value) = 0;

  std::string_view TypeName() const override { return "iterator"; }
  Outcome<Value> Iterate(Host&) override { return Value(this); }

 protected:
  explicit Iterator(Heap& heap) : Extension(heap, kType) {}
};

// The next value of `iterator`: an Iterator, which may take from another one, and so on.
Outcome<bool> Next(Host& host, const Value& iterator, Value& value);

// A function of the languages written in C++. `self` is Unset for a plain function.
using NativeCode = Outcome<Value> (*)(Host& host, const Value& self, const Args& args);

class NativeFunction final : public Extension {
 public:
  static constexpr Type kType = Type::kFunction;

  // `name` outlives the function (a literal, a table's row).
  NativeFunction(Heap& heap, std::string_view name, NativeCode code, Value self = Value::Unset())
      : Extension(heap, kType), name_(name), code_(code), self_(std::move(self)) {}

  std::string_view name() const { return name_; }
  const Value& self() const { return self_; }
  std::string_view TypeName() const override { return "builtin_function_or_method"; }
  Outcome<std::string> Repr(Host&) override;
  Outcome<Value> Call(Host& host, const Args& args) override { return code_(host, self_, args); }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;

 private:
  void Clear() override { self_ = Value(); }

  std::string_view name_;
  NativeCode code_;
  Value self_;
};

}  // namespace espalier::lang
