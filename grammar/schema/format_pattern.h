// The makers of the formats that formats.cc lists. A maker answers kNothing when fuel has
// run out.
//
// Thread safety: as TextRegex.
#pragma once

#include <string>
#include <string_view>

#include "grammar/regex/text_regex.h"

namespace espalier {

// All texts that match, by the rules of Python's re.fullmatch.
RegexId FullMatch(std::string_view pattern, TextRegex& text);

RegexId DateFormat(TextRegex& text);
RegexId TimeFormat(TextRegex& text);
RegexId DateTimeFormat(TextRegex& text);
RegexId DurationFormat(TextRegex& text);

// Pieces that hosts, addresses and URIs share, as patterns that can be repeated.
std::string Ipv4Pattern();
std::string Ipv6Pattern();

RegexId Ipv4Format(TextRegex& text);
RegexId Ipv6Format(TextRegex& text);
RegexId HostnameFormat(TextRegex& text);
RegexId IdnHostnameFormat(TextRegex& text);
RegexId EmailFormat(TextRegex& text);
RegexId IdnEmailFormat(TextRegex& text);

RegexId UriFormat(TextRegex& text);
RegexId UriReferenceFormat(TextRegex& text);
RegexId IriFormat(TextRegex& text);
RegexId IriReferenceFormat(TextRegex& text);
RegexId UriTemplateFormat(TextRegex& text);

// format_bounds.cc: languages that hold all texts of a format that is not made exactly.
RegexId TimeBound(TextRegex& text);
RegexId DateTimeBound(TextRegex& text);
RegexId HostnameBound(TextRegex& text);
RegexId IdnHostnameBound(TextRegex& text);
RegexId IdnEmailBound(TextRegex& text);
RegexId UriTemplateBound(TextRegex& text);
RegexId RegexBound(TextRegex& text);

RegexId UuidFormat(TextRegex& text);
RegexId JsonPointerFormat(TextRegex& text);
RegexId RelativeJsonPointerFormat(TextRegex& text);
RegexId RegexFormat(TextRegex& text);

}  // namespace espalier
