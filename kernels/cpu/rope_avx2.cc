#include "kernels/cpu/avx2.h"

namespace espalier::avx2 {
namespace {

// Pair (a, b) by the angle's cos and sin; the order of kernels/cpu/reference.cc.
void RotatePair(float cos, float sin, float& a, float& b) {
  const float rotated = __builtin_fmaf(a, cos, -(b * sin));
  b = __builtin_fmaf(a, sin, b * cos);
  a = rotated;
}

// Pairs (2 i, 2 i + 1), four a vector.
void RotateNeighbours(const float* cos, const float* sin, int num_pairs, float* head) {
  int i = 0;
  for (; i + 4 <= num_pairs; i += 4) {
    const __m128 c = _mm_loadu_ps(cos + i);
    const __m128 s = _mm_loadu_ps(sin + i);
    const __m256 cos_sin = _mm256_set_m128(_mm_unpackhi_ps(c, s), _mm_unpacklo_ps(c, s));
    const __m256 sin_cos = _mm256_permute_ps(cos_sin, 0xb1);
    const __m256 x = _mm256_loadu_ps(head + 2 * i);
    const __m256 product = _mm256_mul_ps(_mm256_movehdup_ps(x), sin_cos);
    _mm256_storeu_ps(head + 2 * i, _mm256_fmaddsub_ps(_mm256_moveldup_ps(x), cos_sin, product));
  }
  for (; i < num_pairs; ++i) RotatePair(cos[i], sin[i], head[2 * i], head[2 * i + 1]);
}

// Pairs (i, i + num_pairs), eight a vector.
void RotateHalves(const float* cos, const float* sin, int num_pairs, float* head) {
  int i = 0;
  for (; i + kWidth <= num_pairs; i += kWidth) {
    const __m256 c = _mm256_loadu_ps(cos + i);
    const __m256 s = _mm256_loadu_ps(sin + i);
    const __m256 a = _mm256_loadu_ps(head + i);
    const __m256 b = _mm256_loadu_ps(head + i + num_pairs);
    _mm256_storeu_ps(head + i, _mm256_fmsub_ps(a, c, _mm256_mul_ps(b, s)));
    _mm256_storeu_ps(head + i + num_pairs, _mm256_fmadd_ps(a, s, _mm256_mul_ps(b, c)));
  }
  for (; i < num_pairs; ++i) RotatePair(cos[i], sin[i], head[i], head[i + num_pairs]);
}

}  // namespace

void Rope(const RopeTable& table, const float* cos, const float* sin, int num_heads, int head_dim,
          float* x) {
  const auto rotate = table.pairs == RopePairs::kNeighbours ? RotateNeighbours : RotateHalves;
  for (int h = 0; h < num_heads; ++h) rotate(cos, sin, table.rotary_dim / 2, x + h * head_dim);
}

}  // namespace espalier::avx2
