#include "frontend_lang/script/pydantic/validation_error.h"

#include <fmt/format.h>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/classes/build_class.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/machine/error_object.h"
#include "frontend_lang/script/modules/json_text.h"
#include "frontend_lang/script/pydantic/model_dump.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/text/str.h"
#include "kernels/base/utf8.h"

namespace espalier::script {
namespace {

// Own attributes, which are hidden (kHiddenMark).
constexpr std::string_view kErrors =
                               "\xff"
                               "errors",
                           kTitle =
                               "\xff"
                               "title";
constexpr std::string_view kUrl = "https://errors.pydantic.dev/2.13/v/";

// At most 50 characters: the first 25 and the last 24 of a longer text.
std::string Shortened(const std::string& text) {
  constexpr std::int64_t kMost = 50, kFirst = 25, kLast = 24;
  const std::int64_t length = NumCodePoints(text);
  if (length <= kMost) return text;
  std::size_t head = 0, tail = 0;
  std::int64_t seen = 0;
  for (std::size_t at = 0; at < text.size(); ++seen) {
    if (seen == kFirst) head = at;
    if (seen == length - kLast) tail = at;
    at += static_cast<std::size_t>(CodePointBytes(static_cast<unsigned char>(text[at])));
  }
  return text.substr(0, head) + "..." + text.substr(tail);
}

// Errors that pydantic does not count among its own have no page.
bool HasPage(const InputProblem& problem) { return problem.type != "sequence_str"; }

std::string TypeOfInput(const Value& input) {
  const auto* instance = input.If<Instance>();
  return instance == nullptr ? std::string(lang::TypeName(input)) : instance->cls().name();
}

Outcome<std::string> Describe(Host& host, const InputProblem& problem) {
  std::string out;
  for (std::size_t i = 0; i < problem.place.size(); ++i) {
    ESP_TRY_ASSIGN(const std::string step, lang::Text(host, problem.place[i]));
    out += (i > 0 ? "." : "") + step;
  }
  if (!problem.place.empty()) out += '\n';
  ESP_TRY_ASSIGN(const std::string input, lang::Repr(host, problem.input));
  out += fmt::format("  {} [type={}, input_value={}, input_type={}]", problem.message, problem.type,
                     Shortened(input), TypeOfInput(problem.input));
  if (!HasPage(problem)) return out;
  out += '\n';
  return out + fmt::format("    For further information visit {}{}", kUrl, problem.type);
}

Value AsValue(Host& host, const InputProblem& problem) {
  Heap& heap = host.heap();
  Value made = heap.New<lang::Dict>();
  auto& dict = *made.As<lang::Dict>();
  dict.PutStr("type", lang::MakeStr(heap, problem.type));
  dict.PutStr("loc", heap.New<lang::Tuple>(problem.place));
  dict.PutStr("msg", lang::MakeStr(heap, problem.message));
  dict.PutStr("input", problem.input);
  if (!problem.details.is_unset()) dict.PutStr("ctx", problem.details);
  if (HasPage(problem)) dict.PutStr("url", lang::MakeStr(heap, std::string(kUrl) + problem.type));
  return made;
}

Outcome<std::vector<Value>> ErrorsOf(const Value& self) {
  const auto* error = Exactly<ErrorObject>(self);
  const Value* errors = error == nullptr ? nullptr : error->FindOwn(kErrors);
  if (errors == nullptr) return std::vector<Value>();
  return errors->As<lang::List>()->items();
}

// errors(include_url=True, include_context=True, include_input=True)
Outcome<Value> Errors(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto errors, ErrorsOf(self));
  std::vector<Value> made;
  for (const Value& error : errors) {
    const Value copy = host.heap().New<lang::Dict>();
    const auto& from = *error.As<lang::Dict>();
    for (std::size_t at = 0; const auto* entry = from.EntryAt(at); ++at) {
      copy.As<lang::Dict>()->PutStr(lang::TextOf(entry->key), entry->value);
    }
    for (const lang::Keyword& keyword : args.keywords) {
      const std::string_view part = keyword.name == "include_url"       ? "url"
                                    : keyword.name == "include_context" ? "ctx"
                                    : keyword.name == "include_input"   ? "input"
                                                                        : "";
      ESP_TRY_ASSIGN(const bool wanted, lang::Truth(host, keyword.value));
      if (part.empty() || wanted) continue;
      ESP_TRY_ASSIGN(const bool ignored,
                     copy.As<lang::Dict>()->Erase(host, lang::MakeStr(host.heap(), part)));
      (void)ignored;
    }
    made.push_back(copy);
  }
  return host.heap().New<lang::List>(std::move(made));
}

Outcome<Value> ErrorCount(Host&, const Value& self, const Args&) {
  ESP_TRY_ASSIGN(const auto errors, ErrorsOf(self));
  return Value::Int(static_cast<std::int64_t>(errors.size()));
}

// The error that a validator raised stands there as its text.
Fault ShowContexts(Host& host, const Value& errors) {
  for (const Value& error : errors.As<lang::List>()->items()) {
    const Value* context = error.As<lang::Dict>()->FindStr("ctx");
    if (context == nullptr || context->If<lang::Dict>() == nullptr) continue;
    const Value shown = host.heap().New<lang::Dict>(), given = *context;
    for (std::size_t at = 0; const auto* entry = given.As<lang::Dict>()->EntryAt(at); ++at) {
      const Value key = entry->key;
      Value value = entry->value;
      if (value.IfExtension<ErrorObject>() != nullptr) {
        ESP_TRY_ASSIGN(std::string text, lang::Text(host, value));
        value = lang::MakeStr(host.heap(), std::move(text));
      }
      ESP_TRY(shown.As<lang::Dict>()->Put(host, key, std::move(value)));
    }
    error.As<lang::Dict>()->PutStr("ctx", shown);
  }
  return Fault();
}

Outcome<Value> Json(Host& host, const Value& self, const Args& args) {
  const JsonStyle style = DumpStyle(args);
  ESP_TRY_ASSIGN(const Value errors, Errors(host, self, args));
  ESP_TRY(ShowContexts(host, errors));
  ESP_TRY_ASSIGN(std::string text, WriteJson(host, errors, style));
  return lang::MakeStr(host.heap(), std::move(text));
}

Outcome<Value> Title(Host&, const Value& self, const Args&) {
  const auto* error = Exactly<ErrorObject>(self);
  const Value* title = error == nullptr ? nullptr : error->FindOwn(kTitle);
  return title == nullptr ? Value() : *title;
}

Outcome<Value> TextMethod(Host& host, const Value& self, const Args&) {
  auto* error = Exactly<ErrorObject>(self);
  if (error == nullptr) return lang::TypeError("this is no ValidationError");
  ESP_TRY_ASSIGN(std::string text, error->DefaultText(host));
  return lang::MakeStr(host.heap(), std::move(text));
}

constexpr NativeMethod::Row kMethods[] = {
    {"errors", Errors},
    {"error_count", ErrorCount},
    {"json", Json},
    {"__repr__", TextMethod},
};
constexpr NativeMethod::Row kTitleRow = {"title", Title};

}  // namespace

