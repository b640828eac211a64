// DigitChain: the texts of digits, one by one compared with a lower and an upper end.
//
// While a text equals the beginning of an end it is tight to that end; the first digit
// that differs frees it. So an automaton needs four states a digit (free, tight to the
// lower end, to the upper, to both), and ends of any length cost O(length). This is the
// usual comparison of fractions, with the last digit first: the chain is built backwards.
//
// Thread safety: as RegexSet.
#pragma once

#include <optional>
#include <string>

#include "grammar/regex/regex_set.h"

namespace espalier {

// How many digits after the point may be other than zero.
inline constexpr int kAnyPlaces = 1 << 20;
inline constexpr int kNoPoint = -1;  // not even a point
// Any text behind the point or the last digit that was compared: for use in an And.
inline constexpr int kCheckedElsewhere = kAnyPlaces + 1;

// An end of the interval: 0.d1d2d3... if the point stood before the first digit.
struct DigitEnd {
  std::string digits;  // the last one is not 0
  bool inclusive = true;
};

struct DigitInterval {
  // Digits before the point: none is spelled "0", the first of some is not 0.
  int num_whole = 1;
  int places = kAnyPlaces;
  std::optional<DigitEnd> lower, upper;
};

// digits[.digits], with any number of zeros at the end of the fraction.
// REQUIRES: unless places is kAnyPlaces, ends are inclusive and have at most num_whole +
// places digits.
RegexId DigitChain(const DigitInterval& interval, RegexSet& set);

// The same for all of first_whole .. last_whole digits before the point, without ends.
// REQUIRES: 1 <= first_whole
RegexId FreeDigits(int first_whole, int last_whole, int places, RegexSet& set);

// .digits or nothing
RegexId FreeFraction(int places, RegexSet& set);

}  // namespace espalier
