// MemoryPlan: what a machine's memory and speed make of a model: how many KV pages and users it
// has room for, how fast it decodes and reads prompts, and what bounds that.
//
// By the model's roofline (runtime/model/step_cost.h). Scratch memory is not counted, and sharing
// of prefixes is not either: each user has a whole context of his own.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "kernels/base/status.h"
#include "runtime/model/config.h"
#include "runtime/model/gguf.h"
#include "runtime/model/step_cost.h"

namespace espalier {

// What a step of the model reads and multiplies: all tensors but the embedding of tokens, of
// which a step needs rows only, unless it is the head too.
ModelSize ModelSizeOf(const Gguf& gguf, const ModelConfig& config);

struct PlanInput {
  ModelSize model;
  std::int64_t stored_bytes = 0;  // of all weights
  double memory_bytes = 0;
  double bytes_per_s = 0;
  double flops = std::numeric_limits<double>::infinity();  // where it is not known
  std::int64_t context = 0;                                // tokens of each user
  int page_size = 16;
};

struct PlannedSpeed {
  double tokens_per_s = 0;
  double seconds = 0;         // of the step
  std::string_view bound_by;  // "reading weights", "reading KV", "compute"
};

struct MemoryPlan {
  std::int64_t kv_bytes = 0;  // what is left for it
  std::int64_t pages = 0;
  std::int64_t kv_tokens = 0;
  std::int64_t users = 0;       // with whole contexts
  PlannedSpeed decode_one;      // one user, at the end of a context
  PlannedSpeed decode_all;      // all of them together
  PlannedSpeed prefill;         // of one context
  double compute_bound_at = 0;  // tokens a step; infinite where the flops are not known
};

// kLimit, with the numbers, if the weights or one context do not fit.
// REQUIRES: numbers above 0.
Result<MemoryPlan> PlanMemory(const PlanInput& input);

}  // namespace espalier
