// The ops on one row for AVX2. Ends of arrays go through masked loads, which read 0.
#include "kernels/cpu/avx2.h"
#include "kernels/math.h"

namespace espalier::avx2 {
namespace {

// Calls fn(i, count) for each vector of [0, size): elements i .. i + count.
template <typename Fn>
void ForEachVector(std::int64_t size, const Fn& fn) {
  std::int64_t i = 0;
  for (; i + kWidth <= size; i += kWidth) fn(i, std::int64_t{kWidth});
  if (i < size) fn(i, size - i);
}

}  // namespace

void RmsNorm(const float* x, const float* weight, float eps, int width, float* y) {
  Lanes lanes;
  ForEachVector(width, [&](std::int64_t i, std::int64_t count) {
    const __m256 v = LoadFirst(x + i, count);
    __m256& lane = i % kLanes == 0 ? lanes.low : lanes.high;
    lane = _mm256_fmadd_ps(v, v, lane);
  });
  const float mean = lanes.Fold() / static_cast<float>(width);
  const float root = _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(mean + eps)));
  const __m256 scale = _mm256_set1_ps(1.0f / root);
  ForEachVector(width, [&](std::int64_t i, std::int64_t count) {
    const __m256 scaled = _mm256_mul_ps(LoadFirst(x + i, count), scale);
    StoreFirst(y + i, _mm256_mul_ps(scaled, LoadFirst(weight + i, count)), count);
  });
}

void Add(const float* y, std::int64_t size, float* x) {
  ForEachVector(size, [&](std::int64_t i, std::int64_t count) {
    StoreFirst(x + i, _mm256_add_ps(LoadFirst(x + i, count), LoadFirst(y + i, count)), count);
  });
}

void SiluMul(const float* gate, const float* up, std::int64_t size, float* out) {
  const __m256 one = _mm256_set1_ps(1.0f);
  const __m256 sign = _mm256_set1_ps(-0.0f);
  ForEachVector(size, [&](std::int64_t i, std::int64_t count) {
    const __m256 g = LoadFirst(gate + i, count);
    const __m256 silu = _mm256_div_ps(g, _mm256_add_ps(one, Exp(_mm256_xor_ps(g, sign))));
    StoreFirst(out + i, _mm256_mul_ps(silu, LoadFirst(up + i, count)), count);
  });
}

}  // namespace espalier::avx2
