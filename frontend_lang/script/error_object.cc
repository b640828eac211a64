#include "frontend_lang/script/error_object.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "frontend_lang/script/classes/object_methods.h"
#include "frontend_lang/script/containers.h"
#include "frontend_lang/script/dict.h"
#include "frontend_lang/script/repr.h"
#include "frontend_lang/script/sequence.h"
#include "frontend_lang/script/str.h"

namespace espalier::script {
namespace {

constexpr std::array kErrorKinds = std::to_array<ErrorKind>({
    {"BaseException", ""},
    {"Exception", "BaseException"},
    {"KeyboardInterrupt", "BaseException"},
    {"SystemExit", "BaseException"},
    {"GeneratorExit", "BaseException"},
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
    {"SyntaxError", "Exception"},
    {"TypeError", "Exception"},
    {"ValueError", "Exception"},
    {"JSONDecodeError", "ValueError", "json.decoder"},
    {"error", "Exception", "re"},
    {"StatisticsError", "ValueError", "statistics"},
    {"UnicodeError", "ValueError"},
    {"UnicodeDecodeError", "UnicodeError"},
    {"UnicodeEncodeError", "UnicodeError"},
    {"Warning", "Exception"},
    {"LimitError", "BaseException"},  // no program can name it
});

const ErrorObject* AsError(const Value& value) { return Exactly<ErrorObject>(value); }

std::string QualifiedName(const ErrorKind& kind) {
  return (kind.module.empty() ? "" : std::string(kind.module) + ".") + std::string(kind.name);
}

std::string QualifiedName(const ErrorObject& error) {
  return error.has_class() ? error.cls().qualified_name() : QualifiedName(error.kind());
}

void FormatOne(Host& host, const ErrorObject& error, std::string& out) {
  if (!error.trace.empty()) out += "Traceback (most recent call last):\n";
  constexpr std::size_t kShown = 20;  // at each end
  for (std::size_t i = error.trace.size(); i-- > 0;) {
    const std::size_t from_top = error.trace.size() - 1 - i;
    if (error.trace.size() > 2 * kShown && from_top == kShown) {
      out += fmt::format("  [{} more calls]\n", error.trace.size() - 2 * kShown);
      i = kShown;
      continue;
    }
    const TraceEntry& entry = error.trace[i];
    const int line = entry.source->Locate(entry.span.begin).line;
    out += fmt::format("  File \"{}\", line {}, in {}\n{}", entry.source->name(), line,
                       entry.function, entry.source->Excerpt(entry.span));
  }
  auto text = const_cast<ErrorObject&>(error).Text(host);
  const std::string message = text.ok() ? *text : "<its text failed>";
  out += QualifiedName(error);
  if (!message.empty()) out += ": " + message;
  out += '\n';
}

}  // namespace

std::span<const ErrorKind> ErrorKinds() { return kErrorKinds; }

const ErrorKind* FindErrorKind(std::string_view name) {
  const auto* found = std::find_if(kErrorKinds.begin(), kErrorKinds.end(),
                                   [name](const ErrorKind& kind) { return kind.name == name; });
  return found == kErrorKinds.end() ? nullptr : found;
}

bool IsSubkind(std::string_view name, std::string_view ancestor) {
  while (name != ancestor) {
    const ErrorKind* kind = FindErrorKind(name);
    if (kind == nullptr) return ancestor == "Exception" || ancestor == "BaseException";
    if (kind->parent.empty()) return false;
    name = kind->parent;
  }
  return true;
}

Outcome<std::string> ErrorType::Repr(Host&) { return "<class '" + QualifiedName(kind_) + "'>"; }
bool IsErrorType(const Value& value) {
  const auto* cls = value.If<ClassObject>();
  return cls != nullptr ? cls->error_kind() != nullptr : Exactly<ErrorType>(value) != nullptr;
}

bool ErrorObject::IsA(const Value& type) const {
  if (const auto* wanted = type.If<ClassObject>()) return has_class() && cls().DerivesFrom(*wanted);
  return IsSubkind(kind_.name, Exactly<ErrorType>(type)->kind().name);
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

Outcome<Value> ErrorType::Call(Host& host, const Args& args) {
  if (!args.keywords.empty()) {
    return lang::TypeError(std::string(kind_.name) + "() takes no keyword arguments");
  }
  return host.heap().New<ErrorObject>(
      kind_, std::vector<Value>(args.positional.begin(), args.positional.end()));
}

Outcome<std::string> ErrorObject::DefaultText(Host& host) {
  if (has_message) return message;
  if (args_.empty()) return std::string();
  if (args_.size() == 1) {
    return kind_.name == "KeyError" ? lang::Repr(host, args_[0]) : lang::Text(host, args_[0]);
  }
  return lang::Repr(host, host.heap().New<lang::Tuple>(args_));
}

Outcome<std::string> ErrorObject::DefaultRepr(Host& host) {
  std::string out = std::string(TypeName()) + "(";
  if (has_message) return out + lang::ReprStr(message) + ")";
  for (std::size_t i = 0; i < args_.size(); ++i) {
    ESP_TRY_ASSIGN(const std::string item, lang::Repr(host, args_[i]));
    out += (i > 0 ? ", " : "") + item;
  }
  return out + ")";
}

Outcome<Value> ErrorObject::NativeAttr(Host& host, std::string_view name) {
  if (name == "args") {
    if (!has_message) return host.heap().New<lang::Tuple>(args_);
    return host.heap().New<lang::Tuple>(std::vector<Value>{lang::MakeStr(host.heap(), message)});
  }
  const auto* dict = attributes.If<lang::Dict>();
  const Value* found = dict == nullptr ? nullptr : dict->FindStr(name);
  return found == nullptr ? Value::Unset() : *found;
}

std::string FormatTraceback(Host& host, const ErrorObject& error) {
  constexpr int kMaxChain = 10;
  std::vector<std::pair<const ErrorObject*, bool>> chain;  // and whether the next is its cause
  const ErrorObject* at = &error;
  while (at != nullptr && chain.size() < kMaxChain) {
    const bool caused = AsError(at->cause) != nullptr;
    chain.emplace_back(at, caused);
    at = AsError(caused ? at->cause : at->context);
  }
  std::string out;
  for (std::size_t i = chain.size(); i-- > 0;) {
    FormatOne(host, *chain[i].first, out);
    if (i == 0) break;
    out += chain[i - 1].second
               ? "\nThe above exception was the direct cause of the following exception:\n\n"
               : "\nDuring handling of the above exception, another exception occurred:\n\n";
  }
  return out;
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
