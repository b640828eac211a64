// Simple case folding (Unicode, section 3.13, default caseless matching with the C and S
// mappings): which code points differ in case only. It is the closure of the simple upper,
// lower and title case mappings, but for dotted and dotless i, which fold to nothing else.
//
// Thread safety: any thread; the table is made at the first call and never changes.
#pragma once

#include <vector>

namespace espalier {

// The code points that differ from a member of first .. last in case only, in any order;
// members themselves may be among them, and one may stand there twice.
std::vector<char32_t> CaseVariants(char32_t first, char32_t last);

}  // namespace espalier
