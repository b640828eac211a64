// Reading the arguments of a built-in function.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "frontend_lang/script/machine/objects.h"

namespace espalier::script {

// The arguments in the order of `names`; an absent one is Unset. `function` is named
// in errors. The first num_required must be there.
Outcome<std::vector<Value>> BindArguments(std::string_view function, const Args& args,
                                          std::initializer_list<std::string_view> names,
                                          int num_required);

// The same for arguments that may not be named.
Fault CheckPositional(std::string_view function, const Args& args, int least, int most);

}  // namespace espalier::script
