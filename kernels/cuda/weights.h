// One element of a weight row, whatever its dtype, for device code: quantized blocks say it
// themselves (kernels/quant/block.h), and floats are blocks of one element here.
//
// Thread safety: pure functions.
#pragma once

#include <bit>
#include <cstdint>

#include "kernels/cuda/device.h"
#include "kernels/float16.h"
#include "kernels/quant/formats.h"

namespace espalier::ESP_DEVICE {

struct F32Element {
  static constexpr int kSize = 1;
  float x;
};
struct F16Element {
  static constexpr int kSize = 1;
  std::uint16_t x;
};
struct BF16Element {
  static constexpr int kSize = 1;
  std::uint16_t x;
};

// Element i of the block, as DequantizeBlock rounds it.
template <typename Block>
__device__ inline float Element(const Block& block, int i) {
  const int sub = i / Block::kSubSize;
  const float scaled = block.Scale(sub) * static_cast<float>(block.Weight(i));
  if constexpr (Block::kHasMin) {
    return scaled + block.Min(sub);
  } else {
    return scaled;
  }
}
__device__ inline float Element(const F32Element& block, int /*i*/) { return block.x; }
__device__ inline float Element(const F16Element& block, int /*i*/) { return ToFloat(block.x); }
__device__ inline float Element(const BF16Element& block, int /*i*/) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(block.x) << 16);
}

// Calls fn.template operator()<Block>() for the dtype's block.
template <typename Fn>
void WithElements(DType dtype, const Fn& fn) {
  if (IsQuantized(dtype)) return WithBlock(dtype, fn);
  if (dtype == DType::kF32) return fn.template operator()<F32Element>();
  if (dtype == DType::kF16) return fn.template operator()<F16Element>();
  fn.template operator()<BF16Element>();
}

template <typename Block>
Global<const Block> BlocksOf(const TensorView& tensor) {
  return {static_cast<const Block*>(tensor.data), tensor.rows * (tensor.columns / Block::kSize)};
}

}  // namespace espalier::ESP_DEVICE
