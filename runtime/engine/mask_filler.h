// MaskFiller: the tokens that each constrained row of a step may sample, from its
// matcher. It needs only accepted tokens, not the logits, so where a device computes those
// it can run beside the forward pass; here it comes after. Rows are spread over the pool.
//
// Thread safety: none. Engine thread only.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "kernels/base/thread_pool.h"
#include "kernels/base/token_mask.h"
#include "runtime/engine/step_plan.h"

namespace espalier {

class MaskFiller {
 public:
  // `pool` must outlive this object.
  MaskFiller(ThreadPool& pool, std::size_t vocab_size) : pool_(pool), vocab_size_(vocab_size) {}

  // One a row of the plan, valid until the next call. The error is the matcher's.
  std::span<const RowMask> Fill(const StepPlan& plan);

 private:
  ThreadPool& pool_;
  const std::size_t vocab_size_;
  std::vector<std::unique_ptr<TokenMask>> masks_;  // by row, made when first needed
  std::vector<RowMask> row_masks_;                 // [plan.rows]
  std::vector<std::size_t> rows_;                  // those to fill
};

}  // namespace espalier
