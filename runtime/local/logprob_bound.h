// How many log-probabilities an answer may have: they cost far more memory than what asks for
// them.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>

#include "kernels/base/status.h"
#include "runtime/engine/request.h"

namespace espalier {

// Those of the answer to `request`, if no output ends early, in a context of that length.
std::int64_t MostLogprobs(const GenerateRequest& request, std::int32_t context_length);

// kLimit if `num_logprobs` are more than are given at once.
Status CheckNumLogprobs(std::int64_t num_logprobs);

}  // namespace espalier
