// The part of ModelChecker that calls functions around types: AfterValidator(f) within Annotated,
// and field validators.
#include "frontend_lang/script/classes/descriptors.h"
#include "frontend_lang/script/machine/error_object.h"
#include "frontend_lang/script/pydantic/continuation.h"
#include "frontend_lang/script/pydantic/model_checker.h"
#include "frontend_lang/script/pydantic/validation_note.h"

namespace espalier::script {

bool TakesMore(const Value& function, int num_given) {
  const auto* script = Exactly<ScriptFunction>(function);
  if (script == nullptr) return false;
  return script->routine().num_positional - static_cast<int>(script->defaults.size()) > num_given;
}

// Errors that a function raises about its input become problems.
Outcome<Value> ModelChecker::Checked(Outcome<Value> outcome, const Value& input) {
  if (outcome.ok()) return outcome;
  Fault fault = outcome.TakeFault();
  const bool assertion = IsA(fault.error(), "AssertionError");
  if (!assertion && !IsA(fault.error(), "ValueError")) return fault;
  auto& machine = static_cast<Machine&>(host_);
  ErrorObject& error = machine.ObjectOf(fault.error());
  const Value held(&error);
  if (auto problems = ProblemsOf(held)) {
    for (InputProblem& problem : *problems) {
      problem.place.insert(problem.place.begin(), place_.begin(), place_.end());
      problems_.push_back(std::move(problem));
    }
    return Value::Unset();
  }
  ESP_TRY_ASSIGN(const std::string text, error.Text(host_));
  return Wrong(assertion ? "assertion_error" : "value_error",
               (assertion ? "Assertion failed, " : "Value error, ") + text, input,
               {{"error", held}});
}

// With a note about the field, where the function takes one more argument.
Outcome<Value> ModelChecker::CallFunction(const Value& function, std::vector<Value> args,
                                          const Value& input) {
  if (TakesMore(function, static_cast<int>(args.size()))) {
    args.push_back(host_.heap().New<ValidationNote>(field_name_, known_));
  }
  return Checked(host_.Call(function, Args{args, {}}), input);
}

// `function` stands around the first num_functions of the type's functions, and the type.
Outcome<Value> ModelChecker::CheckAround(const FieldType& type, const Value& input,
                                         std::size_t num_functions) {
  const Value held = type.functions[num_functions];
  const auto& validator = *Exactly<FunctionValidator>(held);
  std::vector<Value> args;
  if (!validator.self.is_unset()) args.push_back(validator.self);
  Value value = input;
  if (validator.when == When::kAfter) {
    ESP_TRY_ASSIGN(value, CheckWithin(type, input, num_functions));
    if (value.is_unset()) return value;
  }
  args.push_back(value);
  if (validator.when == When::kWrap) {
    args.push_back(host_.heap().New<Continuation>(
        [type, num_functions, checker = Anew()](Host& host, const Value& given) -> Outcome<Value> {
          ModelChecker inner = checker;
          ESP_TRY_ASSIGN(Value made, inner.CheckWithin(type, given, num_functions));
          if (!made.is_unset()) return made;
          return RaiseValidationError(host, LabelOf(host, type), inner.problems());
        }));
  }
  ESP_TRY_ASSIGN(value, CallFunction(validator.function, std::move(args), input));
  if (value.is_unset() || validator.when != When::kBefore) return value;
  return CheckWithin(type, value, num_functions);
}

Outcome<Value> ModelChecker::CheckWithin(const FieldType& type, const Value& input,
                                         std::size_t num_functions) {
  if (num_functions == 0) return CheckPlain(type, input);
  lang::NestedScope scope(host_);
  ESP_TRY(scope.Check());
  return CheckAround(type, input, num_functions - 1);
}

Outcome<Value> ModelChecker::Check(const FieldType& type, const Value& input) {
  return CheckWithin(type, input, type.functions.size());
}

}  // namespace espalier::script
