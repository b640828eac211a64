// What the AVX2 sources of quantized linear layers share: activations in registers, and
// exact integer sums of products with the codes of packed.h.
//
// Products of 4 columns are formed by maddubs (unsigned code x signed activation) as sums of
// two in int16, added there over as many groups as cannot overflow, then widened. What the
// codes were raised by (kZero) is taken off the exact integer sum.
#pragma once

#include "kernels/cpu/avx2.h"
#include "kernels/cpu/packed.h"

// Arrays of vectors are registers only if every loop over them is unrolled and nothing that
// takes one is a call.
#define ESP_INLINE [[gnu::always_inline]] inline
#if defined(__clang__)
#define ESP_UNROLL _Pragma("clang loop unroll(full)")
#else
#define ESP_UNROLL _Pragma("GCC unroll 8")
#endif

namespace espalier::avx2 {

inline constexpr int kGroups = kUnitColumns / kGroupColumns;
inline constexpr int kGroupBytes = kTileRows * kGroupColumns;

// Activations of kTokens tokens.
template <int kTokens>
struct Columns {
  Columns(const Rows& x, int token) {
    const std::int64_t num_blocks = x.width / kActivationBlock;
    for (int c = 0; c < kTokens; ++c) {
      const std::int64_t t = token + c;
      q[c] = x.q + t * x.width;
      d[c] = x.d + t * num_blocks;
      sum_d[c] = x.sum_d + t * num_blocks;
      sum[c] = x.sum + t * num_blocks * 2;
    }
  }

  const std::int8_t* q[kTokens];
  const float* d[kTokens];
  const float* sum_d[kTokens];
  const std::int32_t* sum[kTokens];
};

// Vector v is of 8 rows, from kVectors * 8 rows that follow each other.
template <int kVectors, int kTokens>
using Sums = __m256i[kVectors][kTokens];

// Four activations in each lane.
ESP_INLINE __m256i Broadcast4(const std::int8_t* q) {
  int bytes;
  std::memcpy(&bytes, q, sizeof(bytes));
  return _mm256_set1_epi32(bytes);
}

ESP_INLINE __m256i Load(const std::uint8_t* p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}

ESP_INLINE __m256i Widen(__m256i pairs) { return _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)); }

// Keeps the compiler from summing `x` later, which would cost it more registers than there
// are.
ESP_INLINE void SumNow(__m256i& x) { asm("" : "+x"(x)); }

template <int kVectors, int kTokens>
ESP_INLINE void SetZero(Sums<kVectors, kTokens>& sums) {
  ESP_UNROLL
  for (int v = 0; v < kVectors; ++v) {
    ESP_UNROLL
    for (int c = 0; c < kTokens; ++c) sums[v][c] = _mm256_setzero_si256();
  }
}

// pairs += one group of unsigned codes x the activations at `column`, in int16.
template <int kVectors, int kTokens>
ESP_INLINE void AddGroup(const __m256i (&w)[kVectors], const Columns<kTokens>& x, int column,
                         Sums<kVectors, kTokens>& pairs) {
  ESP_UNROLL
  for (int c = 0; c < kTokens; ++c) {
    const __m256i q = Broadcast4(x.q[c] + column);
    ESP_UNROLL
    for (int v = 0; v < kVectors; ++v) {
      pairs[v][c] = _mm256_add_epi16(pairs[v][c], _mm256_maddubs_epi16(w[v], q));
      SumNow(pairs[v][c]);
    }
  }
}

// sums += pairs, and pairs = 0.
template <int kVectors, int kTokens>
ESP_INLINE void WidenAll(Sums<kVectors, kTokens>& pairs, Sums<kVectors, kTokens>& sums) {
  ESP_UNROLL
  for (int v = 0; v < kVectors; ++v) {
    ESP_UNROLL
    for (int c = 0; c < kTokens; ++c) {
      sums[v][c] = _mm256_add_epi32(sums[v][c], Widen(pairs[v][c]));
    }
  }
  SetZero<kVectors, kTokens>(pairs);
}

