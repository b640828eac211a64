// q5_1: 32 elements of 5 bits above a minimum, y = scale * code + min.
#pragma once

#include <cstdint>

#include "kernels/quant/block.h"

namespace espalier {

struct Q5_1Block {
  static constexpr DType kDType = DType::kQ5_1;
  static constexpr int kSize = 32;
  static constexpr int kSubSize = 32;
  static constexpr int kCodeBits = 5;
  static constexpr int kZero = 0;
  static constexpr bool kHasMin = true;

  std::uint16_t scale;        // half
  std::uint16_t min;          // half
  std::uint8_t high_bits[4];  // bit 4 of element j is bit j % 8 of byte j / 8
  std::uint8_t codes[16];     // element j in the low nibble of byte j, j + 16 in the high one

  constexpr float Scale(int /*sub*/) const { return HalfToFloat(scale); }
  constexpr float Min(int /*sub*/) const { return HalfToFloat(min); }
  constexpr int Weight(int i) const {
    return (codes[i % 16] >> (i / 16 * 4) & 15) + 16 * (high_bits[i / 8] >> (i % 8) & 1);
  }
  constexpr void Unpack(std::int8_t* weights) const {
    for (int j = 0; j < 16; ++j) {
      const int bit = high_bits[j / 8] >> (j % 8);
      const int bit_of_upper = high_bits[2 + j / 8] >> (j % 8);
      weights[j] = static_cast<std::int8_t>((codes[j] & 15) + 16 * (bit & 1));
      weights[j + 16] = static_cast<std::int8_t>((codes[j] >> 4) + 16 * (bit_of_upper & 1));
    }
  }
};
static_assert(sizeof(Q5_1Block) == Traits(DType::kQ5_1).block_bytes);

}  // namespace espalier
