#include <algorithm>
#include <cmath>

#include "kernels/cpu/reference.h"
#include "kernels/float16.h"
#include "kernels/quant/dequantize.h"
#include "kernels/quant/formats.h"

namespace espalier::reference {
namespace {

// One output of a quantized layer: the rule of kernels/kernels.h, block by block.
template <typename Block>
float QuantizedDot(const Block* blocks, int width, const std::int8_t* q, const float* d) {
  float f = 0;
  std::int8_t weights[Block::kSize];
  for (int start = 0; start < width; start += Block::kSubSize) {
    const Block& block = blocks[start / Block::kSize];
    const int sub = start % Block::kSize / Block::kSubSize;
    if (sub == 0) block.Unpack(weights);
    std::int32_t dot = 0;
    std::int32_t sum = 0;
    for (int i = 0; i < Block::kSubSize; ++i) {
      dot += weights[sub * Block::kSubSize + i] * q[start + i];
      sum += q[start + i];
    }
    const float step = d[start / kActivationBlock];
    f = std::fma(static_cast<float>(dot) * step, block.Scale(sub), f);
    if constexpr (Block::kHasMin) {
      f = std::fma(block.Min(sub), static_cast<float>(sum) * step, f);
    }
  }
  return f;
}

template <typename Block>
void QuantizedLinear(const LinearSlice& slice, const Rows& x) {
  const TensorView& w = *slice.weight;
  for (std::int64_t r = slice.row_begin; r < slice.row_end; ++r) {
    const auto* blocks =
        reinterpret_cast<const Block*>(static_cast<const std::byte*>(w.data) + r * w.row_bytes());
    for (int t = 0; t < x.num_tokens; ++t) {
      slice.y[t * w.rows + r] = QuantizedDot(blocks, x.width, x.q + std::int64_t{t} * x.width,
                                             x.d + std::int64_t{t} * (x.width / kActivationBlock));
    }
  }
}

// x rounded to the nearest integer, ties to even. REQUIRES: |x| < 2^22
float RoundToEven(float x) { return (x + 0x1.8p23f) - 0x1.8p23f; }

// Chosen so that a NaN counts as `bound`, as the minimum and maximum instructions do.
float AtMost(float x, float bound) { return x < bound ? x : bound; }
float AtLeast(float x, float bound) { return x > bound ? x : bound; }

// A step beyond the largest half stops there, and a subnormal step is so coarse that
// x / d can pass 127: hence the clamps. A NaN becomes 127.
float QuantizeBlock(const float* x, std::int8_t* q) {
  float max = 0;
  for (int i = 0; i < kActivationBlock; ++i) max = AtLeast(std::fabs(x[i]), max);
  const float d = HalfToFloat(FloatToHalf(AtMost(max / 127.0f, 65504.0f)));
  const float inverse = d == 0 ? 0 : 1.0f / d;
  for (int i = 0; i < kActivationBlock; ++i) {
    const float clamped = AtLeast(AtMost(x[i] * inverse, 127.0f), -127.0f);
    q[i] = static_cast<std::int8_t>(RoundToEven(clamped));
  }
  return d;
}

std::int32_t SumOf16(const std::int8_t* q) {
  std::int32_t sum = 0;
  for (int i = 0; i < 16; ++i) sum += q[i];
  return sum;
}

}  // namespace

void Quantize(const Rows& rows, int begin, int end) {
  const int num_blocks = rows.width / kActivationBlock;
  for (std::int64_t b = std::int64_t{begin} * num_blocks; b < std::int64_t{end} * num_blocks; ++b) {
    std::int8_t* q = rows.q + b * kActivationBlock;
    rows.d[b] = QuantizeBlock(rows.x + b * kActivationBlock, q);
    rows.sum[2 * b] = SumOf16(q);
    rows.sum[2 * b + 1] = SumOf16(q + 16);
    rows.sum_d[b] = static_cast<float>(rows.sum[2 * b] + rows.sum[2 * b + 1]) * rows.d[b];
  }
}

void Linear(const LinearSlice& slice, const Rows& x) {
  if (!IsQuantized(slice.weight->dtype)) return LinearExact(slice, x);
  WithBlock(slice.weight->dtype, [&]<typename Block>() { QuantizedLinear<Block>(slice, x); });
}

void LinearExact(const LinearSlice& slice, const Rows& x) {
  const TensorView& w = *slice.weight;
  for (std::int64_t r = slice.row_begin; r < slice.row_end; ++r) {
    DequantizeRow(w, r, slice.scratch);
    for (int t = 0; t < x.num_tokens; ++t) {
      const float* row = x.x + std::int64_t{t} * x.width;
      float f = 0;
      for (int k = 0; k < x.width; ++k) f = std::fma(row[k], slice.scratch[k], f);
      slice.y[t * w.rows + r] = f;
    }
  }
}

}  // namespace espalier::reference
