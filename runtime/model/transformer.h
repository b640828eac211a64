// Transformer: the decoder of the Llama family, as its config describes it:
// embedding, layers of attention and feed-forward, norm, head.
//
// Forward allocates nothing, and computes the head only for the tokens that want
// logits, the last norm only for those and the ones that want hidden states.
//
// Thread safety: one Forward at a time.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "runtime/model/layers.h"
#include "runtime/model/model.h"
#include "runtime/model/rope.h"

namespace espalier {

// What a Transformer is made of; it takes all of it.
struct TransformerParts {
  std::shared_ptr<const Gguf> gguf;  // the mapping that the weights lie in
  ModelConfig config;
  std::unique_ptr<Kernels> kernels;
  Weights weights;
  KvShape kv_shape;
  ModelLimits limits;
};

class Transformer final : public Model {
 public:
  explicit Transformer(TransformerParts parts);

  std::int32_t vocab_size() const override { return parts_.config.vocab_size; }
  std::int32_t hidden_size() const override { return parts_.config.hidden_size; }
  std::int32_t context_length() const override { return parts_.config.context_length; }
  const KvShape& kv_shape() const override { return parts_.kv_shape; }
  std::int64_t packed_bytes() const override { return parts_.weights.size_bytes(); }
  std::string_view isa() const override { return parts_.kernels->isa(); }
  void Forward(const Batch& batch, KvPool& kv, const ModelOutput& output) override;

 private:
  void Gather(std::span<const std::int32_t> tokens, float* to) const;
  void Hidden(const Pass& pass, std::span<float> hidden);
  void Head(const Pass& pass, std::span<float> logits);

  TransformerParts parts_;
  RopeAngles rope_;
  Scratch scratch_;
};

}  // namespace espalier
