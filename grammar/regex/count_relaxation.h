// Counts in the operands of an And: dropped, and walked down in one jump.
//
// Looked at are operands of the form body{min,max} tail, with nothing before the repeat.
//
// Thread safety: as TermBuilder.
#pragma once

#include "grammar/regex/term_builder.h"

namespace espalier {

// `id` with its large counts made {0,}: a language that contains it. `id` itself if it is
// no And, or has no large count.
RegexId RelaxCounts(TermBuilder& builder, RegexId id);

// REQUIRES: some text leads from `from` to `to`.
// If these differ in counts alone, the text can be walked again, and lowers the counts by
// the same amounts each time: returns a term that some more walks reach, with a language
// that is at most what may follow them, and with some count near zero. Otherwise kNothing.
RegexId RepeatWalk(TermBuilder& builder, RegexId from, RegexId to);

}  // namespace espalier
