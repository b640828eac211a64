// The reference: each op as the plain loop that defines it. reference_linear.cc and
// reference_attention.cc hold the two large ones, reference.cc the rest and the table.
//
// Thread safety: pure functions of their arguments.
#pragma once

#include "kernels/cpu/ops.h"

namespace espalier::reference {

void Linear(const LinearSlice& slice, const Rows& x);
void LinearExact(const LinearSlice& slice, const Rows& x);
void Quantize(const Rows& rows, int begin, int end);
void Attention(const AttentionSlice& slice);
void RmsNorm(const float* x, const float* weight, float eps, int width, float* y);
void Add(const float* y, std::int64_t size, float* x);
void SiluMul(const float* gate, const float* up, std::int64_t size, float* out);
void Rope(const RopeTable& table, const float* cos, const float* sin, int num_heads, int head_dim,
          float* x);
void StoreKv(const float* k, const float* v, std::int32_t slot, const KvLayer& kv);

// lanes[0..15] summed in the one order of all reductions.
float FoldLanes(float (&lanes)[kLanes]);

}  // namespace espalier::reference
