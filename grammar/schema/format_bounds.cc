// For formats that are made in part (formats.h says what is left out): languages that leave
// nothing out. What is not in them is certainly no text of the format.
#include "grammar/schema/format_pattern.h"

namespace espalier {

// Leap seconds at any offset.
RegexId TimeBound(TextRegex& text) {
  return text.set().Or(TimeFormat(text),
                       FullMatch(R"([0-9]{2}:[0-9]{2}:60(?:\.[0-9]+)?(?:[zZ]|[+-].*))", text));
}

RegexId DateTimeBound(TextRegex& text) {
  return text.set().Or(DateTimeFormat(text), FullMatch("[0-9-]{10}[tT].{5}:60.*", text));
}

// Labels in Punycode, decodable or not.
RegexId HostnameBound(TextRegex& text) { return FullMatch("[A-Za-z0-9.-]{1,253}", text); }

RegexId IdnHostnameBound(TextRegex& text) { return FullMatch(R"([^\x00-\x20]+)", text); }

RegexId IdnEmailBound(TextRegex& text) { return FullMatch("(?s).+@.+", text); }

RegexId UriTemplateBound(TextRegex& text) { return FullMatch(R"([^\x00-\x20]*)", text); }

RegexId RegexBound(TextRegex& text) { return text.AnyText(); }

}  // namespace espalier
