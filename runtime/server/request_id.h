// Ids that a person may look up in a log.
//
// Thread safety: thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace espalier {

// "<prefix><32 random hexadecimal digits>": nobody can guess it.
std::string NewId(std::string_view prefix);

// `given` if it is short and printable, else a new one.
std::string UsableRequestId(std::string given);

}  // namespace espalier
