// Quantized linear layers for AVX2 over the tiles of packed.h: a lane is an output row.
//
// One or two tokens take the four vectors of a tile at once: one stream of memory, which is
// what they wait for. More tokens take two vectors times six tokens, so that a broadcast of
// activations serves two products and an unpacked weight six. The float sums lie in memory
// between units: they are touched once a unit, and the integers need the registers.
#include "kernels/cpu/avx2_units.h"
#include "kernels/quant/q4_0.h"
#include "kernels/quant/q4_1.h"
#include "kernels/quant/q4_k.h"
#include "kernels/quant/q5_0.h"
#include "kernels/quant/q5_1.h"
#include "kernels/quant/q5_k.h"
#include "kernels/quant/q6_k.h"
#include "kernels/quant/q8_0.h"

namespace espalier::avx2 {
namespace {

constexpr int kMaxTokens = 6;  // columns of activations in registers
constexpr int kTileVectors = kTileRows / kWidth;
constexpr int kPrefetchBytes = 4096;  // ahead in the stream of weights

// Where the outputs of one tile go.
struct TileOutput {
  float* y;  // of token 0 and the tile's first row
  std::int64_t stride;
  std::int64_t num_rows;  // of the tile, and beyond
};

// The sums of 4-bit codes, from the tile's bytes of its first group on.
template <int kVectors, int kTokens>
ESP_INLINE void DotNibbles(const std::uint8_t* codes, const Columns<kTokens>& x, int column,
                           Sums<kVectors, kTokens>& sums) {
  const __m256i mask = _mm256_set1_epi8(15);
  Sums<kVectors, kTokens> pairs;  // at most 8 groups of 2 * 15 * 127 = 30,480
  SetZero<kVectors, kTokens>(pairs);
  ESP_UNROLL
  for (int g = 0; g < kGroups / 2; ++g) {
    __m256i both[kVectors];
    __m256i w[kVectors];
    ESP_UNROLL
    for (int v = 0; v < kVectors; ++v) {
      both[v] = Load(codes + g * kGroupBytes + v * 32);
      w[v] = _mm256_and_si256(both[v], mask);
    }
    AddGroup<kVectors, kTokens>(w, x, column + kGroupColumns * g, pairs);
    ESP_UNROLL
    for (int v = 0; v < kVectors; ++v) {
      w[v] = _mm256_and_si256(_mm256_srli_epi16(both[v], 4), mask);
    }
    AddGroup<kVectors, kTokens>(w, x, column + kGroupColumns * g + kUnitColumns / 2, pairs);
  }
  WidenAll<kVectors, kTokens>(pairs, sums);
}

// Adds vectors [first_vector, first_vector + kVectors) of one unit to f.
template <typename Block, int kVectors, int kTokens>
ESP_INLINE void AddUnit(const std::uint8_t* unit, int first_vector, const Columns<kTokens>& x,
                        int column, float* f) {
  using Unit = PackedUnit<Block>;
  constexpr int kNumGroups = Block::kSubSize / kGroupColumns;
  ESP_UNROLL
  for (int sub = 0; sub < Unit::kNumScales; ++sub) {
    const std::uint8_t* codes =
        unit + Unit::kCodeOffset + sub * kNumGroups * kGroupBytes + first_vector * 32;
    const int first = column + sub * Block::kSubSize;
    Sums<kVectors, kTokens> sums;
    SetZero<kVectors, kTokens>(sums);
    if constexpr (Unit::kNibbles) {
      DotNibbles<kVectors, kTokens>(codes, x, first, sums);
    } else if constexpr (Block::kCodeBits == 8) {
      DotSigned<kVectors, kTokens>(codes, x, first, sums);
    } else {
      DotBytes<Block::kCodeBits, kNumGroups, kVectors, kTokens>(codes, x, first, sums);
    }
    __m256 scale[kVectors];
    __m256 min[kVectors] = {};
    ESP_UNROLL
    for (int v = 0; v < kVectors; ++v) {
      const int index = sub * kTileVectors + first_vector + v;
      scale[v] = LoadScales<Unit::kHalfScales>(unit, index);
      if constexpr (Block::kHasMin) {
        min[v] = LoadScales<Unit::kHalfScales>(unit + Unit::kScaleBytes, index);
      }
    }
    AddScaled<Block, kVectors, kTokens>(x, column, sub, scale, min, sums, f);
  }
}

// The outputs of kTokens tokens from `token` on, for kVectors vectors of the tile at a time.
template <typename Block, int kVectors, int kTokens>
void TileTimesTokens(const std::uint8_t* tile, const Rows& x, int token, const TileOutput& out) {
  using Unit = PackedUnit<Block>;
  const Columns<kTokens> columns(x, token);
  for (int first = 0; first < kTileVectors; first += kVectors) {
    alignas(32) float f[kTokens * kVectors * kWidth] = {};
    const std::uint8_t* unit = tile;
    for (int column = 0; column < x.width; column += kUnitColumns, unit += Unit::kBytes) {
      if (token == 0 && first == 0) {  // later ones find the tile in the cache
        for (int line = 0; line < Unit::kBytes; line += 64) {
          _mm_prefetch(reinterpret_cast<const char*>(unit + kPrefetchBytes + line), _MM_HINT_T0);
        }
      }
      AddUnit<Block, kVectors, kTokens>(unit, first, columns, column, f);
    }
    for (int c = 0; c < kTokens; ++c) {
      float* y = out.y + (token + c) * out.stride + first * kWidth;
      const std::int64_t num_rows = out.num_rows - first * kWidth;
      for (int i = 0; i < kVectors * kWidth && i < num_rows; i += kWidth) {
        StoreFirst(y + i, _mm256_load_ps(f + c * kVectors * kWidth + i), num_rows - i);
      }
    }
  }
}

template <typename Block>
void TileTimesAll(const std::uint8_t* tile, const Rows& x, const TileOutput& out) {
  const int num_runs = (x.num_tokens + kMaxTokens - 1) / kMaxTokens;  // of nearly equal length
  for (int i = 0; i < num_runs; ++i) {
    const int token = x.num_tokens * i / num_runs;
    switch (x.num_tokens * (i + 1) / num_runs - token) {
      case 1: TileTimesTokens<Block, kTileVectors, 1>(tile, x, token, out); break;
      case 2: TileTimesTokens<Block, kTileVectors, 2>(tile, x, token, out); break;
      case 3: TileTimesTokens<Block, kTileVectors / 2, 3>(tile, x, token, out); break;
      case 4: TileTimesTokens<Block, kTileVectors / 2, 4>(tile, x, token, out); break;
      case 5: TileTimesTokens<Block, kTileVectors / 2, 5>(tile, x, token, out); break;
      default: TileTimesTokens<Block, kTileVectors / 2, 6>(tile, x, token, out); break;
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
  FloatLinear(slice, x, slice.packed, slice.weight->dtype);
}

}  // namespace espalier::avx2
