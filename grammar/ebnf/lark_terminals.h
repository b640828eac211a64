// What Lark grammars say of single terminals: literals and patterns with flags, and the
// terminals of its library `common`.
//
// Thread safety: as TextRegex.
#pragma once

#include <string>
#include <string_view>

#include "grammar/regex/text_regex.h"
#include "kernels/base/status.h"

namespace espalier {

// The pattern, in Python's dialect, of a terminal of `common`; empty if it has none such.
std::string_view CommonTerminal(std::string_view name);
std::string CommonTerminalNames();  // separated by ", "

// /pattern/flags: the whole terminal matches. Look-around sees no further than its ends.
Result<RegexId> CompileLarkPattern(std::string_view pattern, std::string_view flags,
                                   TextRegex& regexes);

// "text"i
RegexId LiteralInAnyCase(std::string_view utf8, TextRegex& regexes);

}  // namespace espalier
