// Embed: a block is 256 elements of all rows, one thread each.
#include "kernels/cuda/ops.h"
#include "kernels/cuda/weights.h"

namespace espalier::ESP_DEVICE {
namespace {

constexpr int kThreads = 256;

template <typename Block>
__global__ void EmbedElements(Global<const Block> table, Global<const TokenId> tokens,
                              std::int64_t columns, std::int64_t size, Global<float> out) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (!Within(i, size)) return;
  const std::int64_t column = i % columns;
  const std::int64_t row = tokens[i / columns];
  out[i] = Element(table[row * (columns / Block::kSize) + column / Block::kSize],
                   static_cast<int>(column % Block::kSize));
}

}  // namespace

void Embed(Stream& stream, const TensorView& table, std::span<const TokenId> tokens, float* out) {
  const std::int64_t size = std::ssize(tokens) * table.columns;
  if (size == 0) return;
  WithElements(table.dtype, [&]<typename Block>() {
    Launch(stream, {NumBlocks(size, kThreads)}, kThreads, EmbedElements<Block>,
           BlocksOf<Block>(table), {tokens.data(), std::ssize(tokens)}, table.columns, size,
           {out, size});
  });
}

}  // namespace espalier::ESP_DEVICE
