// Exceptions as objects: the tree of their types, and a raised one with its trace.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_lang/script/objects.h"
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

class ErrorObject final : public lang::Extension {
 public:
  // From a raise in the program.
  ErrorObject(Heap& heap, const ErrorKind& kind, std::vector<Value> args)
      : Extension(heap, lang::Type::kExtension), kind_(kind), args_(std::move(args)) {}

  const ErrorKind& kind() const { return kind_; }
  std::string_view TypeName() const override { return kind_.name; }
  Outcome<std::string> Repr(Host& host) override;
  Outcome<std::string> Text(Host& host) override;
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;

  std::string message;  // from a built-in operation: what Text gives
  bool has_message = false;
  Code status = Code::kInvalidArgument;
  std::vector<TraceEntry> trace;  // innermost first; at most kMaxTrace
  Value cause, context;           // ErrorObjects or None
  // What else it has to tell: the place in the text of a JSONDecodeError. A dict or None.
  Value attributes;

  static constexpr std::size_t kMaxTrace = 2000;

 private:
  void Clear() override {
    args_.clear();
    cause = context = attributes = Value();
  }

  const ErrorKind& kind_;
  std::vector<Value> args_;
};

// "Traceback (most recent call last): ...", with causes and contexts first.
std::string FormatTraceback(Host& host, const ErrorObject& error);

// A fault that raises `type`: message, and carries `status` to whoever runs the
// program.
Fault RaiseStatus(Heap& heap, std::string_view type, const Status& status, std::string message);

}  // namespace espalier::script
