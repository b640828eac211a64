// Formats: the languages behind the `format` keyword, by the RFCs that draft 2020-12
// names for them.
//
// Thread safety: as TextRegex.
#pragma once

#include <optional>
#include <string_view>

#include "grammar/regex/text_regex.h"

namespace espalier {

// The texts of a format. Empty: no such format, or one that says nothing about strings
// (int32, float, ...): an annotation. Where a format cannot be expressed exactly, the
// language is a part of it, never more.
std::optional<RegexId> FormatRegex(std::string_view format, TextRegex& text);

// Formats of OpenAPI files that are known and assert nothing here: int32, double, ...
bool IsKnownAnnotation(std::string_view format);

}  // namespace espalier
