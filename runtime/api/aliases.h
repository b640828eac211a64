// What other APIs call the keys of a request line: the one table.
//
// Thread safety: pure functions.
#pragma once

#include <string_view>

namespace espalier {

// The key of a request line that another API calls so; the name itself, where it is no alias.
std::string_view NativeKey(std::string_view name);

}  // namespace espalier
