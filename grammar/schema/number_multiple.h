// NumberMultiple: the divisor of multipleOf, small enough to keep remainders of.
//
// Thread safety: values.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "grammar/schema/decimal.h"
#include "grammar/schema/magnitude_regex.h"
#include "kernels/base/status.h"

namespace espalier {

// The value modulus * 10^-scale.
struct NumberMultiple {
  std::uint64_t modulus = 1;  // below 10^18; not a multiple of 10 unless scale is 0
  int scale = 0;              // not negative
};

// kLimit: too long a number. REQUIRES: value > 0
Result<NumberMultiple> MakeMultiple(const Decimal& value);

// The least number that is a multiple of all; kLimit: too great.
Result<NumberMultiple> CommonMultiple(std::span<const NumberMultiple> multiples);

// The multiples inside an interval. Empty: more than max_count, or too great to count.
std::optional<std::vector<Decimal>> ListMultiples(const NumberMultiple& multiple,
                                                  const MagnitudeInterval& interval,
                                                  std::uint64_t max_count);

// The least p with: every multiple of 10^p is one of `multiple`. Empty: there is none.
std::optional<int> CoveringPower(const NumberMultiple& multiple);

}  // namespace espalier
