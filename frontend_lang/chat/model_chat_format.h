// Which named chat format a model wants, told by its name: for servers that say what
// model they run but not its chat template.
//
// Thread safety: pure function.
#pragma once

#include <string_view>

namespace espalier {

// A name that ChatFormat::Named knows; "default" for a model of no known family.
std::string_view ChatFormatOfModel(std::string_view model_name);

}  // namespace espalier
