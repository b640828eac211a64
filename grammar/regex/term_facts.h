// What follows about a term from its operator and its children: see the fields of Term.
//
// Thread safety: a pure function of the store.
#pragma once

#include <span>

#include "grammar/regex/term_store.h"

namespace espalier {

// Fills the fields of `term` that its shape determines. `children`: of kOr and kAnd.
void FillFacts(const TermStore& store, std::span<const RegexId> children, Term& term);

}  // namespace espalier
