#include "kernels/cpu/avx2.h"

namespace espalier::avx2 {
namespace {

// The head's vector rounded to halves, eight elements at a time.
__m128i ToHalves(const float* from, int count) {
  const __m256 x =
      count >= kWidth ? _mm256_loadu_ps(from) : _mm256_maskload_ps(from, FirstLanes(count));
  return _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT);
}

// to[i * stride] = half(from[i])
void StoreHalves(const float* from, int size, int stride, std::uint16_t* to) {
  for (int i = 0; i < size; i += kWidth) {
    const int count = size - i < kWidth ? size - i : kWidth;
    std::uint16_t halves[kWidth];
    _mm_storeu_si128(reinterpret_cast<__m128i*>(halves), ToHalves(from + i, count));
    for (int j = 0; j < count; ++j) to[std::int64_t{i + j} * stride] = halves[j];
  }
}

void StoreFloats(const float* from, int size, int stride, float* to) {
  for (int i = 0; i < size; ++i) to[std::int64_t{i} * stride] = from[i];
}

}  // namespace

void StoreKv(const float* k, const float* v, std::int32_t slot, const KvLayer& kv) {
  const std::int64_t page = slot / kv.page_size;
  const std::int64_t offset = slot % kv.page_size;
  for (int h = 0; h < kv.num_kv_heads; ++h) {
    const std::int64_t head = (page * kv.num_kv_heads + h) * kv.head_dim * kv.page_size;
    const std::int64_t k_at = head + offset;
    const std::int64_t v_at = head + offset * kv.head_dim;
    const int from = h * kv.head_dim;
    if (kv.dtype == DType::kF32) {
      StoreFloats(k + from, kv.head_dim, kv.page_size, static_cast<float*>(kv.k) + k_at);
      StoreFloats(v + from, kv.head_dim, 1, static_cast<float*>(kv.v) + v_at);
    } else {
      StoreHalves(k + from, kv.head_dim, kv.page_size, static_cast<std::uint16_t*>(kv.k) + k_at);
      StoreHalves(v + from, kv.head_dim, 1, static_cast<std::uint16_t*>(kv.v) + v_at);
    }
  }
}

}  // namespace espalier::avx2
