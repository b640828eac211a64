// The parser of both dialects: a pattern's text to its tree.
//
// Thread safety: any thread.
#pragma once

#include <cstddef>
#include <string_view>

#include "grammar/regex/pattern.h"
#include "grammar/regex/pattern_tree.h"
#include "kernels/base/status.h"

namespace espalier {

// Characters of a pattern, and groups within groups.
inline constexpr std::size_t kMaxPatternChars = 65'536;
inline constexpr std::size_t kMaxPatternDepth = 1'000;

struct ParsedPattern {
  PatternTree tree;
  PatternNodeId root;  // what is written; the text around a match is not in it
};

// Errors as CompilePattern.
Result<ParsedPattern> ParsePattern(std::string_view pattern, PatternDialect dialect);

}  // namespace espalier
