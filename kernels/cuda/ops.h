// The ops as launches on a stream, one .cu file for each group. Contracts are those of the
// methods of the same names in kernels/kernels.h; pointers are to memory of the device, spans
// are read by the host too. Every launch checks its arrays' bounds by the shapes it is given.
//
// Arithmetic: embedding, norm, rotation, KV stores, copies and the elementwise ops give the
// bits of the CPU. Linear layers and attention multiply halves and sum in float32, in an
// order that depends on the width (the positions) alone.
//
// Thread safety: one op at a time on one stream.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/cpu/attention_plan.h"
#include "kernels/cuda/device.h"
#include "kernels/kernels.h"

namespace espalier::ESP_DEVICE {

// embed.cu
void Embed(Stream& stream, const TensorView& table, std::span<const TokenId> tokens, float* out);

// rms_norm.cu
struct RmsNormTask {
  const float* x = nullptr;       // [num_rows, width]
  const float* weight = nullptr;  // [width]
  float eps = 0;
  int num_rows = 0;
  int width = 0;
  float* y = nullptr;  // may be x
};
void RmsNorm(Stream& stream, const RmsNormTask& task);

// rope.cu
struct HeadRows {
  std::span<const std::int32_t> position;  // [num_tokens]
  int num_heads = 0;
  int head_dim = 0;
  float* x = nullptr;  // [num_tokens, num_heads, head_dim]
};
void Rope(Stream& stream, const RopeTable& table, const HeadRows& rows);

// kv.cu
struct KvRows {
  const float* k = nullptr;  // [num_tokens, num_kv_heads, head_dim]
  const float* v = nullptr;
  std::span<const std::int32_t> slot_start;  // [num_tokens + 1]
  std::span<const std::int32_t> slots;
};
void StoreKv(Stream& stream, const KvRows& rows, const KvLayer& kv);
void CopyPages(Stream& stream, std::span<const PageCopy> copies, const KvLayer& kv);

// vector.cu: y may be x or gate.
void Add(Stream& stream, const float* y, std::int64_t size, float* x);
void AddBias(Stream& stream, const float* bias, int num_rows, int width, float* y);
void SiluMul(Stream& stream, const float* gate, const float* up, std::int64_t size, float* out);
// out[i] = gelu(gate[i]) * up[i] with the tanh approximation, which is
// x / (1 + exp(-2 sqrt(2 / pi) (x + 0.044715 x^3))).
void GeluMul(Stream& stream, const float* gate, const float* up, std::int64_t size, float* out);
// To halves, at most +-65504; a NaN stays one.
void ToHalves(Stream& stream, const float* x, std::int64_t size, std::uint16_t* out);

// linear.cu
struct LinearRows {
  const std::uint16_t* x = nullptr;  // [num_tokens, weight.columns] halves
  int num_tokens = 0;
  float* y = nullptr;  // [num_tokens, weight.rows]
  LinearOutput output = LinearOutput::kStore;
};
void Linear(Stream& stream, const TensorView& weight, const LinearRows& rows);

// attention.cu: one level of a plan (kernels/cpu/attention_plan.h).
inline constexpr int kMaxHeadDim = 256;
struct AttentionLevel {
  std::span<const AttentionPlan::Part> parts;
  std::span<const std::int32_t> tokens;  // of the plan
  AttentionRows rows;
  std::int32_t num_pages = 0;  // of the pool, as far as the rows reach
  const float* q = nullptr;    // [num_tokens, num_heads, head_dim]
  int num_heads = 0;
  float scale = 0;
  float* partial = nullptr;  // [num_tokens, num_heads, 2]: what earlier levels came to
  float* out = nullptr;      // [num_tokens, num_heads, head_dim]
};
// REQUIRES: kv.head_dim <= kMaxHeadDim.
void Attention(Stream& stream, const AttentionLevel& level, const KvLayer& kv);

}  // namespace espalier::ESP_DEVICE
