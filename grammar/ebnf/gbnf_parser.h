// Reads GBNF, the notation of llama.cpp and xgrammar:
//
//   root ::= item ("," item)*      # a comment
//   item ::= "a" | [^\n"]{1,20} | .
//
// A rule ends where the next name with ::= begins, so it may span lines in any way. A
// character class and `.` stand for one Unicode character. A rule may end in a lookahead
// assertion, (= ...): what follows the rule must begin with that. Tokens are written <name> and
// <[id]> (token_reference.h). Names of engines' own macros are refused by name.
#pragma once

#include <string_view>

#include "grammar/ebnf/rule_set.h"
#include "grammar/ebnf/token_text.h"
#include "kernels/base/status.h"

namespace espalier {

// REQUIRES: `text` is valid UTF-8
Result<ParsedGrammar> ParseGbnf(std::string_view text, TokenText& tokens);

}  // namespace espalier
