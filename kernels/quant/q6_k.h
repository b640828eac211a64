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

  float Scale(int sub) const { return HalfToFloat(scale) * static_cast<float>(scales[sub]); }
  float Min(int /*sub*/) const { return 0.0f; }
  void Unpack(std::int8_t* weights) const {
    for (int i = 0; i < kSize; ++i) {
      const int half = i / 128;
      const int j = i % 128;
      const int byte = low_bits[64 * half + j % 64];
      const int low = j < 64 ? byte & 15 : byte >> 4;
      const int high = (high_bits[32 * half + j % 32] >> (2 * (j / 32))) & 3;
      weights[i] = static_cast<std::int8_t>(low + 16 * high - kZero);
    }
  }
};
static_assert(sizeof(Q6_KBlock) == Info(DType::kQ6_K).block_bytes);

}  // namespace espalier
