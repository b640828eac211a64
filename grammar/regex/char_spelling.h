// How one code point is spelled in bytes, as a byte regex.
//
// A spelling is a row of digits: UTF-8 is a lead byte and groups of six bits, \uXXXX is
// four hex digits, a surrogate pair is six of them with fixed bytes between. So a set of
// code points is a trie of digits, and digits with the same rest share an edge: the term
// is the smallest automaton, however many ranges the set has.
//
// Thread safety: as RegexSet.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "grammar/regex/regex_set.h"

namespace espalier {

// kJsonString: the inside of a JSON string, in every way that JSON has. kJsonStringShortest:
// each code point in one way, by itself where it may stand so, else as \n and its like, else
// as \u00XX.
enum class Spelling : std::uint8_t { kUtf8, kJsonString, kJsonStringShortest };

// The code points first .. last, and the language of what stands behind one of them.
struct CharBranch {
  char32_t first, last;
  RegexId rest;
};

// The spellings of a code point of the branches, each followed by its branch's rest.
// Surrogates have none. REQUIRES: the branches are sorted and disjoint.
RegexId SpellBranches(std::span<const CharBranch> branches, Spelling spelling, RegexSet& set);

// The shortest spelling. REQUIRES: `code_point` is no surrogate.
std::string SpellShortest(char32_t code_point, Spelling spelling);

}  // namespace espalier
