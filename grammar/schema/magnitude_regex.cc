#include "grammar/schema/magnitude_regex.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/regex/byte_set.h"
#include "grammar/schema/digit_chain.h"
#include "kernels/base/check.h"

namespace espalier {
namespace {

constexpr RegexId kNothing = RegexSet::kNothing;

// No finite double is greater than the one, no power of ten than the other.
constexpr std::string_view kGreatest = "1.7976931348623157e308";
constexpr std::string_view kGreatestPower = "1e308";

RegexId OneOf(std::string_view chars, RegexSet& set) {
  ByteSet bytes;
  for (const char c : chars) bytes |= ByteSet::Of(static_cast<std::uint8_t>(c));
  return set.Bytes(bytes);
}

RegexId Zeros(std::uint32_t min, RegexSet& set) {
  return set.Repeat(set.Literal("0"), min, RegexSet::kUnbounded);
}

// The digits of a value behind a point that stands `num_whole` digits before them.
DigitEnd EndDigits(const MagnitudeEnd& end, int num_whole) {
  if (end.value.is_zero()) return {"", end.inclusive};
  const auto zeros = static_cast<std::size_t>(num_whole - end.value.magnitude());
  return {std::string(zeros, '0') + end.value.digits(), end.inclusive};
}

// The greatest multiple of 10^-places that is not greater than `value`.
Decimal Truncated(const Decimal& value, int places) {
  const int num_kept = std::max(0, value.magnitude() + places);
  const std::string& digits = value.digits();
  if (static_cast<std::size_t>(num_kept) >= digits.size()) return value;
  if (num_kept == 0) return Decimal();
  return *Decimal::Parse(digits.substr(0, static_cast<std::size_t>(num_kept)) + "e" +
                         std::to_string(-places));
}

// value + 10^-places, or value - 10^-places if `digit_step` is -1. Empty: beyond a double.
// REQUIRES: value is a multiple of 10^-places, and not zero if digit_step is -1
std::optional<Decimal> Stepped(const Decimal& value, int places, int digit_step) {
  std::string digits = "0" + value.digits();
  if (!value.is_zero()) digits.append(static_cast<std::size_t>(value.exponent() + places), '0');
  const char wraps = digit_step > 0 ? '9' : '0';
  std::size_t i = digits.size() - 1;
  for (; digits[i] == wraps; --i) digits[i] = digit_step > 0 ? '0' : '9';
  digits[i] = static_cast<char>(digits[i] + digit_step);
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  return Decimal::Parse(digits + "e" + std::to_string(-places));
}

// One digit before the point, at exponents where every such mantissa is inside.
class FreeMantissas {
 public:
  FreeMantissas(int places, int first, int last, RegexSet& set)
      : places_(places),
        first_(std::max(first, places == kAnyPlaces ? first : -places)),
        last_(last),
        set_(set) {}

  RegexId Build() {
    if (first_ > last_) return kNothing;
    if (places_ == kAnyPlaces) {
      return set_.Concat(FreeDigits(1, 1, kAnyPlaces, set_), Exponents(first_, last_, set_));
    }
    const RegexId zeros = set_.Concat(set_.Literal("."), Zeros(1, set_));
    const RegexId whole = set_.Concat(set_.Optional(zeros), AtLeast(0));
    const RegexId fraction = set_.Concat(set_.Literal("."), SomePlaces());
    return set_.Concat(OneOf("123456789", set_), set_.Or(whole, fraction));
  }

 private:
  // The exponents that leave no more than `places_` of so many digits behind the point.
  RegexId AtLeast(int num_digits) {
    return Exponents(std::max(first_, num_digits - places_), last_, set_);
  }

  // Digits behind the point, the last one but for zeros at the end not zero, and an
  // exponent that is great enough for them; built from the last digit on.
  RegexId SomePlaces() {
    RegexId more = kNothing;
    for (int k = std::min(kMaxMantissaPlaces, last_ + places_); k > 0; --k) {
      const RegexId end = set_.Concat(Zeros(0, set_), AtLeast(k));
      const RegexId nonzero = set_.Concat(OneOf("123456789", set_), set_.Or(more, end));
      more = set_.Or(nonzero, set_.Concat(set_.Literal("0"), more));
    }
    return more;
  }

