#include "runtime/engine/mean_pool.h"

#include <algorithm>

#include "runtime/engine/step_plan.h"

namespace espalier {

void MeanPool::Add(std::span<const float> state) {
  sum_.resize(state.size());
  std::transform(state.begin(), state.end(), sum_.begin(), sum_.begin(),
                 [](float x, double sum) { return sum + x; });
  ++num_added_;
}

std::vector<float> MeanPool::Mean() const {
  std::vector<float> mean(sum_.size());
  std::transform(sum_.begin(), sum_.end(), mean.begin(),
                 [this](double sum) { return static_cast<float>(sum / num_added_); });
  return mean;
}

void AddHidden(const StepPlan& plan, std::span<const float> hidden) {
  if (hidden.empty()) return;
  const std::size_t size = hidden.size() / plan.batch.hidden_tokens.size();
  for (const PlannedRow& row : plan.rows) {
    for (std::int32_t i = 0; i < row.num_hidden; ++i) {
      row.sequence->mean->Add(hidden.first(size));
      hidden = hidden.subspan(size);
    }
  }
}

}  // namespace espalier
