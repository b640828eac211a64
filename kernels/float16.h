// IEEE half and bfloat16 as plain integers, converted without hardware support.
//
// Widening is exact; narrowing rounds to nearest, ties to even, and overflows to
// infinity. A NaN stays a NaN (quiet, its upper payload bits kept), as the F16C
// instructions do.
//
// constexpr also lets nvcc take them, and the formats of kernels/quant/, for device code.
//
// Thread safety: pure functions.
#pragma once

#include <bit>
#include <cstdint>

namespace espalier {

constexpr float HalfToFloat(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000) << 16;
  const std::uint32_t magnitude = half & 0x7fff;
  if (magnitude >= 0x7c00) {  // infinity or NaN
    const std::uint32_t quiet = magnitude > 0x7c00 ? 0x00400000u : 0u;
    return std::bit_cast<float>(sign | 0x7f800000u | quiet | ((magnitude & 0x3ff) << 13));
  }
  if (magnitude >= 0x400) return std::bit_cast<float>(sign | ((magnitude << 13) + (112u << 23)));
  const float subnormal = static_cast<float>(magnitude) * 0x1p-24f;  // exact
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(subnormal));
}

constexpr std::uint16_t FloatToHalf(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000;
  const std::uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) {
    return static_cast<std::uint16_t>(sign | 0x7e00 | ((magnitude >> 13) & 0x3ff));
  }
  if (magnitude >= 0x47800000) return static_cast<std::uint16_t>(sign | 0x7c00);
  if (magnitude < 0x38800000) {
    // Below the normal halves: adding 0.5 leaves the half's bits, rounded, at the end of
    // the mantissa.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) & 0x7fff));
  }
  const std::uint32_t rounded = magnitude + 0xfff + ((magnitude >> 13) & 1);
  return static_cast<std::uint16_t>(sign | ((rounded - (112u << 23)) >> 13));
}

constexpr float Bfloat16ToFloat(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

}  // namespace espalier
