// The layout of weights for instruction sets with vectors: a lane is an output, so nothing
// is folded across lanes, and 8 lanes and 16 read the same bytes.
//
// A tile is kTileRows = 32 rows. A tile of a quantized matrix is a run of units, one for 32
// columns, so that a tile is one stream of memory:
//
//   scales   [32 / kSubSize][32 rows]  halves as in the file; float32 for K-quants, whose
//                                      scale is a product
//   minima   the same, where the format has them
//   codes    weight + kZero, in groups of 4 columns: byte 4 r + i of a group is row r,
//            column i of the group. 4-bit formats hold groups g and g + 4 in the low and
//            high nibbles of the same 128 bytes, others have 128 bytes a group.
//
// A tile of a float matrix is [column][32 rows] in the file's type. Rows past the end are 0.
#pragma once

#include <cstddef>

#include "kernels/cpu/ops.h"

namespace espalier {

inline constexpr int kUnitColumns = 32;
inline constexpr int kGroupColumns = 4;

template <typename Block>
struct PackedUnit {
  static constexpr int kNumScales = kUnitColumns / Block::kSubSize;
  static constexpr bool kHalfScales = Block::kSize == kUnitColumns;
  static constexpr int kScaleBytes = kNumScales * kTileRows * (kHalfScales ? 2 : 4);
  static constexpr int kMinBytes = Block::kHasMin ? kScaleBytes : 0;
  static constexpr bool kNibbles = Block::kCodeBits == 4;
  static constexpr int kGroupBytes = kTileRows * kGroupColumns;
  static constexpr int kCodeBytes = kTileRows * kUnitColumns / (kNibbles ? 2 : 1);
  static constexpr int kCodeOffset = kScaleBytes + kMinBytes;
  static constexpr int kBytes = kCodeOffset + kCodeBytes;
};

// Bytes of one tile of `weight`.
std::size_t PackedTileBytes(const TensorView& weight);

// Writes tiles [begin, end) of `weight` to their places in `packed`.
void PackTiles(const TensorView& weight, std::int64_t begin, std::int64_t end, std::byte* packed);

}  // namespace espalier
