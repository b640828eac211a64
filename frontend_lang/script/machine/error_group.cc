#include "frontend_lang/script/machine/error_group.h"

#include <algorithm>
#include <unordered_set>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/machine/machine.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/sequence.h"

namespace espalier::script {
namespace {

using Test = std::function<Outcome<bool>(const Value&)>;
using Parts = std::pair<Value, Value>;  // what passes the test, and the rest; None: nothing

ErrorObject& ErrorOf(const Value& value) { return static_cast<ErrorObject&>(*value.object()); }

Outcome<Value> NewGroup(Host& host, const Value& message, const Value& errors) {
  auto& machine = static_cast<Machine&>(host);
  ESP_TRY_ASSIGN(const auto items, lang::Collect(host, errors));
  const bool plain =
      std::ranges::all_of(items, [](const Value& item) { return IsA(item, "Exception"); });
  const Value args[] = {message, errors};
  return host.Call(machine.Builtin(plain ? "ExceptionGroup" : "BaseExceptionGroup"),
                   Args{args, {}});
}

// A group of some of the errors, with all else that the group has.
Outcome<Value> Derived(Host& host, const Value& group, std::vector<Value> errors) {
  if (errors.empty()) return Value();
  const Value list = host.heap().New<lang::List>(std::move(errors));
  ESP_TRY_ASSIGN(const Value made, lang::CallAttr(host, group, "derive", Args{{&list, 1}, {}}));
  if (!IsGroup(made))
    return lang::TypeError("derive must return an instance of BaseExceptionGroup");
  ErrorObject &from = ErrorOf(group), &to = ErrorOf(made);
  to.trace = from.trace;
  to.cause = from.cause;
  to.context = from.context;
  to.suppress_context = from.suppress_context;
  to.notes = from.notes;
  return made;
}

Outcome<Parts> Split(Host& host, const Value& error, const Test& test) {
  lang::NestedScope scope(host);
  ESP_TRY(scope.Check());
  ESP_TRY(host.Step());
  ESP_TRY_ASSIGN(const bool whole, test(error));
  if (whole) return Parts{error, Value()};
  if (!IsGroup(error)) return Parts{Value(), error};
  ESP_TRY_ASSIGN(const auto errors, ErrorsOf(host, error));
  std::vector<Value> passed, rest;
  for (const Value& one : errors) {
    ESP_TRY_ASSIGN(const Parts parts, Split(host, one, test));
    if (!parts.first.is_none()) passed.push_back(parts.first);
    if (!parts.second.is_none()) rest.push_back(parts.second);
  }
  ESP_TRY_ASSIGN(Value first, Derived(host, error, std::move(passed)));
  ESP_TRY_ASSIGN(Value second, Derived(host, error, std::move(rest)));
  return Parts{std::move(first), std::move(second)};
}

bool AreErrorTypes(const Value& types) {
  const auto* tuple = types.If<lang::Tuple>();
  return tuple == nullptr ? IsErrorType(types) : std::ranges::all_of(tuple->items(), IsErrorType);
}

// By the types of errors, or by a function that says it of one.
Outcome<Test> TestOf(Host& host, const Value& condition) {
  if (AreErrorTypes(condition)) {
    return Test([condition](const Value& error) -> Outcome<bool> {
      const auto* tuple = condition.If<lang::Tuple>();
      if (tuple == nullptr) return ErrorOf(error).IsA(condition);
      return std::ranges::any_of(tuple->items(),
                                 [&](const Value& type) { return ErrorOf(error).IsA(type); });
    });
  }
  if (!condition.is_extension()) {
    return lang::TypeError("expected a function, exception type or tuple of exception types");
  }
  return Test([&host, condition](const Value& error) -> Outcome<bool> {
    ESP_TRY_ASSIGN(const Value answer, host.Call(condition, Args{{&error, 1}, {}}));
    return lang::Truth(host, answer);
  });
}

Outcome<Value> SplitMethod(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("split", args, 1, 1));
  ESP_TRY_ASSIGN(const Test test, TestOf(host, args.positional[0]));
  ESP_TRY_ASSIGN(const Parts parts, Split(host, self, test));
  return host.heap().New<lang::Tuple>(std::vector<Value>{parts.first, parts.second});
}

Outcome<Value> SubgroupMethod(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("subgroup", args, 1, 1));
  ESP_TRY_ASSIGN(const Test test, TestOf(host, args.positional[0]));
  ESP_TRY_ASSIGN(const Parts parts, Split(host, self, test));
  return parts.first;
}

Outcome<Value> DeriveMethod(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("derive", args, 1, 1));
  ESP_TRY_ASSIGN(const Value message, lang::GetAttr(host, self, "message"));
  return NewGroup(host, message, args.positional[0]);
}

void AddLeaves(Host& host, const Value& error, std::unordered_set<const lang::Object*>& leaves,
               int depth) {
  constexpr int kMaxDepth = 200;  // of groups in groups, which Split has bounded already
  if (!IsGroup(error) || depth > kMaxDepth) {
    leaves.insert(error.object());
    return;
  }
  const auto errors = ErrorsOf(host, error);
  if (!errors.ok()) return;
  for (const Value& one : errors.value()) AddLeaves(host, one, leaves, depth + 1);
}

}  // namespace

