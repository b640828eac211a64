// The functions of the table `avx2`, for tables of wider sets that have no better ones.
// Declarations only, so that any source may include it.
#pragma once

#include "kernels/cpu/ops.h"

namespace espalier::avx2 {

void Linear(const LinearSlice& slice, const Rows& x);
void LinearExact(const LinearSlice& slice, const Rows& x);
// The part of both that has float weights, packed as `dtype`.
void FloatLinear(const LinearSlice& slice, const Rows& x, const std::byte* packed, DType dtype);
void Quantize(const Rows& rows, int begin, int end);
void Attention(const AttentionSlice& slice);
void RmsNorm(const float* x, const float* weight, float eps, int width, float* y);
void Add(const float* y, std::int64_t size, float* x);
void SiluMul(const float* gate, const float* up, std::int64_t size, float* out);
void Rope(const RopeTable& table, const float* cos, const float* sin, int num_heads, int head_dim,
          float* x);
void StoreKv(const float* k, const float* v, std::int32_t slot, const KvLayer& kv);

}  // namespace espalier::avx2
