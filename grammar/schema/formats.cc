#include "grammar/schema/formats.h"

#include <algorithm>

#include "grammar/regex/pattern.h"
#include "grammar/schema/format_pattern.h"

namespace espalier {
namespace {

struct Format {
  std::string_view name;
  RegexId (*make)(TextRegex& text);
  RegexId (*bound)(TextRegex& text) = nullptr;  // null: `make` is exact
};

constexpr Format kFormats[] = {
    {"date", DateFormat},
    {"date-time", DateTimeFormat, DateTimeBound},
    {"duration", DurationFormat},
    {"email", EmailFormat},
    {"hostname", HostnameFormat, HostnameBound},
    {"idn-email", IdnEmailFormat, IdnEmailBound},
    {"idn-hostname", IdnHostnameFormat, IdnHostnameBound},
    {"ipv4", Ipv4Format},
    {"ipv6", Ipv6Format},
    {"iri", IriFormat},
    {"iri-reference", IriReferenceFormat},
    {"json-pointer", JsonPointerFormat},
    {"regex", RegexFormat, RegexBound},
    {"relative-json-pointer", RelativeJsonPointerFormat},
    {"time", TimeFormat, TimeBound},
    {"uri", UriFormat},
    {"uri-reference", UriReferenceFormat},
    {"uri-template", UriTemplateFormat, UriTemplateBound},
    {"uuid", UuidFormat},
    // Draft 3.
    {"host-name", HostnameFormat, HostnameBound},
    {"ip-address", Ipv4Format},
};

constexpr std::string_view kAnnotations[] = {
    "int32", "int64", "float", "double", "byte", "binary", "password", "url", "utc-millisec",
};

}  // namespace

RegexId FullMatch(std::string_view pattern, TextRegex& text) {
  const Result<RegexId> regex = CompilePattern(pattern, PatternDialect::kPython, text);
  return regex.ok() ? *regex : RegexSet::kNothing;
}

std::optional<RegexId> FormatRegex(std::string_view format, TextRegex& text) {
  const auto* found = std::ranges::find(kFormats, format, &Format::name);
  if (found == std::end(kFormats)) return {};
  return found->make(text);
}

std::optional<RegexId> FormatBound(std::string_view format, TextRegex& text) {
  const auto* found = std::ranges::find(kFormats, format, &Format::name);
  if (found == std::end(kFormats)) return {};
  return found->bound != nullptr ? found->bound(text) : found->make(text);
}

bool IsKnownAnnotation(std::string_view format) {
  return std::ranges::find(kAnnotations, format) != std::end(kAnnotations);
}

}  // namespace espalier
