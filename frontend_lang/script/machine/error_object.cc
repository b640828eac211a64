#include "frontend_lang/script/machine/error_object.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/classes/object_methods.h"
#include "frontend_lang/script/machine/error_fields.h"
#include "frontend_lang/script/machine/error_group.h"
#include "frontend_lang/script/machine/traceback_object.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

constexpr std::array kErrorKinds = std::to_array<ErrorKind>({
    {"BaseException", ""},
    {"Exception", "BaseException"},
    {"KeyboardInterrupt", "BaseException"},
    {"SystemExit", "BaseException"},
    {"GeneratorExit", "BaseException"},
    {"BaseExceptionGroup", "BaseException"},
    {"ExceptionGroup", "Exception"},
    {"ArithmeticError", "Exception"},
    {"FloatingPointError", "ArithmeticError"},
    {"OverflowError", "ArithmeticError"},
    {"ZeroDivisionError", "ArithmeticError"},
    {"AssertionError", "Exception"},
    {"AttributeError", "Exception"},
    {"FrozenInstanceError", "AttributeError", "dataclasses"},
    {"EOFError", "Exception"},
    {"ImportError", "Exception"},
    {"ModuleNotFoundError", "ImportError"},
    {"LookupError", "Exception"},
    {"IndexError", "LookupError"},
    {"KeyError", "LookupError"},
    {"NameError", "Exception"},
    {"UnboundLocalError", "NameError"},
    {"OSError", "Exception"},
    {"FileNotFoundError", "OSError"},
    {"PermissionError", "OSError"},
    {"IsADirectoryError", "OSError"},
    {"NotADirectoryError", "OSError"},
    {"FileExistsError", "OSError"},
    {"ConnectionError", "OSError"},
    {"TimeoutError", "OSError"},
    {"RuntimeError", "Exception"},
    {"NotImplementedError", "RuntimeError"},
    {"RecursionError", "RuntimeError"},
    {"StopIteration", "Exception"},
    {"StopAsyncIteration", "Exception"},
    {"SyntaxError", "Exception"},
    {"TypeError", "Exception"},
    {"ValueError", "Exception"},
    {"JSONDecodeError", "ValueError", "json.decoder"},
    {"Error", "ValueError", "binascii"},
    {"error", "Exception", "re"},
    {"StatisticsError", "ValueError", "statistics"},
    {"CancelledError", "BaseException", "asyncio.exceptions"},
    {"InvalidStateError", "Exception", "asyncio.exceptions"},
    {"QueueEmpty", "Exception", "asyncio.queues"},
    {"QueueFull", "Exception", "asyncio.queues"},
    {"BrokenPipeError", "ConnectionError"},
    {"ConnectionAbortedError", "ConnectionError"},
    {"ConnectionRefusedError", "ConnectionError"},
    {"ConnectionResetError", "ConnectionError"},
    {"BlockingIOError", "OSError"},
    {"ChildProcessError", "OSError"},
    {"InterruptedError", "OSError"},
    {"ProcessLookupError", "OSError"},
    {"BufferError", "Exception"},
    {"MemoryError", "Exception"},
    {"ReferenceError", "Exception"},
    {"SystemError", "Exception"},
    {"IndentationError", "SyntaxError"},
    {"TabError", "IndentationError"},
    {"UnicodeTranslateError", "UnicodeError"},
    {"UserWarning", "Warning"},
    {"DeprecationWarning", "Warning"},
    {"RuntimeWarning", "Warning"},
    {"FutureWarning", "Warning"},
    {"SyntaxWarning", "Warning"},
    {"PendingDeprecationWarning", "Warning"},
    {"ImportWarning", "Warning"},
    {"UnicodeWarning", "Warning"},
    {"BytesWarning", "Warning"},
    {"ResourceWarning", "Warning"},
    {"EncodingWarning", "Warning"},
    {"UnicodeError", "ValueError"},
    {"UnicodeDecodeError", "UnicodeError"},
    {"UnicodeEncodeError", "UnicodeError"},
    {"Warning", "Exception"},
    {"LimitError", "BaseException"},  // no program can name it
});

}  // namespace

std::string QualifiedName(const ErrorKind& kind) {
  const std::string name(kind.name);
  if (kind.module.empty() || kind.name == "LimitError") return name;
  return std::string(kind.module) + "." + name;
}

std::string QualifiedName(const ErrorObject& error) {
  if (!error.has_class()) return QualifiedName(error.kind());
  const ClassObject& cls = error.cls();
  return cls.module() == "__main__" ? cls.qualified_name() : cls.FullName();
}

std::span<const ErrorKind> ErrorKinds() { return kErrorKinds; }

const ErrorKind* FindErrorKind(std::string_view name) {
  const auto* found = std::find_if(kErrorKinds.begin(), kErrorKinds.end(),
                                   [name](const ErrorKind& kind) { return kind.name == name; });
  return found == kErrorKinds.end() ? nullptr : found;
}

