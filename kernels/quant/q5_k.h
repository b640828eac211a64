// q5_k: 256 elements of 5 bits in 8 sub-blocks of 32,
// y = (scale * s) * code - min * m, with 6-bit s and m of each sub-block.
#pragma once

#include <cstdint>

#include "kernels/quant/block.h"
#include "kernels/quant/k_scales.h"

namespace espalier {

struct Q5_KBlock {
  static constexpr DType kDType = DType::kQ5_K;
  static constexpr int kSize = 256;
  static constexpr int kSubSize = 32;
  static constexpr int kCodeBits = 5;
  static constexpr int kZero = 0;
  static constexpr bool kHasMin = true;

  std::uint16_t scale;         // half
  std::uint16_t min;           // half
  std::uint8_t scales[12];     // see k_scales.h
  std::uint8_t high_bits[32];  // bit 4 of element j of sub-block s is bit s of byte j
  std::uint8_t codes[128];     // 32 bytes hold two sub-blocks: low nibbles, then high ones

  constexpr float Scale(int sub) const {
    return HalfToFloat(scale) * static_cast<float>(KScale(scales, sub));
  }
  constexpr float Min(int sub) const {
    return -(HalfToFloat(min) * static_cast<float>(KMin(scales, sub)));
  }
  constexpr int Weight(int i) const {
    const int low = codes[32 * (i / 64) + i % 32] >> (i / 32 % 2 * 4) & 15;
    return low + 16 * (high_bits[i % 32] >> (i / 32) & 1);
  }
  constexpr void Unpack(std::int8_t* weights) const {
    for (int pair = 0; pair < 4; ++pair) {
      for (int j = 0; j < 32; ++j) {
        const int byte = codes[32 * pair + j];
        const int high = high_bits[j] >> (2 * pair);
        weights[64 * pair + j] = static_cast<std::int8_t>((byte & 15) + 16 * (high & 1));
        weights[64 * pair + 32 + j] = static_cast<std::int8_t>((byte >> 4) + 8 * (high & 2));
      }
    }
  }
};
static_assert(sizeof(Q5_KBlock) == Traits(DType::kQ5_K).block_bytes);

}  // namespace espalier
