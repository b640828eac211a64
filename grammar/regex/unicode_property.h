// Sets of code points by the names that patterns give them: \p{...} and \d, \w, \s.
// Categories are utf8proc's; scripts are those of unicode_tables.h, other properties those of
// unicode_binary.h.
//
// Thread safety: any thread; what is cached never changes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "grammar/regex/code_point_set.h"

namespace espalier {

// The set of \p{expression}: a general category ("Lu", "Uppercase_Letter", "L", "gc=Lu"), a
// script ("Script=Greek", "sc=Grek") or a binary property ("Alphabetic"), spelled exactly as
// ECMA-262 spells them. Nothing if the name is unknown.
std::optional<CodePointSet> UnicodeProperty(std::string_view expression);

// kAscii: \d and \w are ASCII, \s is ASCII too: Python's (?a).
// kUnicode: as Python reads them for str.
// kEcma: \d and \w are ASCII, \s is all white space and line ends of ECMA-262.
enum class ClassStyle : std::uint8_t { kAscii, kUnicode, kEcma };

CodePointSet DigitChars(ClassStyle style);
CodePointSet WordChars(ClassStyle style);
CodePointSet SpaceChars(ClassStyle style);

}  // namespace espalier
