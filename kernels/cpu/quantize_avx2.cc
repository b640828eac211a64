#include "kernels/cpu/avx2.h"

namespace espalier::avx2 {
namespace {

constexpr int kVectors = kActivationBlock / kWidth;

// f16(max|x| / 127) as a float; a NaN in x counts as nothing.
float StepOf(const __m256 (&x)[kVectors]) {
  const __m256 sign = _mm256_set1_ps(-0.0f);
  __m256 max = _mm256_setzero_ps();
  for (const __m256 v : x) max = _mm256_max_ps(_mm256_andnot_ps(sign, v), max);
  const __m128 step = _mm_min_ss(_mm_set_ss(Max(max) / 127.0f), _mm_set_ss(65504.0f));
  return _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtps_ph(step, _MM_FROUND_TO_NEAREST_INT)));
}

// The order of the operands makes a NaN become 127, as in the reference.
__m256i Round(__m256 x, float inverse) {
  const __m256 scaled = _mm256_mul_ps(x, _mm256_set1_ps(inverse));
  const __m256 clamped =
      _mm256_max_ps(_mm256_min_ps(scaled, _mm256_set1_ps(127.0f)), _mm256_set1_ps(-127.0f));
  return _mm256_cvtps_epi32(clamped);
}

// 32 integers as bytes in order.
__m256i PackBytes(const __m256i (&x)[kVectors]) {
  const __m256i low = _mm256_packs_epi32(x[0], x[1]);
  const __m256i high = _mm256_packs_epi32(x[2], x[3]);
  const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  return _mm256_permutevar8x32_epi32(_mm256_packs_epi16(low, high), order);
}

// Sums of bytes 0 .. 15 and 16 .. 31.
void SumHalves(__m256i q, std::int32_t* sum) {
  const __m256i pairs = _mm256_maddubs_epi16(_mm256_set1_epi8(1), q);
  const __m256i fours = _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
  const __m256i eights = _mm256_hadd_epi32(fours, fours);
  const __m256i halves = _mm256_hadd_epi32(eights, eights);
  sum[0] = _mm256_extract_epi32(halves, 0);
  sum[1] = _mm256_extract_epi32(halves, 4);
}

}  // namespace

void Quantize(const Rows& rows, int begin, int end) {
  const std::int64_t num_blocks = rows.width / kActivationBlock;
  for (std::int64_t b = begin * num_blocks; b < end * num_blocks; ++b) {
    __m256 x[kVectors];
    for (int i = 0; i < kVectors; ++i) {
      x[i] = _mm256_loadu_ps(rows.x + b * kActivationBlock + i * kWidth);
    }
    const float d = StepOf(x);
    const float inverse = d == 0 ? 0 : 1.0f / d;
    __m256i rounded[kVectors];
    for (int i = 0; i < kVectors; ++i) rounded[i] = Round(x[i], inverse);
    const __m256i q = PackBytes(rounded);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(rows.q + b * kActivationBlock), q);
    SumHalves(q, rows.sum + 2 * b);
    rows.d[b] = d;
    rows.sum_d[b] = static_cast<float>(rows.sum[2 * b] + rows.sum[2 * b + 1]) * d;
  }
}

}  // namespace espalier::avx2
