// ExactSum: a sum of doubles without error, rounded once (Shewchuk 1997).
//
// Thread safety: thread-compatible.
#pragma once

#include <vector>

namespace espalier::script {

class ExactSum {
 public:
  void Add(double x);               // REQUIRES: finite
  double Total() const;             // the nearest double, ties to even
  double Quotient(double n) const;  // Total / n, from the exact sum. REQUIRES: n > 0

 private:
  std::vector<double> partials_;  // none overlaps another; their sum is exact
};

}  // namespace espalier::script
