// q8_0: 32 elements of 8 signed bits, y = scale * code.
#pragma once

#include <cstdint>

#include "kernels/quant/block.h"

namespace espalier {

struct Q8_0Block {
  static constexpr DType kDType = DType::kQ8_0;
  static constexpr int kSize = 32;
  static constexpr int kSubSize = 32;
  static constexpr int kCodeBits = 8;
  static constexpr int kZero = 0;
  static constexpr bool kHasMin = false;

  std::uint16_t scale;  // half
  std::int8_t codes[32];

  constexpr float Scale(int /*sub*/) const { return HalfToFloat(scale); }
  constexpr float Min(int /*sub*/) const { return 0.0f; }
  constexpr int Weight(int i) const { return codes[i]; }
  constexpr void Unpack(std::int8_t* weights) const {
    for (int j = 0; j < kSize; ++j) weights[j] = codes[j];
  }
};
static_assert(sizeof(Q8_0Block) == Traits(DType::kQ8_0).block_bytes);

}  // namespace espalier
