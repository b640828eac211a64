// product, permutations, combinations, combinations_with_replacement.
#pragma once

#include <span>

#include "frontend_lang/script/modules/standard_modules.h"

namespace espalier::script {

std::span<const ModuleFunction> ChoiceFunctions();

}  // namespace espalier::script
