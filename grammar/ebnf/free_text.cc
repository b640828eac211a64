#include "grammar/ebnf/free_text.h"

#include <utility>

namespace espalier {

FreeText::FreeText(TokenText& text, Filling filling, Literals literals)
    : text_(text), filling_(filling) {
  excluded_ = text.Literals(literals.excludes);
  std::vector<std::string> all = std::move(literals.stops);
  all.insert(all.end(), literals.excludes.begin(), literals.excludes.end());
  any_ = text.Literals(all);
}

RegexId FreeText::Open() {
  RegexSet& set = text_.text().set();
  const RegexId many = text_.Many(filling_);
  const RegexId found[] = {many, any_, many};
  return set.And(many, set.Not(set.Concat(found)));
}

RegexId FreeText::Until(std::string_view stop) {
  RegexSet& set = text_.text().set();
  const RegexId many = text_.Many(filling_);
  const RegexId more = set.Concat(set.Bytes(ByteSet::All()), RegexSet::kAnything);
  const RegexId found_before[] = {many, any_, more};
  const RegexId languages[] = {
      set.Concat(many, text_.Literal(stop)),
      set.Not(set.Concat(found_before)),
      set.Not(set.Concat(many, excluded_)),
  };
  return set.And(languages);
}

}  // namespace espalier