  const int places_, first_, last_;
  RegexSet& set_;
};

// Whether the ends exclude no text that has as many digits before the point.
bool IsFree(const DigitInterval& interval, RegexSet& set) {
  const int num_whole = interval.num_whole;
  return num_whole > 0 && (interval.places >= 0 || interval.places == kNoPoint) &&
         DigitChain(interval, set) == FreeDigits(num_whole, num_whole, interval.places, set);
}

MagnitudeEnd Greatest(int places) {
  return {*Decimal::Parse(places == kAnyPlaces ? kGreatest : kGreatestPower)};
}

// Mantissas d[.digits] with one exponent, between the ends that are given.
RegexId MantissasAt(int exponent, const DigitInterval& interval, RegexSet& set) {
  if (interval.places < 0) return kNothing;
  return set.Concat(DigitChain(interval, set), Exponents(exponent, exponent, set));
}

DigitInterval MantissaInterval(int places, int exponent) {
  return {.num_whole = 1, .places = places == kAnyPlaces ? kAnyPlaces : places + exponent};
}

}  // namespace

bool IsEmpty(const MagnitudeInterval& interval) {
  if (!interval.upper) return false;
  const auto order = interval.lower.value <=> interval.upper->value;
  return order > 0 || (order == 0 && !(interval.lower.inclusive && interval.upper->inclusive));
}

bool Contains(const MagnitudeInterval& interval, const Decimal& value) {
  const auto above = value <=> interval.lower.value;
  if (above < 0 || (above == 0 && !interval.lower.inclusive)) return false;
  if (!interval.upper) return true;
  const auto below = value <=> interval.upper->value;
  return below < 0 || (below == 0 && interval.upper->inclusive);
}

std::optional<MagnitudeInterval> RoundedInward(MagnitudeInterval interval) {
  ESP_CHECK(interval.places != kAnyPlaces);
  MagnitudeEnd& lower = interval.lower;
  const Decimal low = Truncated(lower.value, interval.places);
  if (low != lower.value || !lower.inclusive) {
    const std::optional<Decimal> next = Stepped(low, interval.places, 1);
    if (!next) return {};
    lower = {*next};
  }
  if (interval.upper) {
    MagnitudeEnd& upper = *interval.upper;
    Decimal high = Truncated(upper.value, interval.places);
    if (high == upper.value && !upper.inclusive) {
      if (high.is_zero()) return {};
      high = *Stepped(high, interval.places, -1);
    }
    upper = {high};
  }
  if (IsEmpty(interval)) return {};
  return interval;
}

RegexId PlainSpellings(const MagnitudeInterval& interval, RegexSet& set) {
  if (IsEmpty(interval)) return kNothing;
  const auto& [lower, upper, places] = interval;
  const int low = std::max(0, lower.value.magnitude());
  const int high = upper ? std::max(0, upper->value.magnitude()) : kMaxWholeDigits + 1;
  DigitInterval at_low{.num_whole = low, .places = places, .lower = EndDigits(lower, low)};
  if (upper && low == high) {
    at_low.upper = EndDigits(*upper, high);
    return DigitChain(at_low, set);
  }
  std::vector<RegexId> parts;
  int first_free = low + 1;
  if (IsFree(at_low, set)) {
    first_free = low;
  } else {
    parts.push_back(DigitChain(at_low, set));
  }
  int last_free = high - 1;
  if (upper) {
    const DigitInterval at_high{
        .num_whole = high, .places = places, .upper = EndDigits(*upper, high)};
    if (IsFree(at_high, set)) {
      last_free = high;
    } else {
      parts.push_back(DigitChain(at_high, set));
    }
  }
  if (!upper && places == kCheckedElsewhere) {
    const RegexId digits = FreeDigits(first_free, first_free, kNoPoint, set);
    parts.push_back(set.Concat(digits, RegexSet::kAnything));
  } else {
    parts.push_back(FreeDigits(first_free, last_free, places, set));
  }
  return set.Or(parts);
}

RegexId ScientificSpellings(const MagnitudeInterval& interval, RegexSet& set) {
  if (IsEmpty(interval)) return kNothing;
  const MagnitudeEnd& lower = interval.lower;
  const MagnitudeEnd upper = interval.upper.value_or(Greatest(interval.places));
  if (upper.value.is_zero()) return kNothing;
  const int low = lower.value.is_zero() ? kMinExponent - 1 : lower.value.magnitude() - 1;
  const int high = upper.value.magnitude() - 1;
  std::vector<RegexId> parts;
  DigitInterval at_low = MantissaInterval(interval.places, low);
  DigitInterval at_high = MantissaInterval(interval.places, high);
  at_high.upper = DigitEnd{upper.value.digits(), upper.inclusive};
  if (!lower.value.is_zero()) at_low.lower = DigitEnd{lower.value.digits(), lower.inclusive};
  if (low == high) {
    at_low.upper = at_high.upper;
    return MantissasAt(low, at_low, set);
  }
  int first_free = low + 1;
  if (at_low.lower && IsFree(at_low, set)) {
    first_free = low;
  } else if (at_low.lower) {
    parts.push_back(MantissasAt(low, at_low, set));
  }
  parts.push_back(MantissasAt(high, at_high, set));
  parts.push_back(FreeMantissas(interval.places, first_free, high - 1, set).Build());
  return set.Or(parts);
}

RegexId ScientificZeros(RegexSet& set) {
  const RegexId zeros = set.Concat(set.Literal("."), Zeros(1, set));
  return set.Concat(std::array{set.Literal("0"), set.Optional(zeros),
                               Exponents(kMinExponent, kMaxExponent, set)});
}

RegexId Exponents(int first, int last, RegexSet& set) {
  const auto positive = [&](int low, int high) {
    if (low > high) return kNothing;
    const MagnitudeInterval values{{Decimal(low)}, MagnitudeEnd{Decimal(high)}, kNoPoint};
    return PlainSpellings(values, set);
  };
  std::vector<RegexId> parts;
  const RegexId zeros = Zeros(0, set);
  parts.push_back(set.Concat(
      std::array{set.Optional(set.Literal("+")), zeros, positive(std::max(first, 1), last)}));
  parts.push_back(
      set.Concat(std::array{set.Literal("-"), zeros, positive(std::max(-last, 1), -first)}));
  if (first <= 0 && last >= 0) {
    parts.push_back(set.Concat(set.Optional(OneOf("+-", set)), Zeros(1, set)));
  }
  return set.Concat(OneOf("eE", set), set.Or(parts));
}

}  // namespace espalier
