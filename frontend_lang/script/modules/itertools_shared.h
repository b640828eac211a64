// groupby and tee: iterators that share a source.
#pragma once

#include <span>

#include "frontend_lang/script/modules/standard_modules.h"

namespace espalier::script {

std::span<const ModuleFunction> SharedIteratorFunctions();

}  // namespace espalier::script
