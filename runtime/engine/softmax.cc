#include "runtime/engine/softmax.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "kernels/math.h"

namespace espalier {
namespace {

constexpr float kLeast = -87.0f;

inline float AtLeast(float x) { return x < kLeast ? kLeast : x; }

// exp(x) = 2^n * exp(r), r = x - n ln 2 in [-ln 2 / 2, ln 2 / 2] (Cody and Waite 1980),
// exp(r) by its Taylor series. REQUIRES: x in [kLeast, 0].
inline float ExpOf(float x) {
  constexpr float kLog2E = 1.44269504f;
  constexpr float kLn2High = 0.693359375f;  // n * kLn2High is exact
  constexpr float kLn2Low = -2.12194440e-4f;
  constexpr float kRound = 12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer
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

// floor(2^40 * exp(x)), in two halves of 20 bits: a float holds each exactly, and
// conversions to 32 bits are what every machine has vectors for.
inline std::uint64_t Weight(float x) {
  constexpr float kHalf = 1 << 20;
  const float scaled = ExpOf(x) * kHalf;
  const auto high = static_cast<std::int32_t>(scaled);
  const auto low = static_cast<std::int32_t>((scaled - static_cast<float>(high)) * kHalf);
  return std::uint64_t{static_cast<std::uint32_t>(high)} << 20 | static_cast<std::uint32_t>(low);
}

// take(i, weight) for each logit, in order. Exponents first, a block at a time: in one
// loop the compiler makes a branch of the lower bound, and then no vectors.
template <typename Take>
inline void ForEachWeight(std::span<const float> logits, float max, float temperature,
                          const Take& take) {
  std::array<float, 512> x;
  for (std::size_t begin = 0; begin < logits.size(); begin += x.size()) {
    const std::size_t size = std::min(x.size(), logits.size() - begin);
    for (std::size_t i = 0; i < size; ++i) {
      x[i] = AtLeast((logits[begin + i] - max) / temperature);
    }
    for (std::size_t i = 0; i < size; ++i) take(begin + i, Weight(x[i]));
  }
}

std::uint64_t SumOfWeights(std::span<const float> logits, float max) {
  std::uint64_t total = 0;
  ForEachWeight(logits, max, 1.0f, [&](std::size_t, std::uint64_t weight) { total += weight; });
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

float ExpNonPositive(float x) { return ExpOf(AtLeast(x)); }

void FillWeights(std::span<const float> logits, float max, float temperature,
                 std::span<std::uint64_t> weights) {
  ForEachWeight(logits, max, temperature,
                [to = weights.data()](std::size_t i, std::uint64_t weight) { to[i] = weight; });
}

TokenLogprob LogSoftmax(std::span<const float> logits, TokenId token, int num_top) {
  const float max = LargestOf(logits);
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
  int num_wrong = 0;
  int num_finite = 0;
  for (const float logit : logits) {
    num_wrong += logit <= std::numeric_limits<float>::max() ? 0 : 1;  // NaN too
    num_finite += logit >= std::numeric_limits<float>::lowest() ? 1 : 0;
  }
  return num_wrong == 0 && num_finite > 0;
}

float LargestOf(std::span<const float> logits) {
  constexpr std::size_t kLanes = 16;  // so that the compiler makes vectors of them
  std::array<float, kLanes> lanes;
  lanes.fill(-std::numeric_limits<float>::infinity());
  const std::size_t whole = logits.size() / kLanes * kLanes;
  for (std::size_t i = 0; i < whole; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      lanes[lane] = logits[i + lane] > lanes[lane] ? logits[i + lane] : lanes[lane];
    }
  }
  float largest = *std::max_element(lanes.begin(), lanes.end());
  for (const float logit : logits.subspan(whole)) largest = std::max(largest, logit);
  return largest;
}

}  // namespace espalier
