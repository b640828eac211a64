// The GPU's side of kernels/cuda/device.h, for nvcc.
//
// Thread safety: a Stream belongs to one thread.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#define ESP_SHARED(Type, name, size) __shared__ Type name[size]

namespace espalier::cuda {

using Dim3 = dim3;
inline constexpr int kWarpSize = 32;
inline constexpr unsigned kFullMask = 0xffffffffu;

// What ESP_SHARED declared, as an argument.
template <typename T, int size>
using Shared = T*;

// An array in global memory. The emulator checks each access; here it is a pointer.
template <typename T>
class Global {
 public:
  Global() = default;
  __host__ __device__ Global(T* data, std::int64_t /*size*/) : data_(data) {}
  __device__ T& operator[](std::int64_t i) const { return data_[i]; }

 private:
  T* data_ = nullptr;
};

// Memory that the host and the device see.
inline void* NewManaged(std::size_t size_bytes) {
  void* memory = nullptr;
  return cudaMallocManaged(&memory, size_bytes) == cudaSuccess ? memory : nullptr;
}
inline void DeleteManaged(void* memory) { cudaFree(memory); }

// The default stream. The first fault stays.
class Stream {
 public:
  // Waits for all launches. Returns the first fault; empty if there was none.
  std::string Wait() {
    Note(cudaDeviceSynchronize());
    return fault_;
  }
  void Note(cudaError_t error) {
    if (error != cudaSuccess && fault_.empty()) fault_ = cudaGetErrorString(error);
  }

 private:
  std::string fault_;
};

template <typename... Parameters>
void Launch(Stream& stream, const Dim3& grid, int num_threads, void (*kernel)(Parameters...),
            std::type_identity_t<Parameters>... arguments) {
  kernel<<<grid, num_threads>>>(arguments...);
  stream.Note(cudaGetLastError());
}

__device__ __forceinline__ float ToFloat(std::uint16_t half) {
  return __half2float(__ushort_as_half(half));
}
__device__ __forceinline__ std::uint16_t ToHalf(float value) {
  return __half_as_ushort(__float2half_rn(value));
}

__device__ __forceinline__ void Mma16x8x16(const std::uint32_t (&a)[4], const std::uint32_t (&b)[2],
                                           float (&c)[4]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

}  // namespace espalier::cuda