bool IsSubkind(std::string_view name, std::string_view ancestor) {
  while (name != ancestor) {
    if (name == "ExceptionGroup" && ancestor == "BaseExceptionGroup")
      return true;  // its other base
    const ErrorKind* kind = FindErrorKind(name);
    if (kind == nullptr) return ancestor == "Exception" || ancestor == "BaseException";
    if (kind->parent.empty()) return false;
    name = kind->parent;
  }
  return true;
}

bool DerivesFromError(const ClassObject& cls, std::string_view ancestor) {
  return std::ranges::any_of(cls.mro(), [&](const ClassObject* at) {
    return std::ranges::any_of(
        at->error_bases(), [&](const ErrorKind* kind) { return IsSubkind(kind->name, ancestor); });
  });
}

bool IsA(const Value& error, std::string_view kind) {
  const auto* object = Exactly<ErrorObject>(error);
  if (object == nullptr) return false;
  return IsSubkind(object->kind().name, kind) ||
         (object->has_class() && DerivesFromError(object->cls(), kind));
}

bool IsA(const lang::LangError& error, std::string_view kind) {
  if (error.kind != lang::LangError::Kind::kRaised) return false;
  return error.object.is_unset() ? IsSubkind(error.type, kind) : IsA(error.object, kind);
}

Outcome<std::string> ErrorType::Repr(Host&) { return "<class '" + QualifiedName(kind_) + "'>"; }
bool IsErrorType(const Value& value) {
  const auto* cls = value.If<ClassObject>();
  return cls != nullptr ? cls->error_kind() != nullptr : Exactly<ErrorType>(value) != nullptr;
}

bool ErrorObject::IsA(const Value& type) const {
  if (const auto* wanted = type.If<ClassObject>()) return has_class() && cls().DerivesFrom(*wanted);
  const std::string_view wanted = Exactly<ErrorType>(type)->kind().name;
  return IsSubkind(kind_.name, wanted) || (has_class() && DerivesFromError(cls(), wanted));
}

Outcome<bool> ErrorObject::SetAttr(Host& host, std::string_view name, Value value) {
  if (name != "args" || Has(Special::kSetAttr)) {
    return Instance::SetAttr(host, name, std::move(value));
  }
  ESP_TRY_ASSIGN(auto items, lang::Collect(host, value));
  SetArgs(std::move(items));
  return true;
}

Outcome<Value> ErrorType::GetAttr(Host& host, std::string_view name) {
  if (name == "__name__") return lang::MakeStr(host.heap(), kind_.name);
  if (const NativeMethod::Row* row = FindObjectMethod(name)) {
    return host.heap().New<NativeMethod>(*row);
  }
  return Value::Unset();
}

namespace {

// OSError(2, "...") is a FileNotFoundError, and so on.
const ErrorKind& OSErrorKind(const ErrorKind& kind, const Args& args) {
  constexpr std::pair<std::int64_t, std::string_view> kByNumber[] = {
      {1, "PermissionError"},         {2, "FileNotFoundError"},      {13, "PermissionError"},
      {17, "FileExistsError"},        {20, "NotADirectoryError"},    {21, "IsADirectoryError"},
      {32, "BrokenPipeError"},        {104, "ConnectionResetError"}, {110, "TimeoutError"},
      {111, "ConnectionRefusedError"}};
  if (kind.name != "OSError" || args.positional.size() < 2 || !args.positional[0].is_int()) {
    return kind;
  }
  for (const auto& [number, name] : kByNumber) {
    if (number == args.positional[0].as_int()) return *FindErrorKind(name);
  }
  return kind;
}

// BaseExceptionGroup of errors that are all Exceptions is an ExceptionGroup.
const ErrorKind& KindOfGroup(const ErrorKind& kind, const Args& args) {
  if (kind.name != "BaseExceptionGroup" || args.positional.size() != 2) return kind;
  const auto* list = args.positional[1].If<lang::List>();
  const auto* tuple = args.positional[1].If<lang::Tuple>();
  const auto is_plain = [](const Value& error) { return IsA(error, "Exception"); };
  bool plain = list != nullptr || tuple != nullptr;
  for (std::int64_t i = 0; list != nullptr && i < list->size(); ++i) plain &= is_plain((*list)[i]);
  if (tuple != nullptr) plain &= std::ranges::all_of(tuple->items(), is_plain);
  return plain ? *FindErrorKind("ExceptionGroup") : kind;
}

}  // namespace

Outcome<Value> ErrorType::Call(Host& host, const Args& args) {
  const Value made = host.heap().New<ErrorObject>(KindOfGroup(OSErrorKind(kind_, args), args),
                                                  std::vector<Value>());
  ESP_TRY(ReadErrorArgs(host, static_cast<ErrorObject&>(*made.object()), args));
  return made;
}

