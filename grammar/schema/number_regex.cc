#include "grammar/schema/number_regex.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "grammar/regex/byte_set.h"
#include "grammar/regex/decimal_multiples.h"
#include "grammar/schema/digit_chain.h"
#include "grammar/schema/magnitude_regex.h"
#include "grammar/schema/number_multiple.h"

namespace espalier {
namespace {

constexpr RegexId kNothing = RegexSet::kNothing;

// Multiples are listed rather than reckoned where they are few.
constexpr std::uint64_t kMaxListed = 256;
// Remainders combined with ends are states of a product.
constexpr std::uint64_t kMaxModulus = 10'000;
// A number without ends may have so many digits before an exponent.
constexpr int kMaxMantissaWhole = 20;

Decimal ValueOf(const NumberMultiple& multiple) {
  return *Decimal::Parse(std::to_string(multiple.modulus) + "e-" + std::to_string(multiple.scale));
}

Status TooManyRemainders(const NumberMultiple& multiple) {
  return {Code::kLimit, "a multiple of " + ValueOf(multiple).ToString() +
                            " has too many remainders to keep (at most " +
                            std::to_string(kMaxModulus) + ")"};
}

// The spellings, without their sign, of the magnitudes of one sign.
class MagnitudeSpeller {
 public:
  MagnitudeSpeller(std::optional<NumberMultiple> multiple, std::vector<NumberMultiple> avoided,
                   RegexSet& set)
      : multiple_(multiple), avoided_(std::move(avoided)), set_(set) {}

  // kLimit: too many remainders.
  Result<RegexId> Spell(MagnitudeInterval interval) {
    interval.places = multiple_ ? multiple_->scale : kAnyPlaces;
    if (multiple_ && !Round(interval)) return kNothing;
    if (IsEmpty(interval) || AvoidsAll()) return kNothing;
    if (multiple_ && (multiple_->modulus != 1 || !avoided_.empty())) {
      const auto values = ListMultiples(*multiple_, interval, kMaxListed);
      if (values) return Listed(*values);
    }
    Result<RegexId> plain = Plain(interval);
    if (!plain.ok()) return plain;
    std::vector<RegexId> parts = {*plain, Scientific(interval)};
    if (Contains(interval, Decimal()) && avoided_.empty()) parts.push_back(ScientificZeros(set_));
    if (!multiple_ && avoided_.empty()) parts.push_back(LongMantissas(interval));
    return set_.Or(parts);
  }

 private:
  static bool Round(MagnitudeInterval& interval) {
    const std::optional<MagnitudeInterval> rounded = RoundedInward(interval);
    if (rounded) interval = *rounded;
    return rounded.has_value();
  }

  bool IsAvoided(const Decimal& value) const {
    return std::ranges::any_of(avoided_, [&](const NumberMultiple& avoided) {
      return value.IsMultipleOf(ValueOf(avoided));
    });
  }

  bool AvoidsAll() const { return multiple_ && IsAvoided(ValueOf(*multiple_)); }

  RegexId Listed(std::vector<Decimal> values) {
    std::erase_if(values, [this](const Decimal& value) { return IsAvoided(value); });
    return SpellingsOf(values, set_);
  }

  RegexId MultiplesOf(const NumberMultiple& multiple, std::uint32_t max_whole_digits) {
    return set_.Multiples(DecimalMultiples(
        multiple.modulus, static_cast<std::uint32_t>(multiple.scale), max_whole_digits));
  }

  Result<RegexId> Plain(MagnitudeInterval interval) {
    std::vector<RegexId> parts;
    if (multiple_ && multiple_->modulus != 1) {
      const bool compares = interval.upper || interval.lower.value > Decimal(1);
      if (compares && multiple_->modulus > kMaxModulus) return TooManyRemainders(*multiple_);
      const int most = interval.upper ? interval.upper->value.magnitude() : kMaxWholeDigits;
      parts.push_back(MultiplesOf(*multiple_, static_cast<std::uint32_t>(std::max(most, 1))));
      interval.places = kCheckedElsewhere;
    }
    parts.push_back(PlainSpellings(interval, set_));
    for (const NumberMultiple& avoided : avoided_) {
      if (avoided.modulus > kMaxModulus) return TooManyRemainders(avoided);
      parts.push_back(set_.Not(MultiplesOf(avoided, DecimalMultiples::kUnbounded)));
    }
    return set_.And(parts);
  }

