// Weights: the tensors of a model, looked up by name, checked against its config
// and packed by its Kernels.
//
// Matrices stay in the file's mapping where the Kernels pack without a copy;
// vectors (norms, biases) are small and become float32.
//
// Thread safety: immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/base/status.h"
#include "kernels/kernels.h"
#include "runtime/model/config.h"
#include "runtime/model/gguf.h"

namespace espalier {

struct LayerWeights {
  std::vector<float> attention_norm;          // [hidden]
  std::unique_ptr<Matrix> q, k, v, output;    // {heads * head_dim, hidden}, ..., transposed
  std::vector<float> q_bias, k_bias, v_bias;  // empty if none
  std::vector<float> q_norm, k_norm;          // [head_dim], empty if none
  std::vector<float> ffn_norm;                // [hidden]
  std::unique_ptr<Matrix> gate, up, down;     // {ffn, hidden}, {ffn, hidden}, {hidden, ffn}
};

struct Weights {
  TensorView embedding;  // {vocabulary, hidden}
  std::vector<LayerWeights> layers;
  std::vector<float> output_norm;   // [hidden]
  std::unique_ptr<Matrix> head;     // {vocabulary, hidden}; the embedding where tied
  std::vector<float> rope_factors;  // [rotary_dim / 2], empty if none

  // Memory of the packed matrices beside the file's mapping.
  std::int64_t size_bytes() const;
};

// kDataLoss names a tensor that is missing or misshapen; kUnsupported one that this
// architecture has no use for: to leave it out would compute another function.
// `gguf` must outlive the result.
Result<Weights> LoadWeights(const Gguf& gguf, const ModelConfig& config, Kernels& kernels);

}  // namespace espalier
