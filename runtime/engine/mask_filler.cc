#include "runtime/engine/mask_filler.h"

namespace espalier {

std::span<const RowMask> MaskFiller::Fill(const StepPlan& plan) {
  row_masks_.assign(plan.rows.size(), {});
  rows_.clear();
  if (masks_.size() < plan.rows.size()) masks_.resize(plan.rows.size());
  for (std::size_t r = 0; r < plan.rows.size(); ++r) {
    if (!plan.rows[r].samples || plan.rows[r].sequence->matcher == nullptr) continue;
    if (masks_[r] == nullptr) masks_[r] = std::make_unique<TokenMask>(vocab_size_);
    row_masks_[r].mask = masks_[r].get();
    rows_.push_back(r);
  }
  if (rows_.empty()) return row_masks_;
  pool_.ParallelFor(static_cast<int>(rows_.size()), [this, &plan](int i, int /*thread*/) {
    const std::size_t r = rows_[static_cast<std::size_t>(i)];
    row_masks_[r].error = plan.rows[r].sequence->matcher->FillMask(*masks_[r]);
  });
  return row_masks_;
}

}  // namespace espalier
