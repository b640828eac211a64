// q4_0: 32 elements of 4 bits about zero, y = scale * (code - 8).
#pragma once

#include <cstdint>

#include "kernels/quant/block.h"

namespace espalier {

struct Q4_0Block {
  static constexpr DType kDType = DType::kQ4_0;
  static constexpr int kSize = 32;
  static constexpr int kSubSize = 32;
  static constexpr int kCodeBits = 4;
  static constexpr int kZero = 8;
  static constexpr bool kHasMin = false;

  std::uint16_t scale;     // half
  std::uint8_t codes[16];  // element j in the low nibble of byte j, j + 16 in the high one

  constexpr float Scale(int /*sub*/) const { return HalfToFloat(scale); }
  constexpr float Min(int /*sub*/) const { return 0.0f; }
  constexpr int Weight(int i) const { return (codes[i % 16] >> (i / 16 * 4) & 15) - kZero; }
  constexpr void Unpack(std::int8_t* weights) const {
    for (int j = 0; j < 16; ++j) {
      weights[j] = static_cast<std::int8_t>((codes[j] & 15) - kZero);
      weights[j + 16] = static_cast<std::int8_t>((codes[j] >> 4) - kZero);
    }
  }
};
static_assert(sizeof(Q4_0Block) == Traits(DType::kQ4_0).block_bytes);

}  // namespace espalier
