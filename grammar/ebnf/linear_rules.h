// Rules that recurse at one of their ends only are loops:
//
//   a ::= x a | a y | b      takes the same texts as      a ::= x* b y*
//
// (Arden, "Delayed-logic and finite-state machines", 1961, with a rule on both sides.) This
// is how people and printers of grammars write lists and strings, and as loops they are
// regular if x, b and y are.
#pragma once

#include "grammar/ebnf/rule_set.h"

namespace espalier {

// Rewrites each rule of this form; the others stay. No part stands more than twice in what
// comes out.
void RewriteLinearRules(RuleSet& rules);

}  // namespace espalier
