#include "kernels/cpu/packed.h"

#include <algorithm>
#include <cstring>

#include "kernels/quant/formats.h"

namespace espalier {
namespace {

const std::byte* RowOf(const TensorView& weight, std::int64_t row) {
  return static_cast<const std::byte*>(weight.data) + row * weight.row_bytes();
}

// Writes scale or minimum number `index`, as the LoadScales<kHalf> of the vector versions read it.
template <bool kHalf>
void PutScale(float value, int index, std::byte* to) {
  if constexpr (kHalf) {
    const std::uint16_t half = FloatToHalf(value);  // exact: it was a half in the file
    std::memcpy(to + 2 * index, &half, sizeof(half));
  } else {
    std::memcpy(to + 4 * index, &value, sizeof(value));
  }
}

// codes [32 rows][32 columns] to groups [8][32 rows][4 columns].
void Interleave(const std::uint8_t (&codes)[kTileRows][kUnitColumns], std::uint8_t* groups) {
  for (int g = 0; g < kUnitColumns / kGroupColumns; ++g) {
    for (int r = 0; r < kTileRows; ++r) {
      std::memcpy(groups + (g * kTileRows + r) * kGroupColumns, &codes[r][g * kGroupColumns],
                  kGroupColumns);
    }
  }
}

// Packs the units of one block column: `blocks[r]` is row r's block, null past the end.
template <typename Block>
void PackBlock(const Block* const (&blocks)[kTileRows], std::byte* packed) {
  using Unit = PackedUnit<Block>;
  constexpr int kNumUnits = Block::kSize / kUnitColumns;
  std::uint8_t codes[kNumUnits][kTileRows][kUnitColumns] = {};
  std::memset(packed, 0, std::size_t{kNumUnits} * Unit::kBytes);
  for (int r = 0; r < kTileRows; ++r) {
    if (blocks[r] == nullptr) continue;
    std::int8_t weights[Block::kSize];
    blocks[r]->Unpack(weights);
    for (int i = 0; i < Block::kSize; ++i) {
      codes[i / kUnitColumns][r][i % kUnitColumns] =
          static_cast<std::uint8_t>(weights[i] + Block::kZero);
    }
    for (int s = 0; s < Block::kSize / Block::kSubSize; ++s) {
      std::byte* unit = packed + s / Unit::kNumScales * Unit::kBytes;
      const int index = s % Unit::kNumScales * kTileRows + r;
      PutScale<Unit::kHalfScales>(blocks[r]->Scale(s), index, unit);
      if constexpr (Block::kHasMin) {
        PutScale<Unit::kHalfScales>(blocks[r]->Min(s), index, unit + Unit::kScaleBytes);
      }
    }
  }
  for (int u = 0; u < kNumUnits; ++u) {
    std::uint8_t groups[kTileRows * kUnitColumns];
    Interleave(codes[u], groups);
    auto* to = reinterpret_cast<std::uint8_t*>(packed + u * Unit::kBytes + Unit::kCodeOffset);
    for (int i = 0; i < Unit::kCodeBytes; ++i) {
      to[i] = Unit::kNibbles
                  ? static_cast<std::uint8_t>(groups[i] | (groups[i + Unit::kCodeBytes] << 4))
                  : groups[i];
    }
  }
}

template <typename Block>
void PackQuantizedTile(const TensorView& weight, std::int64_t tile, std::byte* packed) {
  const std::int64_t num_blocks = weight.columns / Block::kSize;
  constexpr std::int64_t kBlockBytes =
      std::int64_t{PackedUnit<Block>::kBytes} * (Block::kSize / kUnitColumns);
  for (std::int64_t b = 0; b < num_blocks; ++b) {
    const Block* blocks[kTileRows] = {};
    for (int r = 0; r < kTileRows; ++r) {
      const std::int64_t row = tile * kTileRows + r;
      if (row < weight.rows) blocks[r] = reinterpret_cast<const Block*>(RowOf(weight, row)) + b;
    }
    PackBlock(blocks, packed + b * kBlockBytes);
  }
}

template <typename Element>
void PackFloatTile(const TensorView& weight, std::int64_t tile, std::byte* packed) {
  auto* to = reinterpret_cast<Element*>(packed);
  for (int r = 0; r < kTileRows; ++r) {
    const std::int64_t row = tile * kTileRows + r;
    const auto* from =
        row < weight.rows ? reinterpret_cast<const Element*>(RowOf(weight, row)) : nullptr;
    for (std::int64_t k = 0; k < weight.columns; ++k) {
      to[k * kTileRows + r] = from == nullptr ? Element{} : from[k];
    }
  }
}

void PackTile(const TensorView& weight, std::int64_t tile, std::byte* packed) {
  switch (weight.dtype) {
    case DType::kF32: return PackFloatTile<float>(weight, tile, packed);
    case DType::kF16:
    case DType::kBF16: return PackFloatTile<std::uint16_t>(weight, tile, packed);
    default: break;
  }
  WithBlock(weight.dtype,
            [&]<typename Block>() { PackQuantizedTile<Block>(weight, tile, packed); });
}

}  // namespace

std::size_t PackedTileBytes(const TensorView& weight) {
  const auto columns = static_cast<std::size_t>(weight.columns);
  if (!IsQuantized(weight.dtype)) {
    return columns * kTileRows * static_cast<std::size_t>(Traits(weight.dtype).block_bytes);
  }
  return WithBlock(weight.dtype, [&]<typename Block>() {
    return columns / kUnitColumns * std::size_t{PackedUnit<Block>::kBytes};
  });
}

void PackTiles(const TensorView& weight, std::int64_t begin, std::int64_t end, std::byte* packed) {
  const auto tile_bytes = static_cast<std::int64_t>(PackedTileBytes(weight));
  for (std::int64_t tile = begin; tile < end; ++tile) {
    PackTile(weight, tile, packed + tile * tile_bytes);
  }
}

}  // namespace espalier