  // Magnitudes below every avoided divisor are no multiples of it.
  RegexId Scientific(MagnitudeInterval interval) {
    for (const NumberMultiple& avoided : avoided_) {
      const Decimal value = ValueOf(avoided);
      if (!interval.upper || interval.upper->value >= value) interval.upper = {value, false};
    }
    if (!avoided_.empty() && interval.lower.value.is_zero()) interval.lower.inclusive = false;
    if (!multiple_) return ScientificSpellings(interval, set_);
    if (multiple_->modulus > kMaxModulus) return kNothing;
    const DivisorFactors factors = FactorsOf(*multiple_);
    const RegexId whole = ScientificAt(interval, -factors.covering_power);
    if (factors.rest == 1 && factors.covering_power <= -multiple_->scale) return whole;
    const RegexId mantissas =
        MultiplesOf({factors.rest, kMaxMantissaPlaces}, 1);  // whatever the exponent is
    return set_.Or(set_.And(whole, set_.Concat(mantissas, AllExponents())),
                   ScientificByExponent(interval, factors));
  }

  RegexId AllExponents() { return Exponents(kMinExponent, kMaxExponent, set_); }

  RegexId ScientificAt(MagnitudeInterval interval, int places) {
    interval.places = places;
    return Round(interval) ? ScientificSpellings(interval, set_) : kNothing;
  }

  // Values that are no multiples of a power of ten that the divisor divides: for each exponent
  // the mantissas are multiples of another divisor.
  RegexId ScientificByExponent(const MagnitudeInterval& interval, const DivisorFactors& factors) {
    if (factors.covering_power <= -multiple_->scale) return kNothing;
    const int first = ValueOf(*multiple_).magnitude() - 1;
    std::vector<RegexId> parts;
    for (int exponent = first; exponent + multiple_->scale <= kMaxMantissaPlaces; ++exponent) {
      const NumberMultiple shifted{multiple_->modulus, multiple_->scale + exponent};
      parts.push_back(set_.Concat(MultiplesOf(shifted, 1), Exponents(exponent, exponent, set_)));
    }
    return set_.And(set_.Or(parts), ScientificAt(interval, multiple_->scale));
  }

  // More digits before the point and an exponent, where only zero is compared with.
  RegexId LongMantissas(MagnitudeInterval interval) {
    if (interval.upper || !interval.lower.value.is_zero()) return kNothing;
    interval.upper = {*Decimal::Parse("1e" + std::to_string(kMaxMantissaWhole)), false};
    const RegexId exponents =
        Exponents(kMinExponent + kMaxMantissaWhole, kMaxExponent - kMaxMantissaWhole, set_);
    return set_.Concat(PlainSpellings(interval, set_), exponents);
  }

