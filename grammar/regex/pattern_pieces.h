// The parts of a pattern that hold no assertion, as languages of texts.
//
// Thread safety: as RegexSet.
#pragma once

#include <vector>

#include "grammar/regex/pattern_tree.h"
#include "grammar/regex/text_regex.h"

namespace espalier {

// [nodes of the tree]: the texts of each node that holds no assertion; kNothing for others.
std::vector<RegexId> LowerPieces(const PatternTree& tree, TextRegex& text);

}  // namespace espalier
