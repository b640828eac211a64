// The elementwise ops: a block is 256 elements, one thread each.
#include "kernels/cuda/exp.h"
#include "kernels/cuda/ops.h"

namespace espalier::ESP_DEVICE {
namespace {

constexpr int kThreads = 256;

__device__ std::int64_t ThreadElement() {
  return std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
}

__global__ void AddElements(Global<const float> y, std::int64_t period, std::int64_t size,
                            Global<float> x) {
  const std::int64_t i = ThreadElement();
  if (Within(i, size)) x[i] += y[i % period];
}

__global__ void SiluMulElements(Global<const float> gate, Global<const float> up, std::int64_t size,
                                Global<float> out) {
  const std::int64_t i = ThreadElement();
  if (Within(i, size)) out[i] = gate[i] / (1.0f + Exp(-gate[i])) * up[i];
}

__global__ void GeluMulElements(Global<const float> gate, Global<const float> up, std::int64_t size,
                                Global<float> out) {
  const std::int64_t i = ThreadElement();
  if (!Within(i, size)) return;
  const float x = gate[i];
  const float inner = fmaf(0.044715f * x * x, x, x);
  out[i] = x / (1.0f + Exp(-1.59576912f * inner)) * up[i];  // 2 sqrt(2 / pi)
}

__global__ void ToHalfElements(Global<const float> x, std::int64_t size,
                               Global<std::uint16_t> out) {
  const std::int64_t i = ThreadElement();
  if (!Within(i, size)) return;
  const float below = x[i] > 65504.0f ? 65504.0f : x[i];
  out[i] = ToHalf(below < -65504.0f ? -65504.0f : below);
}

}  // namespace

void Add(Stream& stream, const float* y, std::int64_t size, float* x) {
  if (size == 0) return;
  Launch(stream, {NumBlocks(size, kThreads)}, kThreads, AddElements, {y, size}, size, size,
         {x, size});
}

void AddBias(Stream& stream, const float* bias, int num_rows, int width, float* y) {
  const std::int64_t size = std::int64_t{num_rows} * width;
  if (size == 0) return;
  Launch(stream, {NumBlocks(size, kThreads)}, kThreads, AddElements, {bias, width}, width, size,
         {y, size});
}

void SiluMul(Stream& stream, const float* gate, const float* up, std::int64_t size, float* out) {
  if (size == 0) return;
  Launch(stream, {NumBlocks(size, kThreads)}, kThreads, SiluMulElements, {gate, size}, {up, size},
         size, {out, size});
}

void GeluMul(Stream& stream, const float* gate, const float* up, std::int64_t size, float* out) {
  if (size == 0) return;
  Launch(stream, {NumBlocks(size, kThreads)}, kThreads, GeluMulElements, {gate, size}, {up, size},
         size, {out, size});
}

void ToHalves(Stream& stream, const float* x, std::int64_t size, std::uint16_t* out) {
  if (size == 0) return;
  Launch(stream, {NumBlocks(size, kThreads)}, kThreads, ToHalfElements, {x, size}, size,
         {out, size});
}

}  // namespace espalier::ESP_DEVICE
