// ExpectedLength: how long a caller's next output may be, by those that have ended.
//
// A mean and a mean deviation, each of which forgets: of the last eight or so. Their sum is what
// most outputs stay below (as a retransmission timer does it: Jacobson 1988).
//
// Thread safety: none.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace espalier {

class ExpectedLength {
 public:
  void Learn(std::int32_t num_tokens) {
    const double error = num_tokens - mean_;
    mean_ += has_learned_ ? error / 8 : error;
    if (has_learned_) deviation_ += (std::abs(error) - deviation_) / 4;
    has_learned_ = true;
  }

  // In tokens, `conservativeness` times what was learned; 0 before anything was.
  std::int32_t Of(std::int32_t max_new_tokens, double conservativeness) const {
    const double tokens = std::ceil((mean_ + deviation_) * conservativeness);
    return static_cast<std::int32_t>(std::min<double>(max_new_tokens, tokens));
  }

 private:
  double mean_ = 0, deviation_ = 0;
  bool has_learned_ = false;
};

}  // namespace espalier
