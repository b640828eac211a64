// Rope: a block is 256 pairs of all heads, one thread each.
#include "kernels/cuda/ops.h"

namespace espalier::ESP_DEVICE {
namespace {

constexpr int kThreads = 256;

struct PairShape {
  int half;  // pairs of a head
  int num_heads;
  int head_dim;
  RopePairs pairs;
  std::int64_t size;  // pairs of all tokens
};

__global__ void RotatePairs(Global<const float> cosines, Global<const float> sines,
                            Global<const std::int32_t> position, PairShape shape, Global<float> x) {
  const std::int64_t index = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (!Within(index, shape.size)) return;
  const auto i = static_cast<int>(index % shape.half);
  const std::int64_t head = index / shape.half;  // of all tokens
  const std::int64_t angle = std::int64_t{position[head / shape.num_heads]} * shape.half + i;
  const bool neighbours = shape.pairs == RopePairs::kNeighbours;
  const std::int64_t first = head * shape.head_dim + (neighbours ? 2 * i : i);
  float& a = x[first];
  float& b = x[first + (neighbours ? 1 : shape.half)];
  const float rotated = fmaf(a, cosines[angle], -(b * sines[angle]));
  b = fmaf(a, sines[angle], b * cosines[angle]);
  a = rotated;
}

}  // namespace

void Rope(Stream& stream, const RopeTable& table, const HeadRows& rows) {
  const std::int64_t num_heads = std::ssize(rows.position) * rows.num_heads;
  const PairShape shape = {table.rotary_dim / 2, rows.num_heads, rows.head_dim, table.pairs,
                           num_heads * (table.rotary_dim / 2)};
  if (shape.size == 0) return;
  Launch(stream, {NumBlocks(shape.size, kThreads)}, kThreads, RotatePairs,
         {table.cos.data(), std::ssize(table.cos)}, {table.sin.data(), std::ssize(table.sin)},
         {rows.position.data(), std::ssize(rows.position)}, shape,
         {rows.x, num_heads * rows.head_dim});
}

}  // namespace espalier::ESP_DEVICE
