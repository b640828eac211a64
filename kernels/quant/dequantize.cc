#include "kernels/quant/dequantize.h"

#include <cstring>

#include "kernels/quant/formats.h"

namespace espalier {
namespace {

template <typename Block>
void DequantizeBlocks(const void* row, std::int64_t columns, float* out) {
  const auto* blocks = static_cast<const Block*>(row);
  for (std::int64_t b = 0; b < columns / Block::kSize; ++b) {
    DequantizeBlock(blocks[b], out + b * Block::kSize);
  }
}

}  // namespace

void DequantizeRow(const TensorView& tensor, std::int64_t row, float* out) {
  const void* data = static_cast<const std::byte*>(tensor.data) + row * tensor.row_bytes();
  const auto* halves = static_cast<const std::uint16_t*>(data);
  switch (tensor.dtype) {
    case DType::kF32: std::memcpy(out, data, static_cast<std::size_t>(tensor.row_bytes())); return;
    case DType::kF16:
      for (std::int64_t i = 0; i < tensor.columns; ++i) out[i] = HalfToFloat(halves[i]);
      return;
    case DType::kBF16:
      for (std::int64_t i = 0; i < tensor.columns; ++i) out[i] = Bfloat16ToFloat(halves[i]);
      return;
    default: break;
  }
  WithBlock(tensor.dtype,
            [&]<typename Block>() { DequantizeBlocks<Block>(data, tensor.columns, out); });
}

}  // namespace espalier
