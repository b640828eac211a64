// traceback: the texts of errors.
#include <algorithm>
#include <string>
#include <vector>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/builtins/builtins.h"
#include "frontend_lang/script/machine/traceback_object.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

// The error whose handler runs, or null.
const ErrorObject* Handled(Host& host) {
  const std::vector<Value>& handled = static_cast<Machine&>(host).task().handled;
  return handled.empty() ? nullptr : Exactly<ErrorObject>(handled.back());
}

std::string TextOfError(Host& host, const ErrorObject* error) {
  return error == nullptr ? "NoneType: None\n" : FormatTraceback(host, *error);
}

// The error among the arguments: (error) or (type, error, traceback).
Outcome<const ErrorObject*> ErrorArgument(std::string_view function, const Args& args) {
  for (const Value& argument : args.positional) {
    if (const auto* error = Exactly<ErrorObject>(argument)) return error;
    if (const ErrorObject* error = ErrorOfTraceback(argument)) return error;
  }
  for (const lang::Keyword& keyword : args.keywords) {
    if (const auto* error = Exactly<ErrorObject>(keyword.value)) return error;
  }
  if (args.positional.empty()) {
    return lang::TypeError(std::string(function) +
                           "() missing 1 required positional argument: 'exc'");
  }
  return nullptr;
}

Fault WriteError(Host& host, const Value& file, std::string text) {
  if (!file.is_unset() && !file.is_none()) return WriteTo(host, file, std::move(text));
  auto& machine = static_cast<Machine&>(host);
  const Value sys = machine.Imported("sys");
  if (const auto* module = Exactly<Module>(sys)) {
    return WriteTo(host, module->Find("stderr"), std::move(text));
  }
  machine.PrintError(text);
  return Fault();
}

Outcome<Value> FormatExc(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("format_exc", args, {"limit", "chain"}, 0));
  return lang::MakeStr(host.heap(), TextOfError(host, Handled(host)));
}

Outcome<Value> PrintExc(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("print_exc", args, {"limit", "file", "chain"}, 0));
  ESP_TRY(WriteError(host, bound[1], TextOfError(host, Handled(host))));
  return Value();
}

Outcome<Value> PrintException(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const ErrorObject* const error, ErrorArgument("print_exception", args));
  Value file;
  for (const lang::Keyword& keyword : args.keywords) {
    if (keyword.name == "file") file = keyword.value;
  }
  ESP_TRY(WriteError(host, file, TextOfError(host, error)));
  return Value();
}

// As CPython cuts it: the head, each frame with its lines, the error itself.
std::vector<std::string> Pieces(const std::string& text) {
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string line = text.substr(at, end - at);
    const bool continues = line.starts_with("    ") && !pieces.empty();
    if (continues) {
      pieces.back() += line;
    } else {
      pieces.push_back(line);
    }
    at = end;
  }
  return pieces;
}

Value ListOf(Host& host, const std::vector<std::string>& pieces) {
  std::vector<Value> items;
  for (const std::string& piece : pieces) items.push_back(lang::MakeStr(host.heap(), piece));
  return host.heap().New<lang::List>(std::move(items));
}

Outcome<Value> FormatException(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const ErrorObject* const error, ErrorArgument("format_exception", args));
  return ListOf(host, Pieces(TextOfError(host, error)));
}

Outcome<Value> FormatExceptionOnly(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const ErrorObject* const error, ErrorArgument("format_exception_only", args));
  const std::vector<std::string> pieces = Pieces(TextOfError(host, error));
  const auto shown = static_cast<std::ptrdiff_t>(
      std::min(pieces.size(), 1 + error->notes.size()));  // a piece each
  return ListOf(host, std::vector<std::string>(pieces.end() - shown, pieces.end()));
}

}  // namespace

Value MakeTracebackModule(Machine& machine) {
  constexpr ModuleFunction kFunctions[] = {{"format_exc", FormatExc},
                                           {"print_exc", PrintExc},
                                           {"print_exception", PrintException},
                                           {"format_exception", FormatException},
                                           {"format_exception_only", FormatExceptionOnly}};
  return NewModule(machine, "traceback", kFunctions);
}

}  // namespace espalier::script
