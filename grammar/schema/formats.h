// Formats: the languages behind the `format` keyword, by the RFCs that draft 2020-12
// names for them.
//
// Each format is a pattern, or a few of them combined. What stays out of a format because
// it is not regular, or would cost more than it is worth:
//   hostname, idn-hostname   labels in Punycode (xn--): whether one decodes to a name that
//                            is allowed is not regular
//   idn-hostname             labels of more than 8 characters beyond ASCII; scripts that
//                            format_idn.cc does not list
//   time, date-time          a leap second at an offset that is not whole half hours
//   regex                    named groups, back-references, groups nested more than two
//                            deep, ranges of a class other than of letters or of digits
//   uri-template             the operators that RFC 6570 reserves
//
// What certainly is no text of these, FormatBound knows.
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

// No text outside of it is of the format: what is asked for where a format must fail. The
// same as FormatRegex where that is exact.
std::optional<RegexId> FormatBound(std::string_view format, TextRegex& text);

// Formats of OpenAPI files that are known and assert nothing here, so that a schema with
// them is accepted where unknown ones are refused (FormatUse::kAssertAll): int32, double, ...
bool IsKnownAnnotation(std::string_view format);

}  // namespace espalier
