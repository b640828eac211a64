// What a class body may bind besides plain values: properties, static and class methods,
// methods written in C++; and what comes of reading them through an object.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "frontend_lang/script/classes/class_object.h"

namespace espalier::script {

class Instance;

class Property final : public lang::Extension {
 public:
  explicit Property(Heap& heap, Value getter = Value())
      : Extension(heap, lang::Type::kExtension), getter(std::move(getter)) {}

  std::string_view TypeName() const override { return "property"; }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;

  Value getter, setter, deleter;  // or None
  bool cached = false;            // functools.cached_property: asked once an object
  bool computed = false;          // pydantic.computed_field: part of what the model dumps

 private:
  void Clear() override { getter = setter = deleter = Value(); }
};

class StaticMethod final : public lang::Extension {
 public:
  StaticMethod(Heap& heap, Value function)
      : Extension(heap, lang::Type::kExtension), function(std::move(function)) {}
  std::string_view TypeName() const override { return "staticmethod"; }
  Outcome<Value> Call(Host& host, const Args& args) override { return host.Call(function, args); }

  Value function;

 private:
  void Clear() override { function = Value(); }
};

class ClassMethod final : public lang::Extension {
 public:
  ClassMethod(Heap& heap, Value function)
      : Extension(heap, lang::Type::kExtension), function(std::move(function)) {}
  std::string_view TypeName() const override { return "classmethod"; }

  Value function;

 private:
  void Clear() override { function = Value(); }
};

// A callable with its first argument.
class BoundMethod final : public lang::Extension {
 public:
  static constexpr lang::Type kType = lang::Type::kMethod;

  BoundMethod(Heap& heap, Value function, Value self)
      : Extension(heap, kType), function_(std::move(function)), self_(std::move(self)) {}

  const Value& function() const { return function_; }
  const Value& self() const { return self_; }
  std::string_view TypeName() const override { return "method"; }
  Outcome<bool> Equals(Host& host, const Value& other) override;
  Outcome<std::uint64_t> Hash(Host& host) override;
  Outcome<std::string> Repr(Host& host) override;
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;
  Outcome<Value> Call(Host& host, const Args& args) override;

 private:
  void Clear() override { function_ = self_ = Value(); }

  Value function_, self_;
};

// A method of a class in C++: called with the object first.
class NativeMethod final : public lang::Extension {
 public:
  enum class Binds { kObject, kClass };
  struct Row {
    std::string_view name;
    lang::NativeCode code;  // self: the object, or the class
    Binds binds = Binds::kObject;
  };

  // `row` outlives the method.
  NativeMethod(Heap& heap, const Row& row) : Extension(heap, lang::Type::kExtension), row_(row) {}

  const Row& row() const { return row_; }
  std::string_view TypeName() const override { return "method_descriptor"; }
  Outcome<std::string> Repr(Host&) override { return "<function " + std::string(row_.name) + ">"; }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;
  Outcome<Value> Call(Host& host, const Args& args) override;

 private:
  const Row& row_;
};

// A method in C++ that knows the class it was made for: the __init__ of a dataclass.
class OwnedMethod final : public lang::Extension {
 public:
  using Code = Outcome<Value> (*)(Host& host, ClassObject& owner, const Value& self,
                                  const Args& args);

  // `name` is a literal.
  OwnedMethod(Heap& heap, std::string_view name, Code code, ClassObject& owner)
      : Extension(heap, lang::Type::kExtension), name_(name), code_(code), owner_(&owner) {}

  std::string_view TypeName() const override { return "function"; }
  bool BindsAsMethod() const override { return true; }
  Outcome<std::string> Repr(Host&) override { return "<function " + std::string(name_) + ">"; }
  Outcome<Value> Call(Host& host, const Args& args) override;

 private:
  void Clear() override { owner_ = Value(); }

  std::string_view name_;
  Code code_;
  Value owner_;
};

// super(cls, self): the attributes behind cls in the mro of self's class.
class SuperObject final : public lang::Extension {
 public:
  // REQUIRES: self is an Instance, or a ClassObject, that derives from cls, or whose metaclass
  // does.
  SuperObject(Heap& heap, Value cls, Value self)
      : Extension(heap, lang::Type::kExtension), cls_(std::move(cls)), self_(std::move(self)) {}

  const Value& self() const { return self_; }
  std::string_view TypeName() const override { return "super"; }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;

 private:
  void Clear() override { cls_ = self_ = Value(); }
  ClassObject& ClassOfSelf() const;
  bool IsOfMetaclass() const;

  Value cls_, self_;
};

// Whether the value has __get__, __set__ or __delete__ of a class of the program's own.
bool IsOwnDescriptor(const Value& value);
// Whether it is one that objects' own attributes do not hide.
bool IsOwnDataDescriptor(const Value& value);

// What an attribute found in a class gives when it is read through an instance of it
// (through the class).
Outcome<Value> BindToInstance(Host& host, const Value& found, const Value& self);
Outcome<Value> BindToClass(Host& host, const Value& found, ClassObject& cls);

Outcome<Value> MakeSuper(Host& host, const Value&, const Args& args);
Outcome<Value> MakeProperty(Host& host, const Value&, const Args& args);
Outcome<Value> MakeStaticMethod(Host& host, const Value&, const Args& args);
Outcome<Value> MakeClassMethod(Host& host, const Value&, const Args& args);

}  // namespace espalier::script
