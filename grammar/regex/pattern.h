// Patterns, as people write them, to languages.
//
// Two dialects of one parser:
//   kEcma    `pattern` of JSON Schema: ECMA-262 with the `u` flag; a text matches if the
//            pattern is found anywhere in it.
//   kPython  `regex=` of the APIs: Python's re on str; the whole text must match.
// grammar/regex/README.md lists what each supports and how \d, \w, \s and . are read.
//
// Lazy quantifiers, captures and their names do not change the language. Lookahead,
// lookbehind, \b and anchors are regular: they become And and Not over what follows and
// what came before. Back-references are not regular and are refused by name.
#pragma once

#include <cstdint>
#include <string_view>

#include "grammar/regex/regex_set.h"
#include "grammar/regex/text_regex.h"
#include "kernels/base/status.h"

namespace espalier {

enum class PatternDialect : std::uint8_t { kEcma, kPython };

// The texts that `pattern` matches, spelled as `text` spells them. kInvalidArgument says
// what is wrong and at which code point; kUnsupported names what is not regular or not
// supported; kLimit: too deep or too large. Never kNothing unless no text matches.
Result<RegexId> CompilePattern(std::string_view pattern, PatternDialect dialect, TextRegex& text);

}  // namespace espalier
