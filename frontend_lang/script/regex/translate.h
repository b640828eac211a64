// Translate: a regular expression in Python's syntax -> one in PCRE2's that matches
// the same, or the problem with Python's words and position.
//
// It follows the grammar of CPython 3.11's sre_parse. What the two engines read or mean
// differently is spelled out: $ and \Z, \w \s \d \b, sets, {,n}, global flags, names of
// groups (here: numbers), case folding of i. The output calls back (PCRE2's callouts) at
// each place where a match may begin and in each round of a repeated group, so that
// whoever matches can count the work.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "frontend_lang/script/regex/pattern_source.h"

namespace espalier::script::regex {

// Python's numbers for the flags.
enum Flag : int {
  kIgnoreCase = 2,
  kLocale = 4,
  kMultiline = 8,
  kDotAll = 16,
  kUnicode = 32,
  kVerbose = 64,
  kDebug = 128,
  kAscii = 256,
};

struct Translation {
  std::string pattern;  // for PCRE2_UTF | PCRE2_DOTALL
  int flags = 0;        // with those of the pattern, and kUnicode unless kAscii
  int num_groups = 0;
  std::vector<std::pair<std::string, int>> names;  // of groups, in order
  std::vector<int> close_order;  // groups in the order of their closing parentheses
};

std::variant<Translation, Problem> Translate(std::string_view pattern, int flags);

}  // namespace espalier::script::regex
