// The objects that scripts add to the shared values: functions, cells, types,
// modules.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#include "frontend_lang/script/compile/bytecode.h"
#include "frontend_lang/script/machine/loaded_file.h"
#include "frontend_lang/script/values/extension.h"
#include "frontend_lang/script/values/methods.h"

namespace espalier::script {

using lang::Args;
using lang::Fault;
using lang::Heap;
using lang::Host;
using lang::Outcome;
using lang::Value;

// The object as a T and no subclass of it, or null. (A type has one type_info in a
// program, so its address will do: comparing names would cost more than most uses.)
template <typename T>
T* Exactly(const Value& value) {
  if (!value.is_extension()) return nullptr;
  lang::Object& object = *value.object();
  return &typeid(object) == &typeid(T) ? static_cast<T*>(value.object()) : nullptr;
}

// A variable that several functions share. Never seen by a program.
class Cell final : public lang::Extension {
 public:
  explicit Cell(Heap& heap) : Extension(heap, lang::Type::kExtension) {}
  std::string_view TypeName() const override { return "cell"; }

  Value value = Value::Unset();

 private:
  void Clear() override { value = Value::Unset(); }
};

// A def or lambda together with what it closes over.
class ScriptFunction final : public lang::Extension {
 public:
  // The machine keeps the file, which keeps the routine.
  ScriptFunction(Heap& heap, LoadedFile& file, const Routine& routine)
      : Extension(heap, lang::Type::kExtension), file_(file), routine_(routine) {}

  const Routine& routine() const { return routine_; }
  LoadedFile& file() const { return file_; }

  std::string_view TypeName() const override { return "function"; }
  Outcome<std::string> Repr(Host&) override { return "<function " + routine_.name + ">"; }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;
  Outcome<Value> Call(Host& host, const Args& args) override {
    return host.Call(Value(this), args);
  }

  Outcome<bool> SetAttr(Host& host, std::string_view name, Value value) override;
  // Its __name__ or __doc__ from now on, as functools.wraps sets them.
  void SetName(std::string_view attribute, Value value) {
    (attribute == "__name__" ? name_ : doc_) = std::move(value);
  }
  // What the program has set, as a dict; Unset: nothing.
  const Value& attributes() const { return attributes_; }

  bool BindsAsMethod() const override { return true; }

  bool is_abstract() const { return is_abstract_; }  // @abstractmethod
  void MarkAbstract() { is_abstract_ = true; }
  bool called() const { return called_; }  // at least once
  void MarkCalled() { called_ = true; }

  std::vector<Value> defaults;          // of the last positional parameters
  std::vector<Value> keyword_defaults;  // as Routine::keyword_defaults names them
  std::vector<Value> cells;             // for Routine::captures

 private:
  void Clear() override {
    defaults.clear();
    keyword_defaults.clear();
    cells.clear();
    name_ = doc_ = attributes_ = Value::Unset();
  }

  LoadedFile& file_;
  const Routine& routine_;
  Value name_ = Value::Unset(), doc_ = Value::Unset();  // where they are not the routine's
  Value attributes_ = Value::Unset();
  bool called_ = false, is_abstract_ = false;
};

// A built-in type: called to make a value, named in isinstance.
class TypeObject final : public lang::Extension {
 public:
  using Test = bool (*)(const Value&);

  TypeObject(Heap& heap, std::string_view name, lang::NativeCode make, Test test)
      : Extension(heap, lang::Type::kExtension), name_(name), make_(make), test_(test) {}

  std::string_view name() const { return name_; }
  bool Holds(const Value& value) const { return test_(value); }
  // The methods of its values, which the type gives as functions: map(str.strip, lines).
  void ShareMethods(const lang::Method* (*find)(std::string_view name)) { find_method_ = find; }
  // What the type itself has: dict.fromkeys. `name` is a literal.
  void AddMember(std::string_view name, Value value) {
    members_.emplace_back(name, std::move(value));
  }

  std::string_view TypeName() const override { return "type"; }
  Outcome<std::string> Repr(Host&) override { return "<class '" + std::string(name_) + "'>"; }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;
  Outcome<Value> GetItem(Host& host, const Value& key) override;  // list[int]
  Outcome<Value> Binary(Host& host, lang::BinaryOp op, const Value& other,
                        lang::Side side) override;  // int | None
  Outcome<Value> Call(Host& host, const Args& args) override {
    return make_(host, Value(this), args);
  }

 private:
  void Clear() override { members_.clear(); }

  std::string_view name_;  // a literal
  std::vector<std::pair<std::string_view, Value>> members_;
  const lang::Method* (*find_method_)(std::string_view name) = nullptr;
  lang::NativeCode make_;
  Test test_;
};

// A method taken from its type: str.upper. Its first argument is the object.
class UnboundMethod final : public lang::Extension {
 public:
  UnboundMethod(Heap& heap, const lang::Method& method, Value type)
      : Extension(heap, lang::Type::kFunction), method_(method), type_(std::move(type)) {}

  std::string_view TypeName() const override { return "method_descriptor"; }
  Outcome<std::string> Repr(Host&) override;
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;
  Outcome<Value> Call(Host& host, const Args& args) override;

 private:
  void Clear() override { type_ = Value(); }
  const TypeObject& type() const { return *static_cast<const TypeObject*>(type_.object()); }

  const lang::Method& method_;
  Value type_;
};

// What an import statement gives.
class Module final : public lang::Extension {
 public:
  // `file`, whose globals are its members too, or null.
  Module(Heap& heap, std::string name, LoadedFile* file = nullptr)
      : Extension(heap, lang::Type::kExtension), name_(std::move(name)), file_(file) {}

  const std::string& name() const { return name_; }
  void Add(std::string_view name, Value value) {
    members_.emplace_back(std::string(name), std::move(value));
  }
  void AddFunction(std::string_view name, lang::NativeCode code);  // `name` is a literal
  Value Find(std::string_view name) const;                         // or Unset

  std::string_view TypeName() const override { return "module"; }
  Outcome<std::string> Repr(Host&) override { return "<module '" + name_ + "'>"; }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;
  Outcome<bool> SetAttr(Host& host, std::string_view name, Value value) override;

 private:
  void Clear() override { members_.clear(); }

  std::string name_;
  LoadedFile* file_;
  std::vector<std::pair<std::string, Value>> members_;
};

// What a with statement takes.
class ContextManager : public lang::Extension {
 public:
  virtual Outcome<Value> Enter(Host& host) = 0;
  // `error` is Unset when the block ended without one.
  virtual Fault Exit(Host& host, const Value& error) = 0;

 protected:
  explicit ContextManager(Heap& heap) : Extension(heap, lang::Type::kExtension) {}
};

// What += changes in place, though it has no +: the state of a prompt.
class Accumulator : public lang::Extension {
 public:
  virtual Outcome<Value> AddInPlace(Host& host, const Value& value) = 0;  // the new target

 protected:
  explicit Accumulator(Heap& heap) : Extension(heap, lang::Type::kExtension) {}
};

}  // namespace espalier::script
