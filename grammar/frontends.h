// The front ends: what turns each kind of constraint into a CompiledGrammar. A new
// kind is a function of its own file and its row in frontends.cc.
#pragma once

#include <memory>

#include "grammar/compiled_grammar.h"
#include "grammar/constraint.h"
#include "grammar/limits.h"
#include "grammar/vocabulary.h"
#include "kernels/base/status.h"

namespace espalier {

using CompiledResult = Result<std::shared_ptr<const CompiledGrammar>>;
using FrontEnd = CompiledResult (*)(const ConstraintSpec& spec,
                                    std::shared_ptr<const Vocabulary> vocabulary,
                                    const GrammarLimits& limits);

// kChoice: the output is one of spec.choices, byte for byte. Duplicates count once.
// kInvalidArgument: no choice, an empty one, or one that is not UTF-8. kLimit: too
// many. kUnsupported: one that the vocabulary has no tokens for.
CompiledResult CompileChoice(const ConstraintSpec& spec,
                             std::shared_ptr<const Vocabulary> vocabulary,
                             const GrammarLimits& limits);

}  // namespace espalier