bool IsGroup(const Value& error) {
  const auto* object = Exactly<ErrorObject>(error);
  const std::string_view kind = object == nullptr ? std::string_view() : object->kind().name;
  return kind == "ExceptionGroup" || kind == "BaseExceptionGroup";
}

Outcome<std::vector<Value>> ErrorsOf(Host& host, const Value& group) {
  ESP_TRY_ASSIGN(const Value errors, lang::GetAttr(host, group, "exceptions"));
  return lang::Collect(host, errors);
}

Fault CheckGroup(Host& host, const ErrorKind& kind, const Args& args) {
  const std::string name(kind.name);
  if (args.positional.size() != 2) {
    return lang::TypeError("BaseExceptionGroup.__new__() takes exactly 2 arguments (" +
                           std::to_string(args.positional.size()) + " given)");
  }
  if (!args.positional[0].is_str()) {
    return lang::TypeError("BaseExceptionGroup.__new__() argument 1 must be str, not " +
                           std::string(lang::TypeName(args.positional[0])));
  }
  const Value& errors = args.positional[1];
  if (errors.type() != lang::Type::kList && errors.type() != lang::Type::kTuple) {
    return lang::TypeError("second argument (exceptions) must be a sequence");
  }
  ESP_TRY_ASSIGN(const auto items, lang::Collect(host, errors));
  if (items.empty()) {
    return lang::ValueError("second argument (exceptions) must be a non-empty sequence");
  }
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (Exactly<ErrorObject>(items[i]) == nullptr) {
      return lang::ValueError("Item " + std::to_string(i) +
                              " of second argument (exceptions) is not an exception");
    }
    if (kind.name == "ExceptionGroup" && !IsA(items[i], "Exception")) {
      return lang::TypeError("Cannot nest BaseExceptions in an ExceptionGroup");
    }
  }
  return Fault();
}

Value GroupMethod(Host& host, ErrorObject& group, std::string_view name) {
  constexpr std::pair<std::string_view, lang::NativeCode> kMethods[] = {
      {"derive", DeriveMethod}, {"split", SplitMethod}, {"subgroup", SubgroupMethod}};
  for (const auto& [method, code] : kMethods) {
    if (method == name) return host.heap().New<lang::NativeFunction>(method, code, Value(&group));
  }
  return Value::Unset();
}

Outcome<Value> StarHandling::Take(Host& host, const Value& types) {
  if (!AreErrorTypes(types)) {
    return lang::TypeError(
        "catching classes that do not inherit from BaseException is not allowed");
  }
  const auto* tuple = types.If<lang::Tuple>();
  const std::vector<Value> each = tuple == nullptr ? std::vector<Value>{types} : tuple->items();
  for (const Value& type : each) {
    const auto* error = Exactly<ErrorType>(type);
    const auto* cls = type.If<ClassObject>();
    const ErrorKind& kind = error != nullptr ? error->kind() : *cls->error_kind();
    if (kind.name == "ExceptionGroup" || kind.name == "BaseExceptionGroup") {
      return lang::TypeError(
          "catching ExceptionGroup with except* is not allowed. Use except instead.");
    }
  }
  if (rest_.is_none()) return Value();
  ESP_TRY_ASSIGN(const Test test, TestOf(host, types));
  ESP_TRY_ASSIGN(const Parts parts, Split(host, rest_, test));
  Value taken = parts.first;
  if (!taken.is_none() && !IsGroup(taken)) {
    const Value errors = host.heap().New<lang::Tuple>(std::vector<Value>{taken});
    ESP_TRY_ASSIGN(taken, NewGroup(host, host.heap().EmptyStr(), errors));
  }
  rest_ = parts.second;
  if (!taken.is_none()) taken_.push_back(taken);
  return taken;
}

bool StarHandling::IsReraised(const Value& raised) const {
  return std::ranges::any_of(taken_, [&](const Value& taken) { return taken.Is(raised); });
}

Outcome<Value> StarHandling::Finish(Host& host) {
  if (!IsGroup(error_)) return raised_.empty() ? rest_ : raised_.front();
  std::unordered_set<const lang::Object*> leaves;
  if (!rest_.is_none()) AddLeaves(host, rest_, leaves, 0);
  std::vector<Value> made;
  for (const Value& raised : raised_) {
    if (IsReraised(raised)) {
      AddLeaves(host, raised, leaves, 0);
    } else {
      made.push_back(raised);
    }
  }
  const Test goes_on = [&](const Value& error) -> Outcome<bool> {
    return !IsGroup(error) && leaves.contains(error.object());
  };
  ESP_TRY_ASSIGN(const Parts parts, Split(host, error_, goes_on));
  // A group whose errors all go on is the group itself.
  const Value going = parts.second.is_none() ? error_ : parts.first;
  if (made.empty()) return going;
  if (!going.is_none()) made.push_back(going);
  if (made.size() == 1) return made.front();
  return NewGroup(host, host.heap().EmptyStr(), host.heap().New<lang::List>(std::move(made)));
}

}  // namespace espalier::script
