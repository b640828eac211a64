// Languages of Unicode text, lowered to languages of bytes.
//
// A text is a sequence of code points (no surrogates). Its spelling depends on where it
// stands: as UTF-8, or as the inside of a JSON string, where a code point has several
// spellings: itself, a short escape (\n), \uXXXX with hex digits of either case, or a pair
// of them. With kJsonString all of them are in the language, so a constraint holds for the
// text and not for one way to write it; kJsonStringShortest has one for each. Control characters,
// the quotation mark and the backslash are spelled by escapes only.
//
// Spelling is an inverse image, so it commutes with Or and And; the complement is taken
// within AnyText (TextNot). No spelling of a code point begins another one, so texts are
// cut into code points in one way only.
//
// Thread safety: as RegexSet.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/regex/char_spelling.h"
#include "grammar/regex/code_point_set.h"
#include "grammar/regex/regex_set.h"

namespace espalier {

class TextRegex {
 public:
  // `set` must outlive this object.
  TextRegex(RegexSet& set, Spelling spelling) : set_(set), spelling_(spelling) {}

  RegexSet& set() { return set_; }
  Spelling spelling() const { return spelling_; }

  RegexId Char(const CodePointSet& chars);               // one code point of the set
  RegexId AnyChar();                                     // any code point
  RegexId AnyText();                                     // any text
  RegexId Length(std::uint32_t min, std::uint32_t max);  // in code points
  RegexId Literal(std::string_view utf8);                // REQUIRES: valid UTF-8
  // As one trie, so many texts cost little. REQUIRES: valid UTF-8
  RegexId Literals(const std::vector<std::string>& utf8);
  RegexId Not(RegexId regex);  // the texts that `regex` does not spell

  // What may follow a code point of a language of texts. REQUIRES: no surrogate
  RegexId Derive(RegexId regex, char32_t code_point);

 private:
  RegexId LiteralTrie(std::vector<std::u32string> texts);

  RegexSet& set_;
  const Spelling spelling_;
  RegexId any_char_ = RegexSet::kNothing, any_text_ = RegexSet::kNothing;  // kNothing: not made
  std::map<std::vector<CodePointSet::Range>, RegexId> chars_;              // what Char has made
};

}  // namespace espalier
