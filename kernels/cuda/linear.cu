// Linear: a warp has 16 rows of the weight and up to 32 tokens. It takes the width 16 elements
// at a time, in ascending order: those of the weight become halves in registers, once for all
// tokens, and each 8 tokens are one tensor-core product that adds to float32 sums.
//
// An output is one such chain over the whole width, whatever the number of tokens: the same
// token has the same bits in prefill, in decode and after preemption. No k is ever split.
#include "kernels/cuda/ops.h"
#include "kernels/cuda/weights.h"

namespace espalier::ESP_DEVICE {
namespace {

constexpr int kWarps = 4;
constexpr int kThreads = kWarps * kWarpSize;
constexpr int kRows = 16;   // of a warp
constexpr int kTokens = 8;  // of one product
constexpr int kProducts = 4;
constexpr int kStep = 16;

struct LinearShape {
  std::int64_t rows;
  int num_tokens;
  int width;
  LinearOutput output;
};

__device__ std::uint32_t Pair(std::uint16_t low, std::uint16_t high) {
  return low | static_cast<std::uint32_t>(high) << 16;
}

// Elements k and k + 1 of the weight's row as halves; 0 outside of it.
template <typename Block>
__device__ std::uint32_t WeightPair(const Global<const Block>& w, const LinearShape& shape,
                                    std::int64_t row, int k) {
  std::uint16_t halves[2] = {0, 0};
  for (int i = 0; i < 2; ++i) {
    if (Within(row, shape.rows) && Within(k + i, shape.width)) {
      const std::int64_t block = row * (shape.width / Block::kSize) + (k + i) / Block::kSize;
      halves[i] = ToHalf(Element(w[block], (k + i) % Block::kSize));
    }
  }
  return Pair(halves[0], halves[1]);
}

__device__ std::uint32_t InputPair(const Global<const std::uint16_t>& x, const LinearShape& shape,
                                   int token, int k) {
  std::uint16_t halves[2] = {0, 0};
  for (int i = 0; i < 2; ++i) {
    if (Within(token, shape.num_tokens) && Within(k + i, shape.width)) {
      halves[i] = x[std::int64_t{token} * shape.width + k + i];
    }
  }
  return Pair(halves[0], halves[1]);
}

__device__ void PutSums(const float (&sums)[4], const LinearShape& shape, std::int64_t row,
                        int token, Global<float> y) {
  for (int i = 0; i < 4; ++i) {
    const std::int64_t r = row + 8 * (i / 2);
    const int t = token + i % 2;
    if (!Within(r, shape.rows) || !Within(t, shape.num_tokens)) continue;
    float& to = y[t * shape.rows + r];
    to = shape.output == LinearOutput::kAdd ? to + sums[i] : sums[i];
  }
}

template <typename Block>
__global__ __launch_bounds__(kThreads) void LinearRowsOfWarp(Global<const Block> w,
                                                             Global<const std::uint16_t> x,
                                                             LinearShape shape, Global<float> y) {
  const auto warp = static_cast<int>(threadIdx.x) / kWarpSize;
  const auto lane = static_cast<int>(threadIdx.x) % kWarpSize;
  const std::int64_t row = (std::int64_t{blockIdx.x} * kWarps + warp) * kRows + lane / 4;
  const int first_token = static_cast<int>(blockIdx.y) * kTokens * kProducts;
  const int num_products = Min(kProducts, (shape.num_tokens - first_token + kTokens - 1) / kTokens);
  float sums[kProducts][4] = {};
  for (int step = 0; step < shape.width; step += kStep) {
    const int k = step + lane % 4 * 2;
    std::uint32_t a[4];
    for (int i = 0; i < 4; ++i) a[i] = WeightPair(w, shape, row + 8 * (i % 2), k + 8 * (i / 2));
#pragma unroll
    for (int p = 0; p < kProducts; ++p) {
      if (p >= num_products) continue;
      const int token = first_token + p * kTokens + lane / 4;
      const std::uint32_t b[2] = {InputPair(x, shape, token, k), InputPair(x, shape, token, k + 8)};
      Mma16x8x16(a, b, sums[p]);
    }
  }
#pragma unroll
  for (int p = 0; p < kProducts; ++p) {
    PutSums(sums[p], shape, row, first_token + p * kTokens + lane % 4 * 2, y);
  }
}

}  // namespace

void Linear(Stream& stream, const TensorView& weight, const LinearRows& rows) {
  if (rows.num_tokens == 0 || weight.rows == 0) return;
  const LinearShape shape = {weight.rows, rows.num_tokens, static_cast<int>(weight.columns),
                             rows.output};
  const Dim3 grid = {NumBlocks(weight.rows, kWarps * kRows),
                     NumBlocks(rows.num_tokens, kTokens * kProducts)};
  WithElements(weight.dtype, [&]<typename Block>() {
    Launch(stream, grid, kThreads, LinearRowsOfWarp<Block>, BlocksOf<Block>(weight),
           {rows.x, rows.num_tokens * weight.columns}, shape,
           {rows.y, rows.num_tokens * weight.rows});
  });
}

}  // namespace espalier::ESP_DEVICE
