// StepCost: how long one step of a model takes, by its roofline (Williams et al. 2009,
// "Roofline: an insightful visual performance model"): weights are read once a step and
// multiplied once a token, so whichever takes longer counts; likewise the KV that is read, and
// the products with it.
//
// Thread safety: plain data and pure functions.
#pragma once

#include <cstdint>

#include "runtime/model/batch.h"

namespace espalier {

struct StepWork {
  std::int64_t tokens = 0;
  std::int64_t kv_tokens = 0;  // whose KV is read: the context of each row, once
  std::int64_t attended = 0;   // pairs of a token and a position that it sees
};
StepWork WorkOf(const Batch& batch);

struct StepCost {
  double overhead_s = 0;
  double weights_s = 0;   // reading them
  double token_s = 0;     // a token's products with them
  double kv_token_s = 0;  // reading the KV of one
  double attended_s = 0;  // the products of one pair

  double Seconds(const StepWork& work) const;
};

struct ModelSize {
  std::int64_t weight_bytes = 0;
  std::int64_t multiplied = 0;  // weights that a token is multiplied with
  std::int64_t kv_bytes_per_token = 0;
  std::int64_t attention_width = 0;  // of all layers: num_layers * num_heads * head_dim
};

struct DeviceSpeed {
  double bytes_per_s = 0;  // of memory
  double flops = 0;        // per second, as reached
  double overhead_s = 0;   // of a step
};

// REQUIRES: the speeds are above 0.
constexpr StepCost CostOf(const ModelSize& model, const DeviceSpeed& device) {
  // A product and a sum a weight; two of each a dimension, for q·k and p·V.
  return {.overhead_s = device.overhead_s,
          .weights_s = static_cast<double>(model.weight_bytes) / device.bytes_per_s,
          .token_s = 2 * static_cast<double>(model.multiplied) / device.flops,
          .kv_token_s = static_cast<double>(model.kv_bytes_per_token) / device.bytes_per_s,
          .attended_s = 4 * static_cast<double>(model.attention_width) / device.flops};
}

}  // namespace espalier
