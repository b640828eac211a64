// From an automaton to a regex, by eliminating states (Brzozowski, McCluskey, "Signal flow
// graph techniques for sequential circuit state diagrams", 1963).
//
// Thread safety: as RegexSet.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grammar/regex/regex_set.h"

namespace espalier {

// A step from one state to another spells a text of `label`.
struct PathStep {
  std::uint32_t from, to;
  RegexId label;
};

// [num_states]: for each state, what is spelled on the ways from state 0 to it.
// Costs O(num_states^3) terms in the worst case, and few where the steps form few cycles.
// REQUIRES: num_states > 0
std::vector<RegexId> PathLanguages(std::uint32_t num_states, std::span<const PathStep> steps,
                                   RegexSet& set);

}  // namespace espalier
