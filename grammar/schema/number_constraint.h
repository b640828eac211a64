// NumberConstraint: what may be asked of a number.
//
// Thread safety: values.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "grammar/schema/decimal.h"

namespace espalier {

struct NumberBound {
  Decimal value;
  enum class Kind : std::uint8_t { kInclusive, kExclusive } kind = Kind::kInclusive;
};

// Takes the tighter of two bounds.
void RaiseLower(std::optional<NumberBound>& lower, const NumberBound& bound);
void ReduceUpper(std::optional<NumberBound>& upper, const NumberBound& bound);

struct NumberConstraint {
  enum class Integrality : std::uint8_t { kAny, kInteger, kNotInteger };
  // How it is written: as digits alone, or with a point or an exponent.
  enum class Writing : std::uint8_t { kAny, kDigits, kNotDigits };

  std::optional<NumberBound> lower, upper;
  std::vector<Decimal> multiple_of;      // of each; all positive
  std::vector<Decimal> not_multiple_of;  // of none; all positive
  Integrality integrality = Integrality::kAny;
  Writing writing = Writing::kAny;
};

bool Satisfies(const Decimal& value, const NumberConstraint& constraint);

}  // namespace espalier
