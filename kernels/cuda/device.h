// The one header of every .cu file: CUDA's words, for nvcc or, by g++, for the emulator.
//
// ESP_DEVICE is the namespace that the file's contents go to, cuda or emulated: so one
// program can hold both. Beside CUDA's own words a kernel has, from either header:
// ESP_SHARED, Global<T>, Stream, Launch, Dim3, kFullMask, ToFloat, ToHalf, Mma16x8x16.
#pragma once

#if defined(__CUDACC__)
#define ESP_DEVICE cuda
#include "kernels/cuda/native.h"
#else
#define ESP_DEVICE emulated
#include "kernels/cuda/emulate/emulate.h"
#endif

namespace espalier::ESP_DEVICE {

// What a bounds check asks, written so that tests/kernels/cuda_mutations.py finds each one.
template <typename Integer>
__device__ __forceinline__ bool Within(Integer i, Integer end) {
  return i < end;
}

// std::min takes references, which device code has of no constant.
template <typename T>
__device__ __forceinline__ T Min(T a, T b) {
  return b < a ? b : a;
}

// Blocks of `num_threads` that cover `size` elements.
inline unsigned NumBlocks(std::int64_t size, int num_threads) {
  return static_cast<unsigned>((size + num_threads - 1) / num_threads);
}

}  // namespace espalier::ESP_DEVICE
