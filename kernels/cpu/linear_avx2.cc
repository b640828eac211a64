// Quantized linear layers for AVX2 over the tiles of packed.h: a lane is an output row.
//
// Four vectors of 8 rows times three tokens are in flight, so that a broadcast of
// activations serves four products and an unpacked weight three. Products of 4 columns are
// formed by maddubs (unsigned code x signed activation) as sums of two in int16, added there
// over as many groups as cannot overflow, then widened. What the codes were raised by
// (kZero) is taken off the exact integer sum. The float sums live in memory between units:
// they are touched once a unit, and the registers are needed for the integers.
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

constexpr int kMaxTokens = 3;                 // columns of activations in registers
constexpr int kVectors = kTileRows / kWidth;  // of a tile
constexpr int kPrefetchBytes = 4096;          // ahead in the stream of weights
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

// Vector v is of rows [8 v, 8 v + 8) of the tile.
using Weights = __m256i[kVectors];
template <int kTokens>
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

template <int kTokens>
ESP_INLINE void SetZero(Sums<kTokens>& sums) {
  ESP_UNROLL
  for (int v = 0; v < kVectors; ++v) {
    ESP_UNROLL
    for (int c = 0; c < kTokens; ++c) sums[v][c] = _mm256_setzero_si256();
  }
}

