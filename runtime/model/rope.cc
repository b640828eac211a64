#include "runtime/model/rope.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/math.h"

namespace espalier {
namespace {

// The pair that turns `rotations` times over the original context.
double PairOfRotations(const RopeConfig& config, double rotations) {
  const double context = static_cast<double>(config.original_context_length);
  return config.rotary_dim * Ln(context / (rotations * 2 * std::numbers::pi)) /
         (2 * Ln(config.freq_base));
}

// 1 for pairs that keep their frequency, 0 for those that are interpolated.
double KeptShare(const RopeConfig& config, double pair) {
  const double low = std::max(0.0, std::floor(PairOfRotations(config, config.beta_fast)));
  const double high =
      std::min(config.rotary_dim - 1.0, std::ceil(PairOfRotations(config, config.beta_slow)));
  return 1.0 - std::clamp((pair - low) / std::max(0.001, high - low), 0.0, 1.0);
}

double ScaledFrequency(const RopeConfig& config, double frequency, double pair) {
  switch (config.scaling) {
    case RopeScaling::kNone: return frequency;
    case RopeScaling::kLinear: return frequency / config.factor;
    case RopeScaling::kYarn: break;
  }
  const double kept = KeptShare(config, pair);
  return frequency * kept + frequency / config.factor * (1.0 - kept);
}

}  // namespace

RopeAngles::RopeAngles(const RopeConfig& config, std::span<const float> factors) {
  for (int i = 0; i < config.rotary_dim / 2; ++i) {
    double frequency = Pow(config.freq_base, -2.0 * i / config.rotary_dim);
    if (!factors.empty()) frequency /= static_cast<double>(factors[static_cast<std::size_t>(i)]);
    frequencies_.push_back(ScaledFrequency(config, frequency, i));
  }
  if (config.scaling == RopeScaling::kYarn) {
    magnitude_ = config.attention_factor * (1.0 + 0.1 * Ln(config.factor));
  }
}

void RopeAngles::Fill(std::span<const std::int32_t> positions, float* cos, float* sin) const {
  for (const std::int32_t position : positions) {
    for (const double frequency : frequencies_) {
      const double angle = position * frequency;
      *cos++ = static_cast<float>(Cos(angle) * magnitude_);
      *sin++ = static_cast<float>(Sin(angle) * magnitude_);
    }
  }
}

}  // namespace espalier
