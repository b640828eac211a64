// Binary properties of code points that utf8proc does not know (PropList.txt, emoji-data.txt and
// what is derived from them, version 17 of the Unicode Character Database).
//
// Thread safety: immutable.
#pragma once

#include <span>
#include <string_view>

#include "grammar/regex/code_point_set.h"

namespace espalier {

struct BinaryProperty {
  std::string_view name, short_name;  // "Emoji_Modifier", "EMod"
  std::span<const CodePointSet::Range> ranges;
};

std::span<const BinaryProperty> BinaryProperties();

// What Math holds beyond its general category.
std::span<const CodePointSet::Range> OtherMath();

}  // namespace espalier
