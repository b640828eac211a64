// Quantized linear layers for AVX2 over the tiles of packed.h: a lane is an output row.
//
// Products of 4 columns are formed by maddubs (unsigned code x signed activation) as sums of
// two in int16, added there over as many groups as cannot overflow, then widened. What the
// codes were raised by (kZero) is taken off the exact integer sum.
#include "kernels/cpu/avx2.h"
#include "kernels/cpu/packed.h"
#include "kernels/quant/q4_0.h"
#include "kernels/quant/q4_1.h"
#include "kernels/quant/q4_k.h"
#include "kernels/quant/q5_0.h"
#include "kernels/quant/q5_1.h"
#include "kernels/quant/q5_k.h"
#include "kernels/quant/q6_k.h"
#include "kernels/quant/q8_0.h"

// Arrays of vectors are registers only if every loop over them is unrolled and nothing that
// takes one is a call.
#define ESP_INLINE [[gnu::always_inline]] inline
#if defined(__clang__)
#define ESP_UNROLL _Pragma("clang loop unroll(full)")
#else
#define ESP_UNROLL _Pragma("GCC unroll 8")
#endif

namespace espalier::avx2 {
namespace {

constexpr int kMaxTokens = 4;         // columns of activations in registers
constexpr int kPrefetchBytes = 1024;  // ahead in the stream of weights
constexpr int kGroups = kUnitColumns / kGroupColumns;

// Activations of up to kMaxTokens tokens.
struct Columns {
  const std::int8_t* q[kMaxTokens];
  const float* d[kMaxTokens];
  const float* sum_d[kMaxTokens];
  const std::int32_t* sum[kMaxTokens];
};

Columns ColumnsFrom(const Rows& x, int token, int count) {
  Columns columns;
  const std::int64_t num_blocks = x.width / kActivationBlock;
  for (int c = 0; c < count; ++c) {
    const std::int64_t t = token + c;
    columns.q[c] = x.q + t * x.width;
    columns.d[c] = x.d + t * num_blocks;
    columns.sum_d[c] = x.sum_d + t * num_blocks;
    columns.sum[c] = x.sum + t * num_blocks * 2;
  }
  return columns;
}

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

// sum[c] += codes x activations over groups [begin, end), per lane.
template <int kTokens>
ESP_INLINE void DotNibbles(const std::uint8_t* codes, const Columns& x, int column,
                           __m256i (&sum)[kTokens]) {
  const __m256i mask = _mm256_set1_epi8(15);
  __m256i pairs[kTokens];  // at most 8 groups of 2 * 15 * 127 = 30,480
  ESP_UNROLL
  for (int g = 0; g < kGroups / 2; ++g) {
    const __m256i both = Load(codes + 32 * g);
    const __m256i low = _mm256_and_si256(both, mask);
    const __m256i high = _mm256_and_si256(_mm256_srli_epi16(both, 4), mask);
    ESP_UNROLL
    for (int c = 0; c < kTokens; ++c) {
      const std::int8_t* q = x.q[c] + column + kGroupColumns * g;
      const __m256i a = _mm256_maddubs_epi16(low, Broadcast4(q));
      const __m256i b = _mm256_maddubs_epi16(high, Broadcast4(q + kUnitColumns / 2));
      pairs[c] = g == 0 ? a : _mm256_add_epi16(pairs[c], a);
      SumNow(pairs[c]);
      pairs[c] = _mm256_add_epi16(pairs[c], b);
      SumNow(pairs[c]);
    }
  }
  ESP_UNROLL
  for (int c = 0; c < kTokens; ++c) sum[c] = _mm256_add_epi32(sum[c], Widen(pairs[c]));
}

// Signed weights: |w| x (a with w's sign). 2 * 128 * 127 fits, so each group is widened.
template <int kTokens>
ESP_INLINE void DotSigned(const std::uint8_t* codes, const Columns& x, int column,
                          __m256i (&sum)[kTokens]) {
  ESP_UNROLL
  for (int g = 0; g < kGroups; ++g) {
    const __m256i weights = Load(codes + 32 * g);
    const __m256i magnitudes = _mm256_abs_epi8(weights);
    ESP_UNROLL
    for (int c = 0; c < kTokens; ++c) {
      const __m256i q = Broadcast4(x.q[c] + column + kGroupColumns * g);
      const __m256i pairs = _mm256_maddubs_epi16(magnitudes, _mm256_sign_epi8(q, weights));
      sum[c] = _mm256_add_epi32(sum[c], Widen(pairs));
      SumNow(sum[c]);
    }
  }
}

// Bytes below 2^kBits, over kNumGroups groups.
template <int kBits, int kNumGroups, int kTokens>
ESP_INLINE void DotBytes(const std::uint8_t* codes, const Columns& x, int column,
                         __m256i (&sum)[kTokens]) {
  constexpr int kNarrow = 32767 / (2 * 127 * ((1 << kBits) - 1));  // groups that fit int16
  static_assert(kNumGroups % kNarrow == 0);
  ESP_UNROLL
  for (int begin = 0; begin < kNumGroups; begin += kNarrow) {
    __m256i pairs[kTokens];
    ESP_UNROLL
    for (int c = 0; c < kTokens; ++c) pairs[c] = _mm256_setzero_si256();
    ESP_UNROLL
    for (int g = begin; g < begin + kNarrow; ++g) {
      const __m256i weights = Load(codes + 32 * g);
      ESP_UNROLL
      for (int c = 0; c < kTokens; ++c) {
        const __m256i q = Broadcast4(x.q[c] + column + kGroupColumns * g);
        pairs[c] = _mm256_add_epi16(pairs[c], _mm256_maddubs_epi16(weights, q));
        SumNow(pairs[c]);
      }
    }
    ESP_UNROLL
    for (int c = 0; c < kTokens; ++c) sum[c] = _mm256_add_epi32(sum[c], Widen(pairs[c]));
  }
}

// Scales or minima of 8 rows.
template <bool kHalf>
ESP_INLINE __m256 LoadScales(const std::uint8_t* p, int index) {
  if constexpr (kHalf) {
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p) + index));
  } else {
    return _mm256_loadu_ps(reinterpret_cast<const float*>(p) + index * kTileRows);
  }
}

