// The functions of math that work on ints: gcd, factorial, comb, ...
#pragma once

#include <span>

#include "frontend_lang/script/modules/standard_modules.h"

namespace espalier::script {

std::span<const ModuleFunction> IntegerMathFunctions();

// int(value): of a float without a fraction, or of an int or bool.
Outcome<Value> WholeNumber(Host& host, const Value& value);

}  // namespace espalier::script
