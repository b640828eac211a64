// The two blocks of a decoder layer, over one scratch memory.
//
//   attention     x += Wo attend(rope(Wq h), rope(Wk h), Wv h),  h = norm(x)
//   feed-forward  x += Wdown (silu(Wgate h) * (Wup h)),          h = norm(x)
//
// A block normalizes and quantizes its input once for all matrices that read it.
//
// Thread safety: thread-compatible; one forward pass at a time on one Scratch.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/kernels.h"
#include "runtime/model/batch.h"
#include "runtime/model/config.h"
#include "runtime/model/weights.h"

namespace espalier {

// Memory of one forward pass, allocated once for the largest batch.
struct Scratch {
  Scratch(const ModelConfig& config, int max_tokens, int max_logits, Kernels& kernels);

  std::vector<float> x;                    // [max_tokens, hidden] the residual stream
  std::vector<float> normed;               // [max_tokens, hidden]
  std::vector<float> q;                    // [max_tokens, num_heads, head_dim]
  std::vector<float> k, v;                 // [max_tokens, num_kv_heads, head_dim]
  std::vector<float> attended;             // [max_tokens, num_heads, head_dim]
  std::vector<float> gate, up;             // [max_tokens, ffn]
  std::vector<float> wanted;               // [max_logits, hidden] x of the tokens that want logits
  std::vector<float> cos, sin;             // [max_tokens, rotary_dim / 2] of this batch's positions
  std::vector<std::int32_t> row_of_token;  // 0, 1, ...: the row of token t in cos and sin
  std::unique_ptr<Activations> activations;
};

// What the blocks of one pass share.
struct Pass {
  const ModelConfig& config;
  const Batch& batch;
  Kernels& kernels;
  Scratch& scratch;

  int num_tokens() const { return static_cast<int>(batch.num_tokens()); }
};

// Copies pages, writes the batch's K and V into `kv`, attends, adds to scratch.x.
// REQUIRES: scratch.x holds the batch's tokens; their attention is planned.
void AttentionBlock(const Pass& pass, const LayerWeights& layer, const KvLayer& kv);

// REQUIRES: scratch.x holds the batch's tokens.
void FeedForwardBlock(const Pass& pass, const LayerWeights& layer);

}  // namespace espalier