namespace {

// An ExceptionGroup's errors, or null: it is none, or not made as one is.
const Value* GroupedErrors(const ErrorKind& kind, const std::vector<Value>& args) {
  const bool is_group = kind.name == "ExceptionGroup" || kind.name == "BaseExceptionGroup";
  return is_group && args.size() == 2 ? &args[1] : nullptr;
}

Outcome<Value> AddNote(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("add_note", args, 1, 1));
  if (!args.positional[0].is_str()) {
    return lang::TypeError("note must be a str, not '" +
                           std::string(lang::TypeName(args.positional[0])) + "'");
  }
  const std::string_view note = lang::TextOf(args.positional[0]);
  host.heap().ChargeOutside(static_cast<std::int64_t>(note.size() + sizeof(std::string)));
  static_cast<ErrorObject*>(self.object())->notes.emplace_back(note);
  return Value();
}

}  // namespace

Outcome<std::string> ErrorObject::DefaultText(Host& host) {
  if (has_message) return message;
  ESP_TRY_ASSIGN(const Value told, TextOfFields(host, *this));
  if (told.is_str()) return std::string(lang::TextOf(told));
  if (args_.empty()) return std::string();
  if (args_.size() == 1) {
    return kind_.name == "KeyError" ? lang::Repr(host, args_[0]) : lang::Text(host, args_[0]);
  }
  if (const Value* errors = GroupedErrors(kind_, args_)) {
    ESP_TRY_ASSIGN(const std::string text, lang::Text(host, args_[0]));
    ESP_TRY_ASSIGN(const std::int64_t count, lang::Length(host, *errors));
    return text + " (" + std::to_string(count) + " sub-exception" + (count == 1 ? ")" : "s)");
  }
  return lang::Repr(host, host.heap().New<lang::Tuple>(args_));
}

Outcome<std::string> ErrorObject::DefaultRepr(Host& host) {
  std::string out = std::string(TypeName()) + "(";
  if (has_message) return out + lang::ReprStr(message) + ")";
  for (std::size_t i = 0; i < NumShownArgs(*this); ++i) {
    ESP_TRY_ASSIGN(const std::string item, lang::Repr(host, args_[i]));
    out += (i > 0 ? ", " : "") + item;
  }
  return out + ")";
}

Outcome<Value> ErrorObject::NativeAttr(Host& host, std::string_view name) {
  if (name == "args") {
    if (!has_message) {
      const auto end = args_.begin() + static_cast<std::ptrdiff_t>(NumShownArgs(*this));
      return host.heap().New<lang::Tuple>(std::vector<Value>(args_.begin(), end));
    }
    return host.heap().New<lang::Tuple>(std::vector<Value>{lang::MakeStr(host.heap(), message)});
  }
  if (name == "__cause__") return cause;
  if (name == "__context__") return context;
  if (name == "__suppress_context__") return Value::Bool(suppress_context);
  if (name == "__traceback__") return trace.empty() ? Value() : NewTraceback(*this);
  if (name == "add_note") {
    return host.heap().New<lang::NativeFunction>("add_note", AddNote, Value(this));
  }
  if (name == "__notes__" && !notes.empty()) {
    std::vector<Value> texts;
    for (const std::string& note : notes) texts.push_back(lang::MakeStr(host.heap(), note));
    return host.heap().New<lang::List>(std::move(texts));
  }
  if (name == "with_traceback") {
    return host.heap().New<lang::NativeFunction>(
        "with_traceback",
        [](Host&, const Value& self, const Args&) -> Outcome<Value> { return self; }, Value(this));
  }
  const bool stop = name == "value" && kind_.name == "StopIteration";
  if (stop || (name == "code" && kind_.name == "SystemExit")) {
    if (args_.size() > 1) return host.heap().New<lang::Tuple>(args_);
    return args_.empty() ? Value() : args_[0];
  }
  if (const Value* errors = GroupedErrors(kind_, args_);
      errors != nullptr && (name == "exceptions" || name == "message")) {
    if (name == "message") return args_[0];
    ESP_TRY_ASSIGN(auto items, lang::Collect(host, *errors));
    return host.heap().New<lang::Tuple>(std::move(items));
  }
  if (GroupedErrors(kind_, args_) != nullptr) {
    Value method = GroupMethod(host, *this, name);
    if (!method.is_unset()) return method;
  }
  return ErrorField(host, *this, name);
}

Fault RaiseStatus(Heap& heap, std::string_view type, const Status& status, std::string message) {
  Value object = heap.New<ErrorObject>(*FindErrorKind(type), std::vector<Value>{});
  auto* error = Exactly<ErrorObject>(object);
  error->message = message;
  error->has_message = true;
  error->status = status.code();
  return Fault(lang::LangError{std::string(type), std::move(message),
                               status.code() == Code::kLimit ? lang::LangError::Kind::kLimit
                                                             : lang::LangError::Kind::kRaised,
                               std::move(object)});
}

}  // namespace espalier::script
