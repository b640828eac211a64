// ValidationError: what was wrong with the input of a model, place by place.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_lang/script/machine/machine.h"

namespace espalier::script {

struct InputProblem {
  std::string type;          // "int_parsing"
  std::vector<Value> place;  // keys and indexes on the way to it
  std::string message;
  Value input;
  Value details = Value::Unset();  // a dict: what the message was made with
};

// Raises a ValidationError of the model `title`. REQUIRES: there is a problem.
Fault RaiseValidationError(Host& host, std::string_view title,
                           const std::vector<InputProblem>& problems);

// The problems that a ValidationError tells of; nothing where `error` is none.
std::optional<std::vector<InputProblem>> ProblemsOf(const Value& error);

// The exception class, with its methods errors(), error_count(), json().
Value MakeValidationErrorClass(Machine& machine);

}  // namespace espalier::script