  const std::optional<NumberMultiple> multiple_;
  const std::vector<NumberMultiple> avoided_;
  RegexSet& set_;
};

// The magnitudes of the values >= 0 between the bounds; empty: there are none.
std::optional<MagnitudeInterval> NotNegative(const std::optional<NumberBound>& lower,
                                             const std::optional<NumberBound>& upper) {
  MagnitudeInterval interval;
  if (lower && !lower->value.negative()) {
    interval.lower = {lower->value, lower->kind == NumberBound::Kind::kInclusive};
  }
  if (upper) {
    if (upper->value.negative()) return {};
    interval.upper = {upper->value, upper->kind == NumberBound::Kind::kInclusive};
  }
  return interval;
}

std::optional<NumberBound> Negated(std::optional<NumberBound> bound) {
  if (bound) bound->value = bound->value.Negated();
  return bound;
}

Result<std::optional<NumberMultiple>> RequiredMultiple(const NumberConstraint& constraint) {
  std::vector<NumberMultiple> multiples;
  for (const Decimal& value : constraint.multiple_of) {
    Result<NumberMultiple> multiple = MakeMultiple(value);
    if (!multiple.ok()) return multiple.status();
    multiples.push_back(*multiple);
  }
  if (constraint.integrality == NumberConstraint::Integrality::kInteger) multiples.push_back({});
  if (multiples.empty()) return std::optional<NumberMultiple>();
  Result<NumberMultiple> common = CommonMultiple(multiples);
  if (!common.ok()) return common.status();
  return std::optional<NumberMultiple>(*common);
}

Result<std::vector<NumberMultiple>> AvoidedDivisors(const NumberConstraint& constraint) {
  std::vector<Decimal> values = constraint.not_multiple_of;
  if (constraint.integrality == NumberConstraint::Integrality::kNotInteger) values.emplace_back(1);
  std::vector<NumberMultiple> avoided;
  for (const Decimal& value : values) {
    Result<NumberMultiple> multiple = MakeMultiple(value);
    if (!multiple.ok()) return multiple.status();
    avoided.push_back(*multiple);
  }
  return avoided;
}

}  // namespace

Result<RegexId> NumberRegex(const NumberConstraint& constraint, RegexSet& set) {
  Result<std::optional<NumberMultiple>> multiple = RequiredMultiple(constraint);
  if (!multiple.ok()) return multiple.status();
  Result<std::vector<NumberMultiple>> avoided = AvoidedDivisors(constraint);
  if (!avoided.ok()) return avoided.status();
  MagnitudeSpeller speller(*multiple, *std::move(avoided), set);
  const auto spell = [&](const std::optional<MagnitudeInterval>& interval) {
    return interval ? speller.Spell(*interval) : Result<RegexId>(kNothing);
  };
  const auto positive = spell(NotNegative(constraint.lower, constraint.upper));
  if (!positive.ok()) return positive;
  const auto negative = spell(NotNegative(Negated(constraint.upper), Negated(constraint.lower)));
  if (!negative.ok()) return negative;
  const RegexId minus = set.Literal("-");
  if (*positive == *negative) return set.Concat(set.Optional(minus), *positive);
  return set.Or(*positive, set.Concat(minus, *negative));
}

RegexId PlainNumbers(RegexId numbers, NumberConstraint::Integrality integrality, RegexSet& set) {
  const RegexId digit = set.Bytes(ByteSet::Range('0', '9'));
  const RegexId whole = set.Or(
      set.Literal("0"), set.Concat(set.Bytes(ByteSet::Range('1', '9')), set.Repeat(digit, 0, 18)));
  std::vector<RegexId> parts = {set.Optional(set.Literal("-")), whole};
  if (integrality != NumberConstraint::Integrality::kInteger) {
    const RegexId sign = set.Optional(set.Or(set.Literal("+"), set.Literal("-")));
    const RegexId mark = set.Or(set.Literal("e"), set.Literal("E"));
    const RegexId exponent[] = {mark, sign, set.Repeat(digit, 1, 3)};
    parts.push_back(set.Optional(set.Concat(set.Literal("."), set.Repeat(digit, 1, 17))));
    parts.push_back(set.Optional(set.Concat(exponent)));
  }
  const RegexId plain = set.And(numbers, set.Concat(parts));
  return set.IsNothing(plain) ? numbers : plain;
}

RegexId WrittenAs(NumberConstraint::Writing writing, RegexId numbers, RegexSet& set) {
  if (writing == NumberConstraint::Writing::kAny) return numbers;
  const RegexId digits =
      set.Concat(set.Optional(set.Literal("-")),
                 set.Repeat(set.Bytes(ByteSet::Range('0', '9')), 1, RegexSet::kUnbounded));
  const bool alone = writing == NumberConstraint::Writing::kDigits;
  return set.And(numbers, alone ? digits : set.Not(digits));
}

RegexId NumberLiteral(const Decimal& value, RegexSet& set) {
  const RegexId minus = set.Literal("-");
  if (value.is_zero()) return set.Concat(set.Optional(minus), SpellingsOf(std::array{value}, set));
  if (!value.negative()) return SpellingsOf(std::array{value}, set);
  return set.Concat(minus, SpellingsOf(std::array{value.Negated()}, set));
}

}  // namespace espalier
