#include "runtime/model/transformer.h"

#include <algorithm>
#include <utility>

namespace espalier {

Transformer::Transformer(TransformerParts parts)
    : parts_(std::move(parts)),
      rope_(parts_.config.rope, parts_.weights.rope_factors),
      scratch_(parts_.config, parts_.limits.max_tokens, parts_.limits.max_logits, *parts_.kernels) {
}

void Transformer::Forward(const Batch& batch, KvPool& kv, const ModelOutput& output) {
  const std::size_t num_logits = batch.num_logits();
  const auto hidden_size = static_cast<std::size_t>(parts_.config.hidden_size);
  ESP_CHECK(std::ssize(batch.tokens) <= parts_.limits.max_tokens) << "batch over its limit";
  ESP_CHECK(std::cmp_less_equal(num_logits, parts_.limits.max_logits)) << "logits over the limit";
  ESP_CHECK(output.logits.size() == num_logits * static_cast<std::size_t>(vocab_size()));
  ESP_CHECK(output.hidden.size() == batch.hidden_tokens.size() * hidden_size);
  const Pass pass{parts_.config, batch, *parts_.kernels, scratch_};
  rope_.Fill(batch.position, scratch_.cos.data(), scratch_.sin.data());
  pass.kernels.PlanAttention({.start = batch.start,
                              .position = batch.position,
                              .page_start = batch.page_start,
                              .pages = batch.pages},
                             kv.layer(0).page_size);
  pass.kernels.Embed(parts_.weights.embedding, batch.tokens, scratch_.x.data());
  for (int i = 0; i < parts_.config.num_layers; ++i) {
    const LayerWeights& layer = parts_.weights.layers[static_cast<std::size_t>(i)];
    AttentionBlock(pass, layer, kv.layer(i));
    FeedForwardBlock(pass, layer);
  }
  if (!batch.hidden_tokens.empty()) Hidden(pass, output.hidden);
  if (num_logits > 0) Head(pass, output.logits);
}

// x of these tokens, one behind the other.
void Transformer::Gather(std::span<const std::int32_t> tokens, float* to) const {
  const int hidden = parts_.config.hidden_size;
  for (const std::int32_t token : tokens) {
    to = std::copy_n(scratch_.x.data() + std::ptrdiff_t{token} * hidden, hidden, to);
  }
}

void Transformer::Hidden(const Pass& pass, std::span<float> hidden) {
  Gather(pass.batch.hidden_tokens, hidden.data());
  pass.kernels.RmsNorm(hidden.data(), parts_.weights.output_norm.data(), parts_.config.rms_eps,
                       static_cast<int>(pass.batch.hidden_tokens.size()), parts_.config.hidden_size,
                       hidden.data());
}

void Transformer::Head(const Pass& pass, std::span<float> logits) {
  const auto num_logits = static_cast<int>(pass.batch.num_logits());
  float* const wanted = scratch_.wanted.data();
  Gather(pass.batch.logits_tokens, wanted);
  pass.kernels.RmsNormQuantize(wanted, parts_.weights.output_norm.data(), parts_.config.rms_eps,
                               {num_logits, parts_.config.hidden_size, wanted},
                               *scratch_.activations);
  pass.kernels.Linear(*parts_.weights.head, *scratch_.activations, logits.data());
}

}  // namespace espalier
