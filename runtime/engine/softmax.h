// The softmax of one row of logits, in integers.
//
// A token's weight is floor(2^40 * exp((logit - max) / temperature)). Sums of weights
// are exact, so they have no order: a probability, a log-probability, a cut and a
// draw are the same bits however the sum was taken. What is lost are tokens less
// likely than 2^-40 of the likeliest one.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <span>

#include "runtime/engine/request.h"

namespace espalier {

inline constexpr std::uint64_t kWeightOne = std::uint64_t{1} << 40;

// exp(x) for x <= 0, within 3 ulp; below -87: exp(-87). In plain products and sums,
// so that compilers make vectors of it for any machine, and all give the same bits.
float ExpNonPositive(float x);

// weights[i] = the weight of logits[i]. REQUIRES: equal sizes, fewer than 2^23; no NaN;
// max is the largest logit, finite; temperature > 0.
void FillWeights(std::span<const float> logits, float max, float temperature,
                 std::span<std::uint64_t> weights);

// The log-probability of `token`, and the `num_top` likeliest tokens (ties: the lower
// id first): of the model's own distribution, that is log-softmax of its logits before
// penalties, bias, mask and temperature. REQUIRES: no NaN, a finite largest logit.
TokenLogprob LogSoftmax(std::span<const float> logits, TokenId token, int num_top);

// Whether `logits` meet that: no NaN, no +infinity, and one that is finite.
bool AreUsable(std::span<const float> logits);

// The largest logit; -infinity if there is none. REQUIRES: no NaN.
float LargestOf(std::span<const float> logits);

}  // namespace espalier
