// choice, choices, shuffle, sample: the methods of a RandomObject that pick from values.
#pragma once

#include <span>

#include "frontend_lang/script/modules/standard_modules.h"

namespace espalier::script {

std::span<const ModuleFunction> RandomChoiceMethods();

}  // namespace espalier::script
