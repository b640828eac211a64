// Quantized linear layers for AVX-512 with VNNI over the tiles of packed.h: a lane is an
// output row, a tile two vectors.
//
// vpdpbusd adds the products of 4 columns (unsigned code x signed activation) to a lane of
// int32 at once. Signed codes are raised by 128; that and kZero are taken off the exact
// integer sum. Up to eight tokens are in flight, each with two vectors of sums.
#include <immintrin.h>

#include <cstring>

#include "kernels/cpu/avx2_ops.h"
#include "kernels/cpu/avx512vnni.h"
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

namespace espalier::avx512vnni {
namespace {

constexpr int kWidth = 16;     // float32 lanes
constexpr int kMaxTokens = 8;  // columns of activations in registers
constexpr int kTileVectors = kTileRows / kWidth;
constexpr int kGroups = kUnitColumns / kGroupColumns;
constexpr int kGroupBytes = kTileRows * kGroupColumns;
constexpr int kPrefetchBytes = 4096;  // ahead in the stream of weights

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

template <int kTokens>
using Sums = __m512i[kTileVectors][kTokens];

// Four activations in each lane: a broadcast within the product's own load.
ESP_INLINE __m512i Broadcast4(const std::int8_t* q) {
  int bytes;
  std::memcpy(&bytes, q, sizeof(bytes));
  return _mm512_set1_epi32(bytes);
}

ESP_INLINE __m512i Load(const std::uint8_t* p) { return _mm512_loadu_si512(p); }

// sums += one group of unsigned codes x the activations at `column`.
template <int kTokens>
ESP_INLINE void AddGroup(const __m512i (&w)[kTileVectors], const Columns<kTokens>& x, int column,
                         Sums<kTokens>& sums) {
  ESP_UNROLL
  for (int c = 0; c < kTokens; ++c) {
    const __m512i q = Broadcast4(x.q[c] + column);
    ESP_UNROLL
    for (int v = 0; v < kTileVectors; ++v) sums[v][c] = _mm512_dpbusd_epi32(sums[v][c], w[v], q);
  }
}

// The sums of one unit of 4-bit codes.
template <int kTokens>
ESP_INLINE void DotNibbles(const std::uint8_t* codes, const Columns<kTokens>& x, int column,
                           Sums<kTokens>& sums) {
  const __m512i mask = _mm512_set1_epi8(15);
  ESP_UNROLL
  for (int g = 0; g < kGroups / 2; ++g) {
    __m512i low[kTileVectors];
    __m512i high[kTileVectors];
    ESP_UNROLL
    for (int v = 0; v < kTileVectors; ++v) {
      const __m512i both = Load(codes + g * kGroupBytes + v * 64);
      low[v] = _mm512_and_si512(both, mask);
      high[v] = _mm512_and_si512(_mm512_srli_epi16(both, 4), mask);
    }
    AddGroup<kTokens>(low, x, column + kGroupColumns * g, sums);
    AddGroup<kTokens>(high, x, column + kGroupColumns * g + kUnitColumns / 2, sums);
  }
}

// Codes of a byte; those of signed formats are raised by 128.
template <typename Block, int kTokens>
ESP_INLINE void DotBytes(const std::uint8_t* codes, const Columns<kTokens>& x, int column,
                         Sums<kTokens>& sums) {
  const __m512i raise = _mm512_set1_epi8(static_cast<char>(Block::kCodeBits == 8 ? 0x80 : 0));
  ESP_UNROLL
  for (int g = 0; g < Block::kSubSize / kGroupColumns; ++g) {
    __m512i w[kTileVectors];
    ESP_UNROLL
    for (int v = 0; v < kTileVectors; ++v) {
      w[v] = Load(codes + g * kGroupBytes + v * 64);
      if constexpr (Block::kCodeBits == 8) w[v] = _mm512_xor_si512(w[v], raise);
    }
    AddGroup<kTokens>(w, x, column + kGroupColumns * g, sums);
  }
}

template <bool kHalf>
ESP_INLINE __m512 LoadScales(const std::uint8_t* p, int index) {
  if constexpr (kHalf) {
    return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p) + index));
  } else {
    return _mm512_loadu_ps(reinterpret_cast<const float*>(p) + index * kWidth);
  }
}

// Adds the sums of sub-block `sub` to f [kTokens][kTileRows], in the order of
// kernels/kernels.h.
template <typename Block, int kTokens>
ESP_INLINE void AddScaled(const std::uint8_t* unit, int sub, const Columns<kTokens>& x, int column,
                          const Sums<kTokens>& sums, float* f) {
  using Unit = PackedUnit<Block>;
  constexpr int kRaised = Block::kCodeBits == 8 ? 128 : Block::kZero;
  const int block = column / kActivationBlock;
  const int half = (column + sub * Block::kSubSize) / 16;
  ESP_UNROLL
  for (int v = 0; v < kTileVectors; ++v) {
    const int index = sub * kTileVectors + v;
    const __m512 scale = LoadScales<Unit::kHalfScales>(unit, index);
    ESP_UNROLL
    for (int c = 0; c < kTokens; ++c) {
      __m512i sum = sums[v][c];
      if constexpr (kRaised != 0) {
        std::int32_t q_sum = x.sum[c][half];
        if constexpr (Block::kSubSize == 32) q_sum += x.sum[c][half + 1];
        sum = _mm512_sub_epi32(sum, _mm512_set1_epi32(kRaised * q_sum));
      }
      float* at = f + c * kTileRows + v * kWidth;
      const __m512 step = _mm512_set1_ps(x.d[c][block]);
      __m512 total = _mm512_load_ps(at);
      total = _mm512_fmadd_ps(_mm512_mul_ps(_mm512_cvtepi32_ps(sum), step), scale, total);
      if constexpr (Block::kHasMin) {
        const __m512 min = LoadScales<Unit::kHalfScales>(unit + Unit::kScaleBytes, index);
        total = _mm512_fmadd_ps(min, _mm512_set1_ps(x.sum_d[c][block]), total);
      }
      _mm512_store_ps(at, total);
    }
  }
}

