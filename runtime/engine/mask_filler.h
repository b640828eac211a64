// MaskFiller: the tokens that each constrained row of a step may sample, from its
// matcher. That needs only accepted tokens, not the logits, so it goes on beside the forward
// pass: a row is a task that threads take which have nothing of a kernel to do.
//
// Thread safety: none. Engine thread only.
#pragma once

#include <cstddef>
#include <functional>
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
  MaskFiller(const MaskFiller&) = delete;
  MaskFiller& operator=(const MaskFiller&) = delete;

  // Between the two nothing else may touch the matchers of the plan, which must live.
  void Start(const StepPlan& plan);
  // One a row of the plan, valid until the next Start. The error is the matcher's.
  std::span<const RowMask> Finish();

 private:
  void FillRow(std::size_t r);

  ThreadPool& pool_;
  const std::size_t vocab_size_;
  const StepPlan* plan_ = nullptr;
  std::vector<std::unique_ptr<TokenMask>> masks_;  // by row, made when first needed
  std::vector<RowMask> row_masks_;                 // [plan.rows]
  std::vector<std::size_t> rows_;                  // those to fill
  const std::function<void(int, int)> fill_ = [this](int i, int /*thread*/) {
    FillRow(rows_[static_cast<std::size_t>(i)]);
  };
};

}  // namespace espalier
