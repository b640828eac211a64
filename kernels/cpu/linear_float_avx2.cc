// Linear layers with float weights for AVX2, over [column][8 rows] tiles: one fma chain an
// output, columns ascending. A chain waits for itself, so several tiles or tokens are in
// flight at once.
#include "kernels/cpu/avx2.h"
#include "kernels/cpu/packed.h"
#include "kernels/quant/dequantize.h"

namespace espalier::avx2 {
namespace {

// The 8 rows of one column.
template <DType kType>
__m256 LoadColumn(const std::byte* tile, std::int64_t k) {
  if constexpr (kType == DType::kF32) {
    return _mm256_loadu_ps(reinterpret_cast<const float*>(tile) + k * kTileRows);
  } else {
    const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(tile) + k);
    if constexpr (kType == DType::kF16) return _mm256_cvtph_ps(halves);
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
  }
}

struct Tiles {
  const std::byte* data;
  std::int64_t tile_bytes;
  std::int64_t row;  // of the first
};

template <DType kType, int kTiles, int kTokens>
void TilesTimesColumns(const Tiles& tiles, const LinearSlice& slice, const Rows& x, int token) {
  __m256 f[kTiles][kTokens];
  for (int i = 0; i < kTiles; ++i) {
    for (int c = 0; c < kTokens; ++c) f[i][c] = _mm256_setzero_ps();
  }
  const float* columns = x.x + std::int64_t{token} * x.width;
  for (int k = 0; k < x.width; ++k) {
    for (int i = 0; i < kTiles; ++i) {
      const __m256 w = LoadColumn<kType>(tiles.data + i * tiles.tile_bytes, k);
      for (int c = 0; c < kTokens; ++c) {
        const __m256 value = _mm256_broadcast_ss(columns + std::int64_t{c} * x.width + k);
        f[i][c] = _mm256_fmadd_ps(value, w, f[i][c]);
      }
    }
  }
  for (int i = 0; i < kTiles; ++i) {
    const std::int64_t row = tiles.row + i * kTileRows;
    for (int c = 0; c < kTokens; ++c) {
      StoreFirst(slice.y + (token + c) * slice.weight->rows + row, f[i][c], slice.row_end - row);
    }
  }
}

template <DType kType, int kTiles>
void TilesTimesAll(const Tiles& tiles, const LinearSlice& slice, const Rows& x) {
  constexpr int kTokens = 8 / kTiles;  // 8 chains
  int t = 0;
  for (; t + kTokens <= x.num_tokens; t += kTokens) {
    TilesTimesColumns<kType, kTiles, kTokens>(tiles, slice, x, t);
  }
  for (; t < x.num_tokens; ++t) TilesTimesColumns<kType, kTiles, 1>(tiles, slice, x, t);
}

template <DType kType>
void FloatLinearOf(const LinearSlice& slice, const Rows& x, const std::byte* packed) {
  const std::int64_t tile_bytes =
      std::int64_t{x.width} * kTileRows * (kType == DType::kF32 ? 4 : 2);
  std::int64_t row = slice.row_begin;
  for (; row + 4 * kTileRows <= slice.row_end; row += 4 * kTileRows) {
    TilesTimesAll<kType, 4>({packed + row / kTileRows * tile_bytes, tile_bytes, row}, slice, x);
  }
  for (; row < slice.row_end; row += kTileRows) {
    TilesTimesAll<kType, 1>({packed + row / kTileRows * tile_bytes, tile_bytes, row}, slice, x);
  }
}

}  // namespace

void FloatLinear(const LinearSlice& slice, const Rows& x, const std::byte* packed, DType dtype) {
  switch (dtype) {
    case DType::kF16: return FloatLinearOf<DType::kF16>(slice, x, packed);
    case DType::kBF16: return FloatLinearOf<DType::kBF16>(slice, x, packed);
    default: return FloatLinearOf<DType::kF32>(slice, x, packed);
  }
}

void LinearExact(const LinearSlice& slice, const Rows& x) {
  const TensorView& w = *slice.weight;
  if (slice.packed != nullptr) return FloatLinear(slice, x, slice.packed, w.dtype);
  float* tile = slice.scratch;  // [columns][8 rows]
  float* row = slice.scratch + kTileRows * w.columns;
  for (std::int64_t r = slice.row_begin; r < slice.row_end; r += kTileRows) {
    for (int i = 0; i < kTileRows && r + i < slice.row_end; ++i) {
      DequantizeRow(w, r + i, row);
      for (std::int64_t k = 0; k < w.columns; ++k) tile[k * kTileRows + i] = row[k];
    }
    const auto* data = reinterpret_cast<const std::byte*>(tile);
    LinearSlice one = slice;
    one.row_end = r + kTileRows < slice.row_end ? r + kTileRows : slice.row_end;
    TilesTimesAll<DType::kF32, 1>({data, 0, r}, one, x);
  }
}

}  // namespace espalier::avx2
