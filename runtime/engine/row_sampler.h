// RowSampler: the logits of a step to what came of each row: prompt log-probabilities,
// the sampled token and its log-probability. Rows are spread over the pool; each
// depends on itself alone.
//
// Thread safety: none. Engine thread only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/base/thread_pool.h"
#include "runtime/engine/sampler.h"
#include "runtime/engine/step_plan.h"

namespace espalier {

class RowSampler {
 public:
  // The model gives num_logits logits a row. The first vocab_size stand for tokens; what
  // pads them is not looked at. `pool` must outlive this object.
  RowSampler(ThreadPool& pool, std::size_t num_logits, std::size_t vocab_size);

  // logits [plan.batch.num_logits(), num_logits]; masks [plan.rows]. A mask's error is its
  // row's. One output a row, valid until the next call.
  std::span<RowOutput> Run(const StepPlan& plan, std::span<const float> logits,
                           std::span<const RowMask> masks);

 private:
  struct Job {
    const StepPlan& plan;
    std::span<const float> logits;
    std::span<const RowMask> masks;
  };
  void RunRow(const Job& job, std::size_t r, Sampler& sampler);
  std::span<const float> LogitsOf(const Job& job, std::size_t r, int i) const;
  void ScoreTokens(const Job& job, std::size_t r, RowOutput& output) const;
  void SampleToken(const PlannedRow& row, std::span<const float> logits, const TokenMask* mask,
                   Sampler& sampler, RowOutput& output) const;

  ThreadPool& pool_;
  const std::size_t num_logits_;
  const std::size_t vocab_size_;
  std::vector<Sampler> samplers_;   // one a thread
  std::vector<RowOutput> outputs_;  // never shrinks
};

}  // namespace espalier
