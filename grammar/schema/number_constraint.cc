#include "grammar/schema/number_constraint.h"

#include <algorithm>

namespace espalier {
namespace {

bool IsExclusive(const NumberBound& bound) { return bound.kind == NumberBound::Kind::kExclusive; }

}  // namespace

void RaiseLower(std::optional<NumberBound>& lower, const NumberBound& bound) {
  const bool is_tighter = !lower.has_value() || bound.value > lower->value ||
                          (bound.value == lower->value && IsExclusive(bound));
  if (is_tighter) lower = bound;
}

void ReduceUpper(std::optional<NumberBound>& upper, const NumberBound& bound) {
  const bool is_tighter = !upper.has_value() || bound.value < upper->value ||
                          (bound.value == upper->value && IsExclusive(bound));
  if (is_tighter) upper = bound;
}

bool Satisfies(const Decimal& value, const NumberConstraint& constraint) {
  using Integrality = NumberConstraint::Integrality;
  const auto& [lower, upper, multiple_of, not_multiple_of, integrality, writing] = constraint;
  if (lower && (value < lower->value || (value == lower->value && IsExclusive(*lower)))) {
    return false;
  }
  if (upper && (value > upper->value || (value == upper->value && IsExclusive(*upper)))) {
    return false;
  }
  if (integrality == Integrality::kInteger && !value.is_integer()) return false;
  if (integrality == Integrality::kNotInteger && value.is_integer()) return false;
  const auto divides = [&value](const Decimal& divisor) { return value.IsMultipleOf(divisor); };
  return std::ranges::all_of(multiple_of, divides) &&
         std::ranges::none_of(not_multiple_of, divides);
}

}  // namespace espalier
