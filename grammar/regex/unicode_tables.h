// Properties of code points that utf8proc does not know, as the Unicode Character Database
// lists them (Scripts.txt and PropList.txt, version 17).
//
// Thread safety: immutable.
#pragma once

#include <span>
#include <string_view>

#include "grammar/regex/code_point_set.h"

namespace espalier {

struct UnicodeScript {
  std::string_view name, short_name;  // "Latin", "Latn"
  std::span<const CodePointSet::Range> ranges;
};

// The scripts of most living languages.
std::span<const UnicodeScript> UnicodeScripts();

// What Alphabetic, Lowercase and Uppercase hold beyond their general categories.
std::span<const CodePointSet::Range> OtherAlphabetic();
std::span<const CodePointSet::Range> OtherLowercase();
std::span<const CodePointSet::Range> OtherUppercase();

}  // namespace espalier
