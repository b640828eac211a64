// The spellings of the magnitudes between two ends, without their sign.
//
// In plain spellings the number of digits before the point decides which of two numbers
// is greater, and only equal counts need their digits compared; in scientific ones with
// one digit before the point the exponent decides likewise. So an interval is the union of
// the free texts between the counts of its ends and of one or two DigitChains.
//
// Thread safety: as RegexSet.
#pragma once

#include <optional>
#include <span>

#include "grammar/regex/regex_set.h"
#include "grammar/schema/decimal.h"

namespace espalier {

struct MagnitudeEnd {
  Decimal value;  // not negative
  bool inclusive = true;
};

struct MagnitudeInterval {
  MagnitudeEnd lower;                 // zero if there is no other
  std::optional<MagnitudeEnd> upper;  // empty: as far as a double reaches
  // All values are multiples of 10^-places; kAnyPlaces: any. May be negative.
  int places = 0;
};

bool IsEmpty(const MagnitudeInterval& interval);                         // places aside
bool Contains(const MagnitudeInterval& interval, const Decimal& value);  // likewise

// Plain spellings have at most this many digits before the point where there is no upper
// end, so that every text is a finite double.
inline constexpr int kMaxWholeDigits = 308;
// Exponents of scientific spellings where an end does not say otherwise; multiples of
// 10^-places end at 1e308, others where the doubles do.
inline constexpr int kMinExponent = -323;
inline constexpr int kMaxExponent = 308;
// Scientific spellings of multiples of 10^-places have at most this many digits behind the
// point before its zeros, but at the exponents of ends as many as it takes.
inline constexpr int kMaxMantissaPlaces = 17;

// Ends rounded inward to multiples of 10^-places and made inclusive; empty: no value left.
// REQUIRES: interval.places is not kAnyPlaces
std::optional<MagnitudeInterval> RoundedInward(MagnitudeInterval interval);

// digits[.digits]. REQUIRES: places >= 0 or kNoPoint; ends as RoundedInward leaves them,
// unless places is kAnyPlaces.
RegexId PlainSpellings(const MagnitudeInterval& interval, RegexSet& set);

// d[.digits]e[sign]digits of the values that are not zero.
// REQUIRES: ends as RoundedInward leaves them, unless places is kAnyPlaces.
RegexId ScientificSpellings(const MagnitudeInterval& interval, RegexSet& set);

// Both kinds of spellings of each of the values, as tries.
RegexId SpellingsOf(std::span<const Decimal> values, RegexSet& set);

// 0[.000]e[sign]digits
RegexId ScientificZeros(RegexSet& set);

// e[sign]digits, first <= exponent <= last, with any number of zeros before them.
RegexId Exponents(int first, int last, RegexSet& set);

}  // namespace espalier
