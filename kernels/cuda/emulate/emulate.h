// What a .cu file sees when g++ compiles it: CUDA's words, on the fibers of thread_block.h.
//
// A file that keeps to these means the same to nvcc and here:
//  1. kernels start through Launch; blocks are rows of threads, a multiple of a warp;
//  2. shared memory is declared by ESP_SHARED, global memory reached through Global<T>;
//  3. warp functions have full masks, and no barrier or warp function stands where the
//     threads of a block (of a warp) part;
//  4. what is an instruction of the GPU alone is wrapped once here and once in
//     kernels/cuda/native.h.
//
// Thread safety: a Stream belongs to one thread.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <random>
#include <source_location>
#include <string>
#include <type_traits>

#include "kernels/cuda/emulate/thread_block.h"
#include "kernels/float16.h"

// NOLINTBEGIN: these are CUDA's names.
#define __global__
#define __device__
#define __launch_bounds__(num_threads)
#define __forceinline__ inline

namespace espalier::emulated {

// The declared array `name` of `size` elements of one block. Checked at each access.
#define ESP_SHARED(Type, name, size) \
  static char name##_tag;            \
  const auto name = ::espalier::emulated::SharedArray<Type, size>(&name##_tag)

template <typename T, int size>
class SharedArray {
 public:
  explicit SharedArray(const void* tag)
      : data_(static_cast<T*>(ThreadBlock::Current().Shared(tag, sizeof(T) * size))) {}

  T& operator[](int i) const {
    if (i < 0 || i >= size) {
      ThreadBlock::Current().FailAt(i, size, "shared memory");
    }
    return data_[i];
  }

 private:
  T* data_;
};

template <typename T, int size>
using Shared = SharedArray<T, size>;

inline void* NewManaged(std::size_t size_bytes) { return ::operator new(size_bytes); }
inline void DeleteManaged(void* memory) { ::operator delete(memory); }

// Elements [0, size) of an array in global memory. Checked at each access.
template <typename T>
class Global {
 public:
  Global() = default;
  Global(T* data, std::int64_t size) : data_(data), size_(size) {}

  T& operator[](std::int64_t i) const {
    if (i < 0 || i >= size_) {
      ThreadBlock::Current().FailAt(i, size_, "global memory");
    }
    return data_[i];
  }

 private:
  T* data_ = nullptr;
  std::int64_t size_ = 0;
};

// The launches of one thread, each done when Launch returns. The first fault stays: later
// launches do nothing.
class Stream {
 public:
  // Seeds the order of blocks and threads.
  explicit Stream(std::uint64_t seed = 0) : order_(seed), stacks_(kStackBytes) {}

  void Run(const Dim3& grid, int num_threads, const std::function<void()>& body);
  std::string Wait() { return fault_; }

 private:
  std::mt19937_64 order_;
  boost::context::pooled_fixedsize_stack stacks_;
  std::string fault_;
};

template <typename... Parameters>
void Launch(Stream& stream, const Dim3& grid, int num_threads, void (*kernel)(Parameters...),
            std::type_identity_t<Parameters>... arguments) {
  stream.Run(grid, num_threads, [&] { kernel(arguments...); });
}

inline Dim3 ThreadIndex() { return {static_cast<unsigned>(ThreadBlock::Current().thread()), 0, 0}; }
inline Dim3 BlockSize() {
  return {static_cast<unsigned>(ThreadBlock::Current().shape().num_threads), 1, 1};
}
#define threadIdx (::espalier::emulated::ThreadIndex())
#define blockIdx (::espalier::emulated::ThreadBlock::Current().shape().block)
#define blockDim (::espalier::emulated::BlockSize())
#define gridDim (::espalier::emulated::ThreadBlock::Current().shape().grid)

inline constexpr unsigned kFullMask = 0xffffffffu;

inline void __syncthreads(std::source_location at = std::source_location::current()) {
  ThreadBlock::Current().SyncThreads({"__syncthreads", at});
}

// All lanes show `words`; a mask that is not full is a fault.
const WarpWords& ExchangeAll(unsigned mask, const LaneWords& words,
                             const ThreadBlock::Place& place);

inline void __syncwarp(unsigned mask = kFullMask,
                       std::source_location at = std::source_location::current()) {
  ExchangeAll(mask, {}, {"__syncwarp", at});
}

inline int CurrentLane() { return ThreadBlock::Current().thread() % kWarpSize; }

template <typename T>
T __shfl_sync(unsigned mask, T value, int lane,
              std::source_location at = std::source_location::current()) {
  static_assert(sizeof(T) == 4);
  const WarpWords& words =
      ExchangeAll(mask, {std::bit_cast<std::uint32_t>(value)}, {"__shfl_sync", at});
  return std::bit_cast<T>(words[static_cast<std::size_t>(lane & (kWarpSize - 1))][0]);
}

template <typename T>
T __shfl_xor_sync(unsigned mask, T value, int lane_mask,
                  std::source_location at = std::source_location::current()) {
  return __shfl_sync(mask, value, CurrentLane() ^ lane_mask, at);
}

// A lane whose partner is outside the warp keeps its own value.
template <typename T>
T __shfl_down_sync(unsigned mask, T value, int delta,
                   std::source_location at = std::source_location::current()) {
  const int lane = CurrentLane();
  return __shfl_sync(mask, value, lane + delta < kWarpSize ? lane + delta : lane, at);
}

unsigned __ballot_sync(unsigned mask, bool predicate,
                       std::source_location at = std::source_location::current());
inline bool __any_sync(unsigned mask, bool predicate,
                       std::source_location at = std::source_location::current()) {
  return __ballot_sync(mask, predicate, at) != 0;
}
inline bool __all_sync(unsigned mask, bool predicate,
                       std::source_location at = std::source_location::current()) {
  return __ballot_sync(mask, predicate, at) == kFullMask;
}

inline float ToFloat(std::uint16_t half) { return HalfToFloat(half); }
inline std::uint16_t ToHalf(float value) { return FloatToHalf(value); }

// c += a b for the tile 16 x 8 x 16 of halves that the warp holds in the layout of PTX's
// mma.m16n8k16: each sum is one fma chain in float32, k ascending. (The GPU's own rounding
// inside the sum is within the tests' tolerance.)
void Mma16x8x16(const std::uint32_t (&a)[4], const std::uint32_t (&b)[2], float (&c)[4],
                std::source_location at = std::source_location::current());
// NOLINTEND

}  // namespace espalier::emulated
