#include "runtime/cli/next_tokens.h"

#include <algorithm>
#include <numeric>

#include "kernels/math.h"

namespace espalier {

void NextTokens::Set(std::span<const float> logits) {
  const double top = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (const float x : logits) sum += Exp(x - top);
  const double shift = top + Ln(sum);
  logprobs_.resize(logits.size());
  std::transform(logits.begin(), logits.end(), logprobs_.begin(),
                 [&](float x) { return x - shift; });
}

double NextTokens::Entropy() const {
  double sum = 0;
  for (const double p : logprobs_) sum -= Exp(p) * p;
  return sum;
}

std::span<const TokenId> NextTokens::Top(std::size_t count) {
  count = std::min(count, logprobs_.size());
  order_.resize(logprobs_.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::partial_sort(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(count),
                    order_.end(), [&](TokenId a, TokenId b) {
                      return logprob(a) != logprob(b) ? logprob(a) > logprob(b) : a < b;
                    });
  return {order_.data(), count};
}

}  // namespace espalier
