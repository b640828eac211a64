#include "runtime/model/step_cost.h"

#include <algorithm>
#include <cstddef>

namespace espalier {

StepWork WorkOf(const Batch& batch) {
  StepWork work;
  work.tokens = static_cast<std::int64_t>(batch.num_tokens());
  for (const std::int32_t position : batch.position) work.attended += position + 1;
  for (std::size_t row = 0; row < batch.num_rows(); ++row) {
    const auto end = static_cast<std::size_t>(batch.start[row + 1]);
    if (batch.start[row + 1] > batch.start[row]) work.kv_tokens += batch.position[end - 1] + 1;
  }
  return work;
}

double StepCost::Seconds(const StepWork& work) const {
  const double linear = std::max(weights_s, static_cast<double>(work.tokens) * token_s);
  const double attention = std::max(static_cast<double>(work.kv_tokens) * kv_token_s,
                                    static_cast<double>(work.attended) * attended_s);
  return overhead_s + linear + attention;
}

}  // namespace espalier
