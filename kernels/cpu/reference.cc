#include "kernels/cpu/reference.h"

#include <cmath>
#include <limits>

#include "kernels/float16.h"
#include "kernels/math.h"

namespace espalier::reference {

float FoldLanes(float (&lanes)[kLanes]) {
  for (int width = kLanes / 2; width > 0; width /= 2) {
    for (int i = 0; i < width; ++i) lanes[i] += lanes[i + width];
  }
  return lanes[0];
}

void RmsNorm(const float* x, const float* weight, float eps, int width, float* y) {
  float lanes[kLanes] = {};
  for (int i = 0; i < width; ++i) lanes[i % kLanes] = std::fma(x[i], x[i], lanes[i % kLanes]);
  const float mean = FoldLanes(lanes) / static_cast<float>(width);
  const float scale = 1.0f / std::sqrt(mean + eps);
  for (int i = 0; i < width; ++i) y[i] = x[i] * scale * weight[i];
}

void Add(const float* y, std::int64_t size, float* x) {
  for (std::int64_t i = 0; i < size; ++i) x[i] += y[i];
}

void SiluMul(const float* gate, const float* up, std::int64_t size, float* out) {
  for (std::int64_t i = 0; i < size; ++i) out[i] = gate[i] / (1.0f + Exp(-gate[i])) * up[i];
}

void Rope(const RopeTable& table, const float* cos, const float* sin, int num_heads, int head_dim,
          float* x) {
  const int half = table.rotary_dim / 2;
  const bool neighbours = table.pairs == RopePairs::kNeighbours;
  for (int h = 0; h < num_heads; ++h) {
    float* head = x + h * head_dim;
    for (int i = 0; i < half; ++i) {
      float& a = head[neighbours ? 2 * i : i];
      float& b = head[neighbours ? 2 * i + 1 : i + half];
      const float rotated = std::fma(a, cos[i], -(b * sin[i]));
      b = std::fma(a, sin[i], b * cos[i]);
      a = rotated;
    }
  }
}

namespace {

// Element (head, dim) of slot `offset` of a page.
std::int64_t KIndex(const KvLayer& kv, std::int64_t page, int head, int dim, int offset) {
  return ((page * kv.num_kv_heads + head) * kv.head_dim + dim) * kv.page_size + offset;
}
std::int64_t VIndex(const KvLayer& kv, std::int64_t page, int head, int dim, int offset) {
  return ((page * kv.num_kv_heads + head) * kv.page_size + offset) * kv.head_dim + dim;
}

void Put(float value, DType dtype, void* array, std::int64_t i) {
  if (dtype == DType::kF32) {
    static_cast<float*>(array)[i] = value;
  } else {
    static_cast<std::uint16_t*>(array)[i] = FloatToHalf(value);
  }
}

}  // namespace

void StoreKv(const float* k, const float* v, std::int32_t slot, const KvLayer& kv) {
  const int page = slot / kv.page_size;
  const int offset = slot % kv.page_size;
  for (int h = 0; h < kv.num_kv_heads; ++h) {
    for (int i = 0; i < kv.head_dim; ++i) {
      Put(k[h * kv.head_dim + i], kv.dtype, kv.k, KIndex(kv, page, h, i, offset));
      Put(v[h * kv.head_dim + i], kv.dtype, kv.v, VIndex(kv, page, h, i, offset));
    }
  }
}

}  // namespace espalier::reference

namespace espalier {

const CpuOps& ScalarOps() {
  static constexpr CpuOps kOps = {
      .isa = "scalar",
      .tile_bytes = nullptr,
      .pack_tiles = nullptr,
      .linear = reference::Linear,
      .linear_exact = reference::LinearExact,
      .quantize = reference::Quantize,
      .attention = reference::Attention,
      .rms_norm = reference::RmsNorm,
      .add = reference::Add,
      .silu_mul = reference::SiluMul,
      .rope = reference::Rope,
      .store_kv = reference::StoreKv,
  };
  return kOps;
}

}  // namespace espalier
