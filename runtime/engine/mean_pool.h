// MeanPool: the mean of a prompt's last hidden states.
//
// They are added token by token, in order, in double: however the prompt was cut into
// steps, the mean has the same bits.
//
// Thread safety: none. Engine thread only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace espalier {

struct StepPlan;

class MeanPool {
 public:
  // That of the next token. REQUIRES: all are of one size.
  void Add(std::span<const float> state);

  std::int32_t num_added() const { return num_added_; }
  std::vector<float> Mean() const;  // REQUIRES: num_added() > 0

 private:
  std::vector<double> sum_;
  std::int32_t num_added_ = 0;
};

// Adds what the plan's batch gave, [hidden_tokens, hidden_size], to the pools of its rows.
void AddHidden(const StepPlan& plan, std::span<const float> hidden);

}  // namespace espalier
