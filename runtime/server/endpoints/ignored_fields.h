// Fields of a body that nobody here knows: they are passed over, and the answer says so.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace espalier::endpoints {

// The answer's headers: X-Ignored-Fields, or none.
std::vector<std::pair<std::string, std::string>> IgnoredHeaders(
    const std::vector<std::string>& unknown);

}  // namespace espalier::endpoints