template <typename Block, int kTokens>
ESP_INLINE void AddUnit(const std::uint8_t* unit, const Columns<kTokens>& x, int column, float* f) {
  using Unit = PackedUnit<Block>;
  constexpr int kNumGroups = Block::kSubSize / kGroupColumns;
  ESP_UNROLL
  for (int sub = 0; sub < Unit::kNumScales; ++sub) {
    const std::uint8_t* codes = unit + Unit::kCodeOffset + sub * kNumGroups * kGroupBytes;
    const int first = column + sub * Block::kSubSize;
    Sums<kTokens> sums;
    ESP_UNROLL
    for (int v = 0; v < kTileVectors; ++v) {
      ESP_UNROLL
      for (int c = 0; c < kTokens; ++c) sums[v][c] = _mm512_setzero_si512();
    }
    if constexpr (Unit::kNibbles) {
      DotNibbles<kTokens>(codes, x, first, sums);
    } else {
      DotBytes<Block, kTokens>(codes, x, first, sums);
    }
    AddScaled<Block, kTokens>(unit, sub, x, column, sums, f);
  }
}

// Where the outputs of one tile go.
struct TileOutput {
  float* y;  // of token 0 and the tile's first row
  std::int64_t stride;
  std::int64_t num_rows;  // of the tile, and beyond
};

template <typename Block, int kTokens>
void TileTimesTokens(const std::uint8_t* tile, const Rows& x, int token, const TileOutput& out) {
  using Unit = PackedUnit<Block>;
  const Columns<kTokens> columns(x, token);
  alignas(64) float f[kTokens * kTileRows] = {};
  for (int column = 0; column < x.width; column += kUnitColumns, tile += Unit::kBytes) {
    if (token == 0) {  // later ones find the tile in the cache
      for (int line = 0; line < Unit::kBytes; line += 64) {
        _mm_prefetch(reinterpret_cast<const char*>(tile + kPrefetchBytes + line), _MM_HINT_T0);
      }
    }
    AddUnit<Block, kTokens>(tile, columns, column, f);
  }
  for (int c = 0; c < kTokens; ++c) {
    for (int row = 0; row < kTileRows && row < out.num_rows; row += kWidth) {
      const std::int64_t left = out.num_rows - row;
      const auto lanes = static_cast<__mmask16>(left >= kWidth ? 0xffff : (1 << left) - 1);
      _mm512_mask_storeu_ps(out.y + (token + c) * out.stride + row, lanes,
                            _mm512_load_ps(f + c * kTileRows + row));
    }
  }
}

template <typename Block>
void TileTimesAll(const std::uint8_t* tile, const Rows& x, const TileOutput& out) {
  const int num_runs = (x.num_tokens + kMaxTokens - 1) / kMaxTokens;  // of nearly equal length
  for (int i = 0; i < num_runs; ++i) {
    const int token = x.num_tokens * i / num_runs;
    switch (x.num_tokens * (i + 1) / num_runs - token) {
      case 1: TileTimesTokens<Block, 1>(tile, x, token, out); break;
      case 2: TileTimesTokens<Block, 2>(tile, x, token, out); break;
      case 3: TileTimesTokens<Block, 3>(tile, x, token, out); break;
      case 4: TileTimesTokens<Block, 4>(tile, x, token, out); break;
      case 5: TileTimesTokens<Block, 5>(tile, x, token, out); break;
      case 6: TileTimesTokens<Block, 6>(tile, x, token, out); break;
      case 7: TileTimesTokens<Block, 7>(tile, x, token, out); break;
      default: TileTimesTokens<Block, 8>(tile, x, token, out); break;
    }
  }
}

template <typename Block>
void LinearOf(const LinearSlice& slice, const Rows& x) {
  const std::int64_t tile_bytes = x.width / kUnitColumns * PackedUnit<Block>::kBytes;
  const auto* packed = reinterpret_cast<const std::uint8_t*>(slice.packed);
  for (std::int64_t row = slice.row_begin; row < slice.row_end; row += kTileRows) {
    const TileOutput out{slice.y + row, slice.weight->rows, slice.row_end - row};
    TileTimesAll<Block>(packed + row / kTileRows * tile_bytes, x, out);
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
  avx2::FloatLinear(slice, x, slice.packed, slice.weight->dtype);
}

}  // namespace espalier::avx512vnni