// Adds sub-block `sub` of one unit at `column` to f[c], in the order of kernels/kernels.h.
template <typename Block, int kTokens>
ESP_INLINE void AddSubBlock(const std::uint8_t* unit, int sub, const Columns& x, int column,
                            __m256 (&f)[kTokens]) {
  using Unit = PackedUnit<Block>;
  constexpr int kNumGroups = Block::kSubSize / kGroupColumns;
  const std::uint8_t* codes = unit + Unit::kCodeOffset + sub * kNumGroups * 32;
  const int first = column + sub * Block::kSubSize;
  __m256i sum[kTokens];
  ESP_UNROLL
  for (int c = 0; c < kTokens; ++c) sum[c] = _mm256_setzero_si256();
  if constexpr (Unit::kNibbles) {
    DotNibbles<kTokens>(codes, x, first, sum);
  } else if constexpr (Block::kCodeBits == 8) {
    DotSigned<kTokens>(codes, x, first, sum);
  } else {
    DotBytes<Block::kCodeBits, kNumGroups, kTokens>(codes, x, first, sum);
  }
  const __m256 scale = LoadScales<Unit::kHalfScales>(unit, sub);
  const int block = column / kActivationBlock;
  ESP_UNROLL
  for (int c = 0; c < kTokens; ++c) {
    if constexpr (Block::kZero != 0) {
      std::int32_t q_sum = x.sum[c][first / 16];
      if constexpr (Block::kSubSize == 32) q_sum += x.sum[c][first / 16 + 1];
      sum[c] = _mm256_sub_epi32(sum[c], _mm256_set1_epi32(Block::kZero * q_sum));
    }
    const __m256 step = _mm256_set1_ps(x.d[c][block]);
    f[c] = _mm256_fmadd_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(sum[c]), step), scale, f[c]);
  }
  if constexpr (Block::kHasMin) {
    const __m256 min = LoadScales<Unit::kHalfScales>(unit + Unit::kScaleBytes, sub);
    ESP_UNROLL
    for (int c = 0; c < kTokens; ++c) {
      f[c] = _mm256_fmadd_ps(min, _mm256_set1_ps(x.sum_d[c][block]), f[c]);
    }
  }
}

