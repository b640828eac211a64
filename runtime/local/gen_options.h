// From a program's gen options to a request's sampling parameters and constraint.
//
// Thread safety: pure functions.
#pragma once

#include <memory>

#include "frontend_lang/backend.h"
#include "grammar/matcher.h"
#include "runtime/engine/sampling_params.h"

namespace espalier {

// By the option table: kInvalidArgument names the option that is out of range.
Result<SamplingParams> ToSamplingParams(const GenOptions& options);

// The constraint, compiled; null if there is none.
Result<std::shared_ptr<const CompiledGrammar>> CompileConstraint(
    const GenOptions& options, std::shared_ptr<const Vocabulary> vocabulary);

}  // namespace espalier
