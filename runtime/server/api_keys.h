// API keys.
//
// Thread safety: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace espalier {

// Whether `authorization` ("Bearer KEY") holds one of `keys`; with no keys, whatever it
// holds. How long it takes depends on no key's bytes and not on which key it is.
bool HasKey(std::span<const std::string> keys, std::string_view authorization);

}  // namespace espalier
