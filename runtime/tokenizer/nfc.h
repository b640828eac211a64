// Unicode Normalization Form C.
//
// Source: Unicode Standard Annex #15; the tables and the composition are utf8proc's.
// Marks are put in order by a sort here, so that a text of marks alone costs
// O(n log n) and not the square.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace espalier {

// Ill-formed bytes stay as they are, and text on both sides of one is normalized apart.
std::string NormalizeNfc(std::string_view text);

}  // namespace espalier
