// The spellings of numbers that keep to bounds and multiples, as a language.
//
// Every text of the language is a JSON number whose exact value satisfies the constraint;
// no double is involved. The other direction, that every spelling of such a value is in
// the language, holds for plain decimals (-?digits[.digits]) and for scientific notation
// with one digit before the point (d[.digits]e[+-]digits), with the limits that
// grammar/README.md states; comparing longer mantissas under exponents is not regular.
//
// Thread safety: as RegexSet.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "grammar/regex/regex_set.h"
#include "grammar/schema/decimal.h"
#include "kernels/base/status.h"

namespace espalier {

struct NumberBound {
  Decimal value;
  enum class Kind : std::uint8_t { kInclusive, kExclusive } kind = Kind::kInclusive;
};

struct NumberConstraint {
  enum class Integrality : std::uint8_t { kAny, kInteger, kNotInteger };

  std::optional<NumberBound> lower, upper;
  std::vector<Decimal> multiple_of;      // of each; all positive
  std::vector<Decimal> not_multiple_of;  // of none; all positive
  Integrality integrality = Integrality::kAny;
};

// kNothing where no number satisfies it. kUnsupported or kLimit name the constraint that
// cannot be enforced (a multiple whose remainders are too many to keep).
Result<RegexId> NumberRegex(const NumberConstraint& constraint, RegexSet& set);

// The spellings of one value: 1, 1.0, 1.00, 1e0 ...
RegexId NumberLiteral(const Decimal& value, RegexSet& set);

}  // namespace espalier
