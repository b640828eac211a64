// q6_k: 256 elements of 6 bits about zero in 16 sub-blocks of 16,
// y = (scale * s) * (code - 32), with a signed 8-bit s of each sub-block.
#pragma once

#include <cstdint>

#include "kernels/quant/block.h"

namespace espalier {

struct Q6_KBlock {
  static constexpr DType kDType = DType::kQ6_K;
  static constexpr int kSize = 256;
  static constexpr int kSubSize = 16;
  static constexpr int kCodeBits = 6;
  static constexpr int kZero = 32;
  static constexpr bool kHasMin = false;

  // Each half of the block (128 elements) has 64 bytes of low nibbles (elements 0..63 in
  // the low ones, 64..127 in the high ones) and 32 bytes of bits 4 and 5: element j has
  // bits 2 * (j / 32) and up of byte j % 32.
  std::uint8_t low_bits[128];
  std::uint8_t high_bits[64];
  std::int8_t scales[16];
  std::uint16_t scale;  // half

  constexpr float Scale(int sub) const {
    return HalfToFloat(scale) * static_cast<float>(scales[sub]);
  }
  constexpr float Min(int /*sub*/) const { return 0.0f; }
  constexpr int Weight(int i) const {
    const int run = i / 32;  // of 8
    const int low = low_bits[64 * (run / 4) + i % 64] >> (run % 4 / 2 * 4) & 15;
    const int high = high_bits[32 * (run / 4) + i % 32] >> (2 * (run % 4)) & 3;
    return low + 16 * high - kZero;
  }
  constexpr void Unpack(std::int8_t* weights) const {
    for (int run = 0; run < 8; ++run) {
      const std::uint8_t* low = low_bits + 64 * (run / 4) + 32 * (run % 2);
      const std::uint8_t* high = high_bits + 32 * (run / 4);
      const int low_shift = run % 4 < 2 ? 0 : 4;
      const int high_shift = 2 * (run % 4);
      for (int j = 0; j < 32; ++j) {
        const int code = ((low[j] >> low_shift) & 15) + 16 * ((high[j] >> high_shift) & 3);
        weights[32 * run + j] = static_cast<std::int8_t>(code - kZero);
      }
    }
  }
};
static_assert(sizeof(Q6_KBlock) == Traits(DType::kQ6_K).block_bytes);

}  // namespace espalier
