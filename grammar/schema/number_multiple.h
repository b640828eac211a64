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

struct DivisorFactors {
  std::uint64_t rest;  // the part of the modulus without factors 2 and 5
  int covering_power;  // the least p with: 10^p * rest is a multiple
};
DivisorFactors FactorsOf(const NumberMultiple& multiple);

}  // namespace espalier