struct TileOutput {
  float* y;  // of the first token and the tile's first row
  std::int64_t stride;
  std::int64_t num_rows;  // of the tile, and beyond
};

template <typename Block, int kTokens>
void TileTimesColumns(const std::uint8_t* tile, const Rows& x, int token, const TileOutput& out) {
  using Unit = PackedUnit<Block>;
  const Columns columns = ColumnsFrom(x, token, kTokens);
  __m256 f[kTokens];
  ESP_UNROLL
  for (int c = 0; c < kTokens; ++c) f[c] = _mm256_setzero_ps();
  for (int column = 0; column < x.width; column += kUnitColumns, tile += Unit::kBytes) {
    for (int line = 0; line < Unit::kBytes; line += 64) {
      _mm_prefetch(reinterpret_cast<const char*>(tile + kPrefetchBytes + line), _MM_HINT_T0);
    }
    ESP_UNROLL
    for (int sub = 0; sub < Unit::kNumScales; ++sub) {
      AddSubBlock<Block, kTokens>(tile, sub, columns, column, f);
    }
  }
  ESP_UNROLL
  for (int c = 0; c < kTokens; ++c) {
    StoreFirst(out.y + (token + c) * out.stride, f[c], out.num_rows);
  }
}

template <typename Block>
void LinearOf(const LinearSlice& slice, const Rows& x) {
  const std::int64_t rows = slice.weight->rows;
  const std::int64_t row_bytes = x.width / kUnitColumns * PackedUnit<Block>::kBytes / kTileRows;
  const auto* packed = reinterpret_cast<const std::uint8_t*>(slice.packed);
  for (std::int64_t row = slice.row_begin; row < slice.row_end; row += kTileRows) {
    const std::uint8_t* tile = packed + row * row_bytes;
    const TileOutput out{slice.y + row, rows, slice.row_end - row};
    int t = 0;
    for (; t + 4 <= x.num_tokens; t += 4) TileTimesColumns<Block, 4>(tile, x, t, out);
    switch (x.num_tokens - t) {
      case 3: TileTimesColumns<Block, 3>(tile, x, t, out); break;
      case 2: TileTimesColumns<Block, 2>(tile, x, t, out); break;
      case 1: TileTimesColumns<Block, 1>(tile, x, t, out); break;
      default: break;
    }
  }
}

}  // namespace

void Linear(const LinearSlice& slice, const Rows& x) {
  switch (slice.weight->dtype) {
    case DType::kQ4_0: return LinearOf<Q4_0Block>(slice, x);
    case DType::kQ4_1: return LinearOf<Q4_1Block>(slice, x);
    case DType::kQ5_0: return LinearOf<Q5_0Block>(slice, x);
    case DType::kQ5_1: return LinearOf<Q5_1Block>(slice, x);
    case DType::kQ8_0: return LinearOf<Q8_0Block>(slice, x);
    case DType::kQ4_K: return LinearOf<Q4_KBlock>(slice, x);
    case DType::kQ5_K: return LinearOf<Q5_KBlock>(slice, x);
    case DType::kQ6_K: return LinearOf<Q6_KBlock>(slice, x);
    case DType::kF32:
    case DType::kF16:
    case DType::kBF16: break;
  }
  FloatLinear(slice, x, slice.packed, slice.weight->dtype);
}

}  // namespace espalier::avx2
