#include "runtime/engine/mask_filler.h"

namespace espalier {

void MaskFiller::Start(const StepPlan& plan) {
  plan_ = &plan;
  row_masks_.assign(plan.rows.size(), {});
  rows_.clear();
  if (masks_.size() < plan.rows.size()) masks_.resize(plan.rows.size());
  for (std::size_t r = 0; r < plan.rows.size(); ++r) {
    if (!plan.rows[r].samples || plan.rows[r].sequence->matcher == nullptr) continue;
    if (masks_[r] == nullptr) masks_[r] = std::make_unique<TokenMask>(vocab_size_);
    row_masks_[r].mask = masks_[r].get();
    rows_.push_back(r);
  }
  pool_.StartBeside(static_cast<int>(rows_.size()), fill_);
}

std::span<const RowMask> MaskFiller::Finish() {
  pool_.FinishBeside();
  return row_masks_;
}

void MaskFiller::FillRow(std::size_t r) {
  row_masks_[r].error = plan_->rows[r].sequence->matcher->FillMask(*masks_[r]);
}

}  // namespace espalier
