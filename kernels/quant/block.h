// What a quantized block says, whatever its format. Each format's struct is the block
// as it lies in a GGUF file (little endian) and offers
//
//   kDType, kSize       its row of the dtype table, elements a block
//   kSubSize            elements that share one scale (and one minimum)
//   kZero               what Unpack subtracted: weight + kZero is never negative
//                       (0 for the signed format q8_0)
//   kCodeBits           bits of weight + kZero
//   kHasMin             whether Min is part of the value
//   Unpack(weights)     the integers of all elements
//   Weight(i)           one of them
//   Scale(s), Min(s)    of sub-block s, rounded to float32 once
//
// and its element i is Scale(s) * weight[i] + Min(s), s = i / kSubSize, each operation
// rounded to float32. That is bit for bit what the `gguf` package computes.
#pragma once

#include <bit>
#include <cstdint>

#include "kernels/float16.h"
#include "kernels/tensor.h"

namespace espalier {

static_assert(std::endian::native == std::endian::little, "blocks are little endian");

// Dequantizes one block into out [Block::kSize].
template <typename Block>
void DequantizeBlock(const Block& block, float* out) {
  std::int8_t weights[Block::kSize];
  block.Unpack(weights);
  for (int sub = 0; sub < Block::kSize / Block::kSubSize; ++sub) {
    const float scale = block.Scale(sub);
    const float min = block.Min(sub);
    for (int i = sub * Block::kSubSize; i < (sub + 1) * Block::kSubSize; ++i) {
      out[i] = scale * static_cast<float>(weights[i]);
      if constexpr (Block::kHasMin) out[i] += min;
    }
  }
}

}  // namespace espalier
