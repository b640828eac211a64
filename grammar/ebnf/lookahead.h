// Lookahead assertions: what follows a rule must begin with ...
//
// The text behind the assertion is all the rest of the output, whoever wrote it, so the
// grammar is compiled from its end: each part is given the regex of everything behind it,
// and an assertion intersects that. This is exact, and takes a grammar without recursion.
#pragma once

#include <string_view>

#include "grammar/ebnf/rule_set.h"
#include "grammar/fuel.h"
#include "grammar/regex/regex_set.h"
#include "kernels/base/status.h"

namespace espalier {

// Replaces the body of the start by its regex. kUnsupported where a rule recurses or an
// assertion stands in a repeat without bound; kLimit if that takes too much work.
Status ResolveLookahead(ParsedGrammar& grammar, std::string_view text, RegexSet& set, Fuel& fuel);

}  // namespace espalier
