// q5_0: 32 elements of 5 bits about zero, y = scale * (code - 16).
#pragma once

#include <cstdint>

#include "kernels/quant/block.h"

namespace espalier {

struct Q5_0Block {
  static constexpr DType kDType = DType::kQ5_0;
  static constexpr int kSize = 32;
  static constexpr int kSubSize = 32;
  static constexpr int kCodeBits = 5;
  static constexpr int kZero = 16;
  static constexpr bool kHasMin = false;

  std::uint16_t scale;        // half
  std::uint8_t high_bits[4];  // bit 4 of element j is bit j % 8 of byte j / 8
  std::uint8_t codes[16];     // element j in the low nibble of byte j, j + 16 in the high one

  constexpr float Scale(int /*sub*/) const { return HalfToFloat(scale); }
  constexpr float Min(int /*sub*/) const { return 0.0f; }
  constexpr int Weight(int i) const {
    return (codes[i % 16] >> (i / 16 * 4) & 15) + 16 * (high_bits[i / 8] >> (i % 8) & 1) - kZero;
  }
  constexpr void Unpack(std::int8_t* weights) const {
    for (int j = 0; j < 16; ++j) {
      const int bit = high_bits[j / 8] >> (j % 8);
      const int bit_of_upper = high_bits[2 + j / 8] >> (j % 8);
      weights[j] = static_cast<std::int8_t>((codes[j] & 15) + 16 * (bit & 1) - kZero);
      weights[j + 16] = static_cast<std::int8_t>((codes[j] >> 4) + 16 * (bit_of_upper & 1) - kZero);
    }
  }
};
static_assert(sizeof(Q5_0Block) == Traits(DType::kQ5_0).block_bytes);

}  // namespace espalier
