// Trait: what a class of collections.abc asks of values whose classes do not derive from it.
//
// Thread safety: immutable.
#pragma once

#include <span>
#include <string_view>

#include "frontend_lang/script/classes/special_methods.h"
#include "frontend_lang/script/values/value.h"

namespace espalier::script {

struct Trait {
  std::string_view name;  // "Mapping"
  bool (*holds)(const lang::Value& value);
  // The methods that make any class one of this kind; none: only who derives or is registered.
  std::span<const Special> methods = {};
};

}  // namespace espalier::script
