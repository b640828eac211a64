#include "runtime/model/layers.h"

#include <algorithm>
#include <numeric>

namespace espalier {
namespace {

std::size_t Size(int rows, std::int64_t width) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(width);
}

// Norm and quantize: the input of a block's first matrices.
void PrepareInput(const Pass& pass, std::span<const float> norm) {
  Scratch& s = pass.scratch;
  pass.kernels.RmsNormQuantize(s.x.data(), norm.data(), pass.config.rms_eps,
                               {pass.num_tokens(), pass.config.hidden_size, s.normed.data()},
                               *s.activations);
}

// x += matrix * what was quantized last.
void AddBranch(const Pass& pass, const Matrix& matrix) {
  Scratch& s = pass.scratch;
  const LinearTask task{&matrix, s.x.data(), LinearOutput::kAdd};
  pass.kernels.Linear({&task, 1}, *s.activations);
}

// q, k and v of all tokens.
void Project(const Pass& pass, const LayerWeights& layer) {
  Scratch& s = pass.scratch;
  const LinearTask tasks[] = {
      {layer.q.get(), s.q.data()}, {layer.k.get(), s.k.data()}, {layer.v.get(), s.v.data()}};
  pass.kernels.Linear(tasks, *s.activations);
}

// Bias and norm of one of q, k, v.
struct Correction {
  std::span<const float> bias;
  std::span<const float> norm;  // per head
  int num_heads;
};

void Correct(const Pass& pass, const Correction& by, float* x) {
  const int tokens = pass.num_tokens();
  const int head_dim = pass.config.head_dim;
  if (!by.bias.empty()) {
    pass.kernels.AddBias(by.bias.data(), tokens, by.num_heads * head_dim, x);
  }
  if (!by.norm.empty()) {
    pass.kernels.RmsNorm(x, by.norm.data(), pass.config.rms_eps, tokens * by.num_heads, head_dim,
                         x);
  }
}

void Rotate(const Pass& pass, int num_heads, float* x) {
  const Scratch& s = pass.scratch;
  const RopeConfig& rope = pass.config.rope;
  const std::size_t entries = Size(pass.num_tokens(), rope.rotary_dim / 2);
  const RopeTable table{.cos = {s.cos.data(), entries},
                        .sin = {s.sin.data(), entries},
                        .rotary_dim = rope.rotary_dim,
                        .pairs = rope.pairs};
  pass.kernels.Rope(table, {s.row_of_token.data(), pass.batch.num_tokens()}, num_heads,
                    pass.config.head_dim, x);
}

}  // namespace

Scratch::Scratch(const ModelConfig& config, int max_tokens, int max_logits, Kernels& kernels)
    : x(Size(max_tokens, config.hidden_size)),
      normed(x.size()),
      q(Size(max_tokens, std::int64_t{config.num_heads} * config.head_dim)),
      k(Size(max_tokens, std::int64_t{config.num_kv_heads} * config.head_dim)),
      v(k.size()),
      attended(q.size()),
      gate(Size(max_tokens, config.ffn_size)),
      up(gate.size()),
      wanted(Size(max_logits, config.hidden_size)),
      cos(Size(max_tokens, config.rope.rotary_dim / 2)),
      sin(cos.size()),
      row_of_token(static_cast<std::size_t>(max_tokens)) {
  std::iota(row_of_token.begin(), row_of_token.end(), 0);
  const int widest =
      std::max({config.hidden_size, config.num_heads * config.head_dim, config.ffn_size});
  activations = kernels.NewActivations(std::max(max_tokens, max_logits), widest);
}

void AttentionBlock(const Pass& pass, const LayerWeights& layer, const KvLayer& kv) {
  const ModelConfig& config = pass.config;
  const Batch& batch = pass.batch;
  Kernels& kernels = pass.kernels;
  Scratch& s = pass.scratch;
  PrepareInput(pass, layer.attention_norm);
  Project(pass, layer);
  Correct(pass, {layer.q_bias, layer.q_norm, config.num_heads}, s.q.data());
  Correct(pass, {layer.k_bias, layer.k_norm, config.num_kv_heads}, s.k.data());
  Correct(pass, {layer.v_bias, {}, config.num_kv_heads}, s.v.data());
  Rotate(pass, config.num_heads, s.q.data());
  Rotate(pass, config.num_kv_heads, s.k.data());

  kernels.CopyPages(batch.copies, kv);
  kernels.StoreKv(s.k.data(), s.v.data(), batch.slot_start, batch.slots, kv);
  kernels.Attention(s.q.data(), kv, config.num_heads, config.attention_scale, s.attended.data());
  kernels.Quantize(s.attended.data(), pass.num_tokens(), config.num_heads * config.head_dim,
                   *s.activations);
  AddBranch(pass, *layer.output);
}

void FeedForwardBlock(const Pass& pass, const LayerWeights& layer) {
  Scratch& s = pass.scratch;
  PrepareInput(pass, layer.ffn_norm);
  const LinearTask tasks[] = {{layer.gate.get(), s.gate.data()}, {layer.up.get(), s.up.data()}};
  pass.kernels.Linear(tasks, *s.activations);
  pass.kernels.SiluMulQuantize(s.gate.data(), s.up.data(),
                               {pass.num_tokens(), pass.config.ffn_size, s.gate.data()},
                               *s.activations);
  AddBranch(pass, *layer.down);
}

}  // namespace espalier
