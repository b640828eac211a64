// Binds arguments to the parameters of a function that C++ makes for a class (the
// __init__ of a dataclass), with the error texts that a def would give.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_lang/script/machine/objects.h"

namespace espalier::script {

struct BoundParameter {
  enum class Kind { kPositional, kKeywordOnly };

  std::string_view name;
  Kind kind = Kind::kPositional;
  bool has_default = false;
};

// One value for each parameter, Unset where the default stands. `function` is its
// qualified name; messages count `self` as an argument.
Outcome<std::vector<Value>> BindParameters(std::string_view function,
                                           std::span<const BoundParameter> parameters,
                                           const Args& args);

}  // namespace espalier::script
