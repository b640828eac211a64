// Linear layers with float weights for AVX2, over [column][32 rows] tiles: one fma chain an
// output, columns ascending. A chain waits for itself, so the four vectors of a tile times
// two tokens are in flight at once.
#include "kernels/cpu/avx2.h"
#include "kernels/cpu/packed.h"
#include "kernels/quant/dequantize.h"

namespace espalier::avx2 {
namespace {

constexpr int kVectors = kTileRows / kWidth;  // of a tile

// Rows [8 v, 8 v + 8) of one column.
template <DType kType>
__m256 LoadColumn(const std::byte* tile, std::int64_t k, int v) {
  const std::int64_t at = k * kTileRows + v * kWidth;
  if constexpr (kType == DType::kF32) {
    return _mm256_loadu_ps(reinterpret_cast<const float*>(tile) + at);
  } else {
    const __m128i halves = _mm_loadu_si128(
        reinterpret_cast<const __m128i*>(reinterpret_cast<const std::uint16_t*>(tile) + at));
    if constexpr (kType == DType::kF16) return _mm256_cvtph_ps(halves);
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
  }
}

struct Tile {
  const std::byte* data;
  std::int64_t row;  // the first
};

template <DType kType, int kTokens>
void TileTimesColumns(const Tile& tile, const LinearSlice& slice, const Rows& x, int token) {
  __m256 f[kVectors][kTokens];
  for (int v = 0; v < kVectors; ++v) {
    for (int c = 0; c < kTokens; ++c) f[v][c] = _mm256_setzero_ps();
  }
  const float* columns = x.x + std::int64_t{token} * x.width;
  for (int k = 0; k < x.width; ++k) {
    for (int v = 0; v < kVectors; ++v) {
      const __m256 w = LoadColumn<kType>(tile.data, k, v);
      for (int c = 0; c < kTokens; ++c) {
        const __m256 value = _mm256_broadcast_ss(columns + std::int64_t{c} * x.width + k);
        f[v][c] = _mm256_fmadd_ps(value, w, f[v][c]);
      }
    }
  }
  for (int v = 0; v < kVectors; ++v) {
    const std::int64_t row = tile.row + v * kWidth;
    for (int c = 0; c < kTokens && row < slice.row_end; ++c) {
      StoreFirst(slice.y + (token + c) * slice.weight->rows + row, f[v][c], slice.row_end - row);
    }
  }
}

template <DType kType>
void TileTimesAll(const Tile& tile, const LinearSlice& slice, const Rows& x) {
  int t = 0;
  for (; t + 2 <= x.num_tokens; t += 2) TileTimesColumns<kType, 2>(tile, slice, x, t);
  if (t < x.num_tokens) TileTimesColumns<kType, 1>(tile, slice, x, t);
}

template <DType kType>
void FloatLinearOf(const LinearSlice& slice, const Rows& x, const std::byte* packed) {
  const std::int64_t row_bytes = std::int64_t{x.width} * (kType == DType::kF32 ? 4 : 2);
  for (std::int64_t row = slice.row_begin; row < slice.row_end; row += kTileRows) {
    TileTimesAll<kType>({packed + row * row_bytes, row}, slice, x);
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
  float* tile = slice.scratch;  // [columns][32 rows]
  float* row = slice.scratch + kTileRows * w.columns;
  for (std::int64_t r = slice.row_begin; r < slice.row_end; r += kTileRows) {
    for (int i = 0; i < kTileRows && r + i < slice.row_end; ++i) {
      DequantizeRow(w, r + i, row);
      for (std::int64_t k = 0; k < w.columns; ++k) tile[k * kTileRows + i] = row[k];
    }
    const auto* data = reinterpret_cast<const std::byte*>(tile);
    LinearSlice one = slice;
    one.row_end = r + kTileRows < slice.row_end ? r + kTileRows : slice.row_end;
    TileTimesAll<DType::kF32>({data, r}, one, x);
  }
}

}  // namespace espalier::avx2
