// q4_1: 32 elements of 4 bits above a minimum, y = scale * code + min.
#pragma once

#include <cstdint>

#include "kernels/quant/block.h"

namespace espalier {

struct Q4_1Block {
  static constexpr DType kDType = DType::kQ4_1;
  static constexpr int kSize = 32;
  static constexpr int kSubSize = 32;
  static constexpr int kCodeBits = 4;
  static constexpr int kZero = 0;
  static constexpr bool kHasMin = true;

  std::uint16_t scale;     // half
  std::uint16_t min;       // half
  std::uint8_t codes[16];  // element j in the low nibble of byte j, j + 16 in the high one

  constexpr float Scale(int /*sub*/) const { return HalfToFloat(scale); }
  constexpr float Min(int /*sub*/) const { return HalfToFloat(min); }
  constexpr int Weight(int i) const { return codes[i % 16] >> (i / 16 * 4) & 15; }
  constexpr void Unpack(std::int8_t* weights) const {
    for (int j = 0; j < 16; ++j) {
      weights[j] = static_cast<std::int8_t>(codes[j] & 15);
      weights[j + 16] = static_cast<std::int8_t>(codes[j] >> 4);
    }
  }
};
static_assert(sizeof(Q4_1Block) == Traits(DType::kQ4_1).block_bytes);

}  // namespace espalier
