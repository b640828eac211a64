// From a pattern with assertions to a regex, exactly.
//
// What an assertion means depends on the text around it, so the graph of the pattern is
// walked together with a TextTracker: a place is a node and a state of the tracker. Each
// piece between two nodes is cut by where its texts take the tracker: piece And the texts
// that lead from this state to that one. Then
//   - a lookbehind is decided by the state;
//   - a lookahead is And with the language of all that follows. Within a loop that language
//     cannot be written down yet; there the open lookaheads are part of the state, and are
//     met by And where the loop is left;
//   - a loop is solved as an automaton (PathLanguages).
// Pieces stay whole, so a count within one keeps its cost, whatever surrounds it.
//
// Thread safety: as RegexSet.
#pragma once

#include "grammar/regex/assertion_graph.h"
#include "grammar/regex/regex_set.h"
#include "kernels/base/status.h"

namespace espalier {

// The whole texts in which the part matches. Errors as MakeAssertionProgram, and kLimit if
// the assertions need too many places.
Result<RegexId> LowerPart(const AssertionSource& source, const PatternPart& part);

}  // namespace espalier
