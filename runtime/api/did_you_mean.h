// The end of an error about an unknown name: what was probably meant.
//
// Thread safety: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace espalier {

// "; did you mean 'x'?", x being the first known name that begins with `name`, or else the one
// that is most similar to it. Empty if there is none.
std::string DidYouMean(std::string_view name, std::span<const std::string_view> known);

}  // namespace espalier
