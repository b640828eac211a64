// The special methods of built-in values, called by their names: x.__len__(), d.__getitem__.
//
// Thread safety: immutable.
#pragma once

#include <string_view>

#include "frontend_lang/script/values/methods.h"

namespace espalier::lang {

// self's method of that __name__, or null where its type has none. The row lives for ever.
const Method* FindSpecialMethod(const Value& self, std::string_view name);

}  // namespace espalier::lang
