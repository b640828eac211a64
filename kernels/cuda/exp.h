// exp of kernels/math.h for device code: the same polynomial, the same bits.
//
// Thread safety: pure functions.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "kernels/cuda/device.h"

namespace espalier::ESP_DEVICE {

__device__ inline float Exp(float x) {
  if (x != x) return x;
  if (x < -0x1.5d589ep+6f) return 0.0f;  // ln 2^-126
  if (x > 0x1.62e42ep+6f) return std::numeric_limits<float>::infinity();
  const float n = (x * 0x1.715476p+0f + 0x1.8p23f) - 0x1.8p23f;
  float r = fmaf(n, -0x1.62e4p-1f, x);
  r = fmaf(n, -0x1.7f7d1cp-20f, r);
  float sum = 1.0f / 5040;
  sum = fmaf(sum, r, 1.0f / 720);
  sum = fmaf(sum, r, 1.0f / 120);
  sum = fmaf(sum, r, 1.0f / 24);
  sum = fmaf(sum, r, 1.0f / 6);
  sum = fmaf(sum, r, 0.5f);
  sum = fmaf(sum, r, 1.0f);
  sum = fmaf(sum, r, 1.0f);
  const auto bits = std::bit_cast<std::int32_t>(sum);
  return std::bit_cast<float>(bits + static_cast<std::int32_t>(n) * (1 << 23));
}

}  // namespace espalier::ESP_DEVICE
