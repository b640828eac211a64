// Model: a function of (weights, Batch, KvPool) to logits and hidden states, writing only
// the KV slots that the batch names.
//
// Thread safety: one Forward at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "kernels/kernels.h"
#include "runtime/model/batch.h"
#include "runtime/model/kv_pool.h"

namespace espalier {

struct ModelLimits {
  int max_tokens = 512;  // of one batch: sizes the scratch memory
  int max_logits = 64;
};

// Where a pass puts what the batch wants of it.
struct ModelOutput {
  std::span<float> logits;  // [batch.num_logits(), vocab_size], row i of batch.logits_tokens[i]
  // [batch.hidden_tokens.size(), hidden_size], likewise: behind the last norm, as the head
  // sees them, in float32.
  std::span<float> hidden = {};
};

class Model {
 public:
  virtual ~Model() = default;
  virtual std::int32_t vocab_size() const = 0;
  virtual std::int32_t hidden_size() const = 0;
  virtual std::int32_t context_length() const = 0;
  virtual const KvShape& kv_shape() const = 0;
  // Memory of the weights beside the file's mapping, and what computes them: for
  // logs and `inspect model`.
  virtual std::int64_t packed_bytes() const { return 0; }
  virtual std::string_view isa() const { return "none"; }

  // REQUIRES: the batch is within the limits the model was loaded with, its token
  // ids and pages are valid; the output's sizes are the batch's.
  virtual void Forward(const Batch& batch, KvPool& kv, const ModelOutput& output) = 0;
};

}  // namespace espalier
