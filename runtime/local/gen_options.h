// From a program's gen options to a request's sampling parameters and constraint.
//
// Thread safety: pure functions.
#pragma once

#include "frontend_lang/backend.h"
#include "grammar/constraint.h"
#include "runtime/engine/sampling_params.h"

namespace espalier {

// By the option table: kInvalidArgument names the option that is out of range.
Result<SamplingParams> ToSamplingParams(const GenOptions& options);

// What its output must look like; kNone: anything.
ConstraintSpec ToConstraint(const GenOptions& options);

}  // namespace espalier
