#include "runtime/engine/softmax.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "kernels/math.h"

namespace espalier {
namespace {

// exp(x) = 2^n * exp(r), r = x - n ln 2 in [-ln 2 / 2, ln 2 / 2] (Cody and Waite 1980),
// exp(r) by its Taylor series.
inline float ExpOf(float x) {
  constexpr float kLog2E = 1.44269504f;
  constexpr float kLn2High = 0.693359375f;  // n * kLn2High is exact
  constexpr float kLn2Low = -2.12194440e-4f;
  constexpr float kRound = 12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer
  x = x < -87.0f ? -87.0f : x;
  const float shifted = x * kLog2E + kRound;
  const float n = shifted - kRound;
  const float r = (x - n * kLn2High) - n * kLn2Low;
  float y = 1.0f / 5040;
  y = y * r + 1.0f / 720;
  y = y * r + 1.0f / 120;
  y = y * r + 1.0f / 24;
  y = y * r + 1.0f / 6;
  y = y * r + 0.5f;
  y = y * r * r + r + 1.0f;
  const std::int32_t power =
      std::bit_cast<std::int32_t>(shifted) - std::bit_cast<std::int32_t>(kRound);
  return std::bit_cast<float>(std::bit_cast<std::int32_t>(y) + power * (1 << 23));
}

inline std::uint64_t Weight(float logit, float max, float temperature) {
  const float scale = static_cast<float>(kWeightOne);
  return static_cast<std::uint64_t>(
      static_cast<std::int64_t>(ExpOf((logit - max) / temperature) * scale));
}

std::uint64_t SumOfWeights(std::span<const float> logits, float max) {
  std::uint64_t total = 0;
  for (const float logit : logits) total += Weight(logit, max, 1.0f);
  return total;
}

// The num_top largest logits in order: a sorted list that each larger one enters.
std::vector<std::pair<TokenId, float>> Largest(std::span<const float> logits, int num_top) {
  std::vector<std::pair<TokenId, float>> top;
  const std::size_t most = std::min(static_cast<std::size_t>(num_top), logits.size());
  top.reserve(most + 1);
  for (std::size_t i = 0; i < logits.size() && most > 0; ++i) {
    if (top.size() == most && !(logits[i] > top.back().second)) continue;
    const auto at = std::upper_bound(
        top.begin(), top.end(), logits[i],
        [](float logit, const std::pair<TokenId, float>& entry) { return logit > entry.second; });
    top.insert(at, {static_cast<TokenId>(i), logits[i]});
    if (top.size() > most) top.pop_back();
  }
  return top;
}

}  // namespace

float ExpNonPositive(float x) { return ExpOf(x); }

std::uint64_t FillWeights(std::span<const float> logits, float max, float temperature,
                          std::span<std::uint64_t> weights) {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    weights[i] = Weight(logits[i], max, temperature);
    total += weights[i];
  }
  return total;
}

TokenLogprob LogSoftmax(std::span<const float> logits, TokenId token, int num_top) {
  const float max = *std::max_element(logits.begin(), logits.end());
  const double share = static_cast<double>(SumOfWeights(logits, max)) / double{kWeightOne};
  const double log_sum = Ln(share);
  const auto logprob = [&](float logit) {
    return static_cast<float>((double{logit} - double{max}) - log_sum);
  };
  TokenLogprob result;
  result.token = token;
  result.logprob = logprob(logits[static_cast<std::size_t>(token)]);
  result.top = Largest(logits, num_top);
  for (auto& [id, value] : result.top) value = logprob(value);
  return result;
}

bool AreUsable(std::span<const float> logits) {
  bool usable = true;
  float max = -std::numeric_limits<float>::infinity();
  for (const float logit : logits) {
    usable &= logit <= std::numeric_limits<float>::max();  // false for NaN too
    max = logit > max ? logit : max;
  }
  return usable && max >= std::numeric_limits<float>::lowest();
}

}  // namespace espalier