// pairs += one group of unsigned codes x the activations at `column`, in int16.
template <int kTokens>
ESP_INLINE void AddGroup(const Weights& w, const Columns& x, int column, Sums<kTokens>& pairs) {
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
template <int kTokens>
ESP_INLINE void WidenAll(Sums<kTokens>& pairs, Sums<kTokens>& sums) {
  ESP_UNROLL
  for (int v = 0; v < kVectors; ++v) {
    ESP_UNROLL
    for (int c = 0; c < kTokens; ++c) {
      sums[v][c] = _mm256_add_epi32(sums[v][c], Widen(pairs[v][c]));
    }
  }
  SetZero<kTokens>(pairs);
}

// The sums of one unit of 4-bit codes.
template <int kTokens>
ESP_INLINE void DotNibbles(const std::uint8_t* codes, const Columns& x, int column,
                           Sums<kTokens>& sums) {
  const __m256i mask = _mm256_set1_epi8(15);
  Sums<kTokens> pairs;  // at most 8 groups of 2 * 15 * 127 = 30,480
  SetZero<kTokens>(pairs);
  ESP_UNROLL
  for (int g = 0; g < kGroups / 2; ++g) {
    Weights both;
    Weights w;
    ESP_UNROLL
    for (int v = 0; v < kVectors; ++v) {
      both[v] = Load(codes + (kVectors * g + v) * 32);
      w[v] = _mm256_and_si256(both[v], mask);
    }
    AddGroup<kTokens>(w, x, column + kGroupColumns * g, pairs);
    ESP_UNROLL
    for (int v = 0; v < kVectors; ++v) {
      w[v] = _mm256_and_si256(_mm256_srli_epi16(both[v], 4), mask);
    }
    AddGroup<kTokens>(w, x, column + kGroupColumns * g + kUnitColumns / 2, pairs);
  }
  WidenAll<kTokens>(pairs, sums);
}

// Signed weights: |w| x (a with w's sign). 2 * 128 * 127 fits, so each group is widened.
template <int kTokens>
ESP_INLINE void DotSigned(const std::uint8_t* codes, const Columns& x, int column,
                          Sums<kTokens>& sums) {
  ESP_UNROLL
  for (int g = 0; g < kGroups; ++g) {
    __m256i q[kTokens];
    ESP_UNROLL
    for (int c = 0; c < kTokens; ++c) q[c] = Broadcast4(x.q[c] + column + kGroupColumns * g);
    ESP_UNROLL
    for (int v = 0; v < kVectors; ++v) {
      const __m256i weights = Load(codes + (kVectors * g + v) * 32);
      const __m256i magnitudes = _mm256_abs_epi8(weights);
      ESP_UNROLL
      for (int c = 0; c < kTokens; ++c) {
        const __m256i pairs = _mm256_maddubs_epi16(magnitudes, _mm256_sign_epi8(q[c], weights));
        sums[v][c] = _mm256_add_epi32(sums[v][c], Widen(pairs));
        SumNow(sums[v][c]);
      }
    }
  }
}

// Bytes below 2^kBits, over kNumGroups groups.
template <int kBits, int kNumGroups, int kTokens>
ESP_INLINE void DotBytes(const std::uint8_t* codes, const Columns& x, int column,
                         Sums<kTokens>& sums) {
  constexpr int kNarrow = 32767 / (2 * 127 * ((1 << kBits) - 1));  // groups that fit int16
  static_assert(kNumGroups % kNarrow == 0);
  Sums<kTokens> pairs;
  SetZero<kTokens>(pairs);
  ESP_UNROLL
  for (int g = 0; g < kNumGroups; ++g) {
    Weights w;
    ESP_UNROLL
    for (int v = 0; v < kVectors; ++v) w[v] = Load(codes + (kVectors * g + v) * 32);
    AddGroup<kTokens>(w, x, column + kGroupColumns * g, pairs);
    if (g % kNarrow == kNarrow - 1) WidenAll<kTokens>(pairs, sums);
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

// Adds the sums of sub-block `sub` to f [kTokens][kTileRows], in the order of
// kernels/kernels.h.
template <typename Block, int kTokens>
ESP_INLINE void AddScaled(const std::uint8_t* unit, int sub, const Columns& x, int column,
                          Sums<kTokens>& sums, float* f) {
  using Unit = PackedUnit<Block>;
  const int block = column / kActivationBlock;
  const int half = (column + sub * Block::kSubSize) / 16;
  __m256 scale[kVectors];
  __m256 min[kVectors];
  ESP_UNROLL
  for (int v = 0; v < kVectors; ++v) {
    const int index = sub * kVectors + v;
    scale[v] = LoadScales<Unit::kHalfScales>(unit, index);
    if constexpr (Block::kHasMin) {
      min[v] = LoadScales<Unit::kHalfScales>(unit + Unit::kScaleBytes, index);
    }
  }
  ESP_UNROLL
  for (int c = 0; c < kTokens; ++c) {
    const __m256 step = _mm256_set1_ps(x.d[c][block]);
    const __m256 sum_d = _mm256_set1_ps(x.sum_d[c][block]);
    ESP_UNROLL
    for (int v = 0; v < kVectors; ++v) {
      float* at = f + c * kTileRows + v * kWidth;
      __m256i sum = sums[v][c];
      if constexpr (Block::kZero != 0) {
        std::int32_t zero = x.sum[c][half];
        if constexpr (Block::kSubSize == 32) zero += x.sum[c][half + 1];
        sum = _mm256_sub_epi32(sum, _mm256_set1_epi32(zero * Block::kZero));
      }
      __m256 total = _mm256_load_ps(at);
      total = _mm256_fmadd_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(sum), step), scale[v], total);
      if constexpr (Block::kHasMin) total = _mm256_fmadd_ps(min[v], sum_d, total);
      _mm256_store_ps(at, total);
    }
  }
}

template <typename Block, int kTokens>
ESP_INLINE void AddUnit(const std::uint8_t* unit, const Columns& x, int column, float* f) {
  using Unit = PackedUnit<Block>;
  constexpr int kNumGroups = Block::kSubSize / kGroupColumns;
  ESP_UNROLL
  for (int sub = 0; sub < Unit::kNumScales; ++sub) {
    const std::uint8_t* codes = unit + Unit::kCodeOffset + sub * kNumGroups * Unit::kGroupBytes;
    const int first = column + sub * Block::kSubSize;
    Sums<kTokens> sums;
    SetZero<kTokens>(sums);
    if constexpr (Unit::kNibbles) {
      DotNibbles<kTokens>(codes, x, first, sums);
    } else if constexpr (Block::kCodeBits == 8) {
      DotSigned<kTokens>(codes, x, first, sums);
    } else {
      DotBytes<Block::kCodeBits, kNumGroups, kTokens>(codes, x, first, sums);
    }
    AddScaled<Block, kTokens>(unit, sub, x, column, sums, f);
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
  alignas(32) float f[kTokens * kTileRows] = {};
  for (int column = 0; column < x.width; column += kUnitColumns, tile += Unit::kBytes) {
    if (token == 0) {  // later tokens find the tile in the cache
      for (int line = 0; line < Unit::kBytes; line += 64) {
        _mm_prefetch(reinterpret_cast<const char*>(tile + kPrefetchBytes + line), _MM_HINT_T0);
      }
    }
    AddUnit<Block, kTokens>(tile, columns, column, f);
  }
  for (int c = 0; c < kTokens; ++c) {
    float* y = out.y + (token + c) * out.stride;
    for (int row = 0; row < kTileRows && row < out.num_rows; row += kWidth) {
      StoreFirst(y + row, _mm256_load_ps(f + c * kTileRows + row), out.num_rows - row);
    }
  }
}

template <typename Block>
void LinearOf(const LinearSlice& slice, const Rows& x) {
  const std::int64_t rows = slice.weight->rows;
  const std::int64_t tile_bytes = x.width / kUnitColumns * PackedUnit<Block>::kBytes;
  const auto* packed = reinterpret_cast<const std::uint8_t*>(slice.packed);
  for (std::int64_t row = slice.row_begin; row < slice.row_end; row += kTileRows) {
    const std::uint8_t* tile = packed + row / kTileRows * tile_bytes;
    const TileOutput out{slice.y + row, rows, slice.row_end - row};
    int t = 0;
    // Four left are two and two: a token alone costs nearly as much as two.
    for (; x.num_tokens - t == 3 || x.num_tokens - t > 4; t += 3) {
      TileTimesColumns<Block, 3>(tile, x, t, out);
    }
    for (; x.num_tokens - t >= 2; t += 2) TileTimesColumns<Block, 2>(tile, x, t, out);
    if (t < x.num_tokens) TileTimesColumns<Block, 1>(tile, x, t, out);
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
