// CharClass: the members of a [set], or of \d \s \w outside one, written for PCRE2.
//
// Everything is spelled out in code points and general categories, so that a class
// means what Python means by it, whatever PCRE2's own \w and \s are.
//
// Thread safety: thread-compatible.
#pragma once

#include <string>
#include <string_view>

namespace espalier::script::regex {

// How letters compare.
enum class Casing : unsigned char {
  kExact,
  kFolded,       // PCRE2 folds by Unicode
  kFoldedAscii,  // only A-Z and a-z are alike: written out here
};

class CharClass {
 public:
  CharClass(Casing casing, bool ascii) : casing_(casing), ascii_(ascii) {}

  void Add(char32_t c) { AddRange(c, c); }
  void AddRange(char32_t low, char32_t high);
  void AddCategory(char32_t letter);  // one of d D s S w W
  void Negate() { negated_ = true; }

  std::string Pattern() const;  // one atom of PCRE2's syntax

 private:
  Casing casing_;
  bool ascii_;
  bool negated_ = false;
  std::string members_;             // between [ and ]
  std::string_view non_word_ = {};  // \W beside the members, which no [set] can say
};

// \b and \B.
std::string WordBoundary(bool ascii);
std::string NoWordBoundary(bool ascii);

// One character, as an atom.
std::string LiteralPattern(char32_t c, Casing casing);

}  // namespace espalier::script::regex
