// What the AVX2 sources share. Only they may include this: everything here is
// compiled for AVX2, FMA and F16C.
#pragma once

#include <immintrin.h>

#include <cstdint>
#include <cstring>

#include "kernels/cpu/avx2_ops.h"

namespace espalier::avx2 {

inline constexpr int kWidth = 8;  // float32 lanes

// Lanes [0, count) of a vector, for the ends of arrays. 0 < count <= 8
inline __m256i FirstLanes(int count) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

// Loads the first `count` lanes, 1 <= count; the others are 0.
inline __m256 LoadFirst(const float* from, std::int64_t count) {
  if (count >= kWidth) return _mm256_loadu_ps(from);
  return _mm256_maskload_ps(from, FirstLanes(static_cast<int>(count)));
}

// Stores the first `count` lanes, 1 <= count <= 8. The masked store is slow: ends only.
inline void StoreFirst(float* to, __m256 x, std::int64_t count) {
  if (count >= kWidth) {
    _mm256_storeu_ps(to, x);
  } else {
    _mm256_maskstore_ps(to, FirstLanes(static_cast<int>(count)), x);
  }
}

// The 16 virtual lanes of a reduction, folded 8, 4, 2, 1.
struct Lanes {
  __m256 low = _mm256_setzero_ps();
  __m256 high = _mm256_setzero_ps();

  float Fold() const {
    const __m256 by8 = _mm256_add_ps(low, high);
    const __m128 by4 = _mm_add_ps(_mm256_castps256_ps128(by8), _mm256_extractf128_ps(by8, 1));
    const __m128 by2 = _mm_add_ps(by4, _mm_movehl_ps(by4, by4));
    return _mm_cvtss_f32(_mm_add_ss(by2, _mm_movehdup_ps(by2)));
  }
};

// The largest lane.
inline float Max(__m256 x) {
  const __m128 by4 = _mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
  const __m128 by2 = _mm_max_ps(by4, _mm_movehl_ps(by4, by4));
  return _mm_cvtss_f32(_mm_max_ss(by2, _mm_movehdup_ps(by2)));
}

// Exp of kernels/math.h in each lane, bit for bit.
inline __m256 Exp(__m256 x) {
  const __m256 magic = _mm256_set1_ps(0x1.8p23f);
  const __m256 scaled = _mm256_mul_ps(x, _mm256_set1_ps(0x1.715476p+0f));
  const __m256 n = _mm256_sub_ps(_mm256_add_ps(scaled, magic), magic);
  __m256 r = _mm256_fmadd_ps(n, _mm256_set1_ps(-0x1.62e4p-1f), x);
  r = _mm256_fmadd_ps(n, _mm256_set1_ps(-0x1.7f7d1cp-20f), r);
  constexpr float kSeries[] = {1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f};
  __m256 sum = _mm256_set1_ps(1.0f / 5040);
  for (const float coefficient : kSeries) {
    sum = _mm256_fmadd_ps(sum, r, _mm256_set1_ps(coefficient));
  }
  const __m256i power = _mm256_slli_epi32(_mm256_cvttps_epi32(n), 23);
  __m256 y = _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(sum), power));
  const __m256 below = _mm256_cmp_ps(x, _mm256_set1_ps(-0x1.5d589ep+6f), _CMP_LT_OQ);
  const __m256 above = _mm256_cmp_ps(x, _mm256_set1_ps(0x1.62e42ep+6f), _CMP_GT_OQ);
  y = _mm256_andnot_ps(below, y);
  y = _mm256_blendv_ps(y, _mm256_set1_ps(__builtin_inff()), above);
  return _mm256_blendv_ps(y, x, _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
}

}  // namespace espalier::avx2