Fault RaiseValidationError(Host& host, std::string_view title,
                           const std::vector<InputProblem>& problems) {
  std::string text = fmt::format("{} validation error{} for {}", problems.size(),
                                 problems.size() == 1 ? "" : "s", title);
  std::vector<Value> errors;
  for (const InputProblem& problem : problems) {
    ESP_TRY_ASSIGN(const std::string described, Describe(host, problem));
    text += "\n" + described;
    ESP_TRY(host.Reserve(static_cast<std::int64_t>(text.size())));
    errors.push_back(AsValue(host, problem));
  }
  const Value cls = static_cast<Machine&>(host).Builtin(".ValidationError");
  Value made = host.heap().New<ErrorObject>(*cls.As<ClassObject>(), std::vector<Value>{});
  auto& error = *Exactly<ErrorObject>(made);
  error.message = text;
  error.has_message = true;
  ESP_TRY(error.PutOwn(host, kErrors, host.heap().New<lang::List>(std::move(errors))));
  ESP_TRY(error.PutOwn(host, kTitle, lang::MakeStr(host.heap(), title)));
  return Fault(lang::LangError{std::string(error.kind().name), std::move(text),
                               lang::LangError::Kind::kRaised, std::move(made)});
}

std::optional<std::vector<InputProblem>> ProblemsOf(const Value& error) {
  const auto* object = Exactly<ErrorObject>(error);
  const Value* errors = object == nullptr ? nullptr : object->FindOwn(kErrors);
  if (errors == nullptr) return std::nullopt;
  std::vector<InputProblem> problems;
  for (const Value& each : errors->As<lang::List>()->items()) {
    const auto& dict = *each.As<lang::Dict>();
    const Value* details = dict.FindStr("ctx");
    problems.push_back({std::string(lang::TextOf(*dict.FindStr("type"))),
                        dict.FindStr("loc")->As<lang::Tuple>()->items(),
                        std::string(lang::TextOf(*dict.FindStr("msg"))), *dict.FindStr("input"),
                        details == nullptr ? Value::Unset() : *details});
  }
  return problems;
}

Value MakeValidationErrorClass(Machine& machine) {
  Heap& heap = machine.heap();
  ClassObject::Parts parts{"ValidationError", "pydantic_core._pydantic_core.ValidationError", ""};
  parts.error_kind = FindErrorKind("ValueError");
  Value made = heap.New<ClassObject>(std::move(parts));
  auto& cls = *made.As<ClassObject>();
  for (const NativeMethod::Row& row : kMethods) cls.Put(row.name, heap.New<NativeMethod>(row));
  cls.Put(kTitleRow.name, heap.New<Property>(heap.New<NativeMethod>(kTitleRow)));
  machine.AddBuiltin(".ValidationError", made);
  return made;
}

}  // namespace espalier::script
