#include "grammar/tags/free_text.h"

#include <utility>

namespace espalier {

FreeText::FreeText(TextRegex& text, std::vector<std::string> stops,
                   std::vector<std::string> excludes)
    : text_(text) {
  excluded_ = text.Literals(excludes);
  stops.insert(stops.end(), excludes.begin(), excludes.end());
  any_ = text.Literals(stops);
}

RegexId FreeText::Open() {
  RegexSet& set = text_.set();
  const RegexId found[] = {text_.AnyText(), any_, text_.AnyText()};
  return text_.Not(set.Concat(found));
}

RegexId FreeText::Until(std::string_view stop) {
  RegexSet& set = text_.set();
  const RegexId more = set.Repeat(text_.AnyChar(), 1, RegexSet::kUnbounded);
  const RegexId found_before[] = {text_.AnyText(), any_, more};
  const RegexId languages[] = {
      set.Concat(text_.AnyText(), text_.Literal(stop)),
      set.Not(set.Concat(found_before)),
      set.Not(set.Concat(text_.AnyText(), excluded_)),
  };
  return set.And(languages);
}

}  // namespace espalier
