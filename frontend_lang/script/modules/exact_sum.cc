#include "frontend_lang/script/modules/exact_sum.h"

#include <cmath>
#include <utility>

namespace espalier::script {

void ExactSum::Add(double x) {
  std::size_t kept = 0;
  for (double y : partials_) {
    if (std::fabs(x) < std::fabs(y)) std::swap(x, y);
    const double high = x + y;
    const double low = y - (high - x);
    if (low != 0) partials_[kept++] = low;
    x = high;
  }
  partials_.resize(kept);
  partials_.push_back(x);
}

double ExactSum::Total() const {
  if (partials_.empty()) return 0;
  std::size_t n = partials_.size();
  double high = partials_[--n], low = 0;
  while (n > 0) {
    const double x = high, y = partials_[--n];
    high = x + y;
    low = y - (high - x);
    if (low != 0) break;
  }
  // Halfway between two doubles the partials below decide.
  const bool half =
      n > 0 && ((low < 0 && partials_[n - 1] < 0) || (low > 0 && partials_[n - 1] > 0));
  if (!half) return high;
  const double doubled = low * 2, next = high + doubled;
  return next - high == doubled ? next : high;
}

// One step of correction: what is left of the sum after quotient * n.
double ExactSum::Quotient(double n) const {
  const double quotient = Total() / n;
  const double product = quotient * n;
  ExactSum rest = *this;
  rest.Add(-product);
  rest.Add(-std::fma(quotient, n, -product));
  return quotient + rest.Total() / n;
}

}  // namespace espalier::script
