// The parts of the module collections that have files of their own.
#pragma once

#include "frontend_lang/script/modules/standard_modules.h"

namespace espalier::script {

Value NewCounterType(Machine& machine);

}  // namespace espalier::script