// Bytes below 2^kBits, over kNumGroups groups.
template <int kBits, int kNumGroups, int kVectors, int kTokens>
ESP_INLINE void DotBytes(const std::uint8_t* codes, const Columns<kTokens>& x, int column,
                         Sums<kVectors, kTokens>& sums) {
  constexpr int kNarrow = 32767 / (2 * 127 * ((1 << kBits) - 1));  // groups that fit int16
  static_assert(kNumGroups % kNarrow == 0);
  Sums<kVectors, kTokens> pairs;
  SetZero<kVectors, kTokens>(pairs);
  ESP_UNROLL
  for (int g = 0; g < kNumGroups; ++g) {
    __m256i w[kVectors];
    ESP_UNROLL
    for (int v = 0; v < kVectors; ++v) w[v] = Load(codes + g * kGroupBytes + v * 32);
    AddGroup<kVectors, kTokens>(w, x, column + kGroupColumns * g, pairs);
    if (g % kNarrow == kNarrow - 1) WidenAll<kVectors, kTokens>(pairs, sums);
  }
}

// Signed weights: |w| x (a with w's sign). 2 * 128 * 127 fits, so each group is widened.
template <int kVectors, int kTokens>
ESP_INLINE void DotSigned(const std::uint8_t* codes, const Columns<kTokens>& x, int column,
                          Sums<kVectors, kTokens>& sums) {
  ESP_UNROLL
  for (int g = 0; g < kGroups; ++g) {
    ESP_UNROLL
    for (int v = 0; v < kVectors; ++v) {
      const __m256i weights = Load(codes + g * kGroupBytes + v * 32);
      const __m256i magnitudes = _mm256_abs_epi8(weights);
      ESP_UNROLL
      for (int c = 0; c < kTokens; ++c) {
        const __m256i q = Broadcast4(x.q[c] + column + kGroupColumns * g);
        const __m256i pairs = _mm256_maddubs_epi16(magnitudes, _mm256_sign_epi8(q, weights));
        sums[v][c] = _mm256_add_epi32(sums[v][c], Widen(pairs));
        SumNow(sums[v][c]);
      }
    }
  }
}

// What the codes of sub-block `sub` at `column` are too high by, times the activations.
template <typename Block>
ESP_INLINE __m256i ZeroSum(const std::int32_t* sum, int column, int sub) {
  const int half = (column + sub * Block::kSubSize) / 16;
  std::int32_t total = sum[half];
  if constexpr (Block::kSubSize == 32) total += sum[half + 1];
  return _mm256_set1_epi32(total * Block::kZero);
}

// f + the sums of one sub-block, in the order of kernels/kernels.h. `column`: of the unit.
// scale, min: of the sums' rows. f [kTokens], `stride` apart.
template <typename Block, int kVectors, int kTokens>
ESP_INLINE void AddScaled(const Columns<kTokens>& x, int column, int sub,
                          const __m256 (&scale)[kVectors], const __m256 (&min)[kVectors],
                          Sums<kVectors, kTokens>& sums, float* f) {
  const int block = column / kActivationBlock;
  ESP_UNROLL
  for (int c = 0; c < kTokens; ++c) {
    const __m256 step = _mm256_set1_ps(x.d[c][block]);
    const __m256 sum_d = _mm256_set1_ps(x.sum_d[c][block]);
    ESP_UNROLL
    for (int v = 0; v < kVectors; ++v) {
      float* at = f + (c * kVectors + v) * kWidth;
      __m256i sum = sums[v][c];
      if constexpr (Block::kZero != 0) {
        sum = _mm256_sub_epi32(sum, ZeroSum<Block>(x.sum[c], column, sub));
      }
      __m256 total = _mm256_load_ps(at);
      total = _mm256_fmadd_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(sum), step), scale[v], total);
      if constexpr (Block::kHasMin) total = _mm256_fmadd_ps(min[v], sum_d, total);
      _mm256_store_ps(at, total);
    }
  }
}

// Scales or minima of 8 rows.
template <bool kHalf>
ESP_INLINE __m256 LoadScales(const std::uint8_t* p, int index) {
  if constexpr (kHalf) {
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p) + index));
  } else {
    return _mm256_loadu_ps(reinterpret_cast<const float*>(p) + index * kWidth);
  }
}

}  // namespace espalier::avx2
