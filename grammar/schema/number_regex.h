// The spellings of numbers that keep to bounds and multiples, as a language.
//
// Every text of the language is a JSON number whose exact value satisfies the constraint;
// no double is involved. The other direction, that every spelling of such a value is in
// the language, holds for plain decimals (-?digits[.digits]) and for scientific notation
// with one digit before the point (d[.digits]e[+-]digits), with the limits that
// magnitude_regex.h states; comparing longer mantissas under exponents is not regular.
// Multiples have at most 17 places in scientific spellings.
//
// Thread safety: as RegexSet.
#pragma once

#include "grammar/regex/regex_set.h"
#include "grammar/schema/decimal.h"
#include "grammar/schema/number_constraint.h"
#include "kernels/base/status.h"

namespace espalier {

// kNothing where no number satisfies it. kUnsupported or kLimit name the constraint that
// cannot be enforced (a multiple whose remainders are too many to keep).
Result<RegexId> NumberRegex(const NumberConstraint& constraint, RegexSet& set);

// `numbers` without the spellings that nobody writes: see JsonForms::kPlain. `numbers` as it
// is where that would leave nothing.
RegexId PlainNumbers(RegexId numbers, NumberConstraint::Integrality integrality, RegexSet& set);

// Those of `numbers` that are written like that.
RegexId WrittenAs(NumberConstraint::Writing writing, RegexId numbers, RegexSet& set);

// The spellings of one value: 1, 1.0, 1.00, 1e0 ...
RegexId NumberLiteral(const Decimal& value, RegexSet& set);

}  // namespace espalier
