// Exceptions as objects: the tree of their types, and a raised one with its trace.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/machine/objects.h"
#include "kernels/base/status.h"

namespace espalier::script {

// A row of the table of exception types.
struct ErrorKind {
  std::string_view name;
  std::string_view parent;       // "" for BaseException
  std::string_view module = {};  // that has it; "": a built-in name
};
std::span<const ErrorKind> ErrorKinds();
const ErrorKind* FindErrorKind(std::string_view name);  // null if there is none
bool IsSubkind(std::string_view name, std::string_view ancestor);
// Whether one of the built-in exceptions that the class derives from is of that kind.
bool DerivesFromError(const ClassObject& cls, std::string_view ancestor);

// An exception type: called to make an ErrorObject, named in except.
class ErrorType final : public lang::Extension {
 public:
  ErrorType(Heap& heap, const ErrorKind& kind)
      : Extension(heap, lang::Type::kExtension), kind_(kind) {}

  const ErrorKind& kind() const { return kind_; }
  std::string_view TypeName() const override { return "type"; }
  Outcome<std::string> Repr(Host&) override;
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;
  Outcome<Value> Call(Host& host, const Args& args) override;

 private:
  const ErrorKind& kind_;
};

struct TraceEntry {
  const Source* source;
  std::string_view function;
  Span span;
};

class ErrorObject final : public Instance {
 public:
  // From a raise in the program.
  ErrorObject(Heap& heap, const ErrorKind& kind, std::vector<Value> args)
      : Instance(heap), kind_(kind), args_(std::move(args)) {}
  // Of a class of the program's own. REQUIRES: it derives from an exception.
  ErrorObject(Heap& heap, ClassObject& cls, std::vector<Value> args)
      : Instance(heap, cls), kind_(*cls.error_kind()), args_(std::move(args)) {}

  // The built-in exception type that it is, or derives from.
  const ErrorKind& kind() const { return kind_; }
  // Whether `except type` catches it. REQUIRES: type is an exception type or class.
  bool IsA(const Value& type) const;
  const std::vector<Value>& args() const { return args_; }  // none where there is a message
  void SetArgs(std::vector<Value> args) {
    args_ = std::move(args);
    has_message = false;
  }

  std::string_view TypeName() const override { return has_class() ? cls().name() : kind_.name; }
  Outcome<std::string> DefaultRepr(Host& host) override;
  Outcome<std::string> DefaultText(Host& host) override;
  Outcome<Value> NativeAttr(Host& host, std::string_view name) override;
  Outcome<bool> SetAttr(Host& host, std::string_view name, Value value) override;

  std::string message;  // from a built-in operation: what Text gives
  bool has_message = false;
  std::vector<std::string> notes;  // add_note
  std::string hint;                // what a traceback adds to the text; may be empty
  Code status = Code::kInvalidArgument;
  std::vector<TraceEntry> trace;  // innermost first; at most kMaxTrace
  Value cause, context;           // ErrorObjects or None
  bool suppress_context = false;  // raise ... from ...
  // What else it has to tell: the place in the text of a JSONDecodeError. A dict or None.
  Value attributes;

  static constexpr std::size_t kMaxTrace = 2000;

 private:
  void Clear() override {
    Instance::Clear();
    args_.clear();
    cause = context = attributes = Value();
  }

  const ErrorKind& kind_;
  std::vector<Value> args_;
};

// The name with that of its module before it, unless it is a built-in one.
std::string QualifiedName(const ErrorKind& kind);
std::string QualifiedName(const ErrorObject& error);

// Whether an error is a built-in exception of this name, or derives from it.
bool IsA(const Value& error, std::string_view kind);
bool IsA(const lang::LangError& error, std::string_view kind);

// Whether a value may stand behind except or raise: an exception type or such a class.
bool IsErrorType(const Value& value);

// "Traceback (most recent call last): ...", with causes and contexts first.
std::string FormatTraceback(Host& host, const ErrorObject& error);

// A fault that raises `type`: message, and carries `status` to whoever runs the
// program.
Fault RaiseStatus(Heap& heap, std::string_view type, const Status& status, std::string message);

}  // namespace espalier::script
