// Random weights of any dtype, and random vectors, for the tests of kernels.
#pragma once

#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "kernels/float16.h"
#include "kernels/tensor.h"

namespace espalier::test {

inline std::vector<float> RandomFloats(std::size_t size, unsigned seed, float deviation = 1) {
  std::mt19937 rng(seed);
  std::normal_distribution<float> normal(0, deviation);
  std::vector<float> values(size);
  for (float& v : values) v = normal(rng);
  return values;
}

// Where the halves of a block lie; -1: none.
struct HalvesOfBlock {
  int first;
  int second;
};
inline HalvesOfBlock HalvesOf(DType dtype) {
  switch (dtype) {
    case DType::kQ4_0:
    case DType::kQ5_0:
    case DType::kQ8_0: return {0, -1};
    case DType::kQ4_1:
    case DType::kQ5_1:
    case DType::kQ4_K:
    case DType::kQ5_K: return {0, 2};
    case DType::kQ6_K: return {208, -1};
    default: return {-1, -1};
  }
}

// Owns the bytes of a {rows, columns} matrix with every bit of its codes random, and
// scales about 0.02 of either sign.
struct RandomTensor {
  RandomTensor(DType dtype, std::int64_t rows, std::int64_t columns, unsigned seed) {
    view = {nullptr, dtype, rows, columns};
    bytes.resize(static_cast<std::size_t>(view.size_bytes()));
    view.data = bytes.data();
    std::mt19937 rng(seed);
    std::normal_distribution<float> normal(0, 0.02f);
    if (Traits(dtype).block_size == 1) {
      FillFloats(rng, normal);
    } else {
      FillBlocks(rng, normal);
    }
  }

  void FillBlocks(std::mt19937& rng, std::normal_distribution<float>& normal) {
    for (std::uint8_t& b : bytes) b = static_cast<std::uint8_t>(rng());
    const auto block_bytes = static_cast<std::size_t>(Traits(view.dtype).block_bytes);
    const HalvesOfBlock halves = HalvesOf(view.dtype);
    for (std::size_t block = 0; block < bytes.size(); block += block_bytes) {
      for (const int at : {halves.first, halves.second}) {
        if (at >= 0) PutHalf(FloatToHalf(normal(rng)), block + static_cast<std::size_t>(at));
      }
    }
  }

  void FillFloats(std::mt19937& rng, std::normal_distribution<float>& normal) {
    const auto size = static_cast<std::size_t>(Traits(view.dtype).block_bytes);
    for (std::size_t at = 0; at < bytes.size(); at += size) {
      const float value = normal(rng);
      std::uint32_t bits;
      std::memcpy(&bits, &value, 4);
      if (view.dtype == DType::kF32) std::memcpy(&bytes[at], &bits, 4);
      if (view.dtype == DType::kF16) PutHalf(FloatToHalf(value), at);
      if (view.dtype == DType::kBF16) PutHalf(static_cast<std::uint16_t>(bits >> 16), at);
    }
  }

  void PutHalf(std::uint16_t half, std::size_t at) { std::memcpy(&bytes[at], &half, 2); }

  std::vector<std::uint8_t> bytes;
  TensorView view;
};

}  // namespace espalier::test
