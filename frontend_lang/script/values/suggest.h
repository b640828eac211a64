// The name that somebody probably meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace espalier::lang {

// The closest of `names` to `wrong`, or "" when none is close. CPython's measure: an
// insertion or deletion costs 2, a letter in the other case 1, and at most a third of
// all letters may differ.
std::string ClosestName(std::string_view wrong, const std::vector<std::string_view>& names);

// ". Did you mean: 'name'?", or "" without a name.
std::string DidYouMean(std::string_view name);

}  // namespace espalier::lang
