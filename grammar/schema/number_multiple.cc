#include "grammar/schema/number_multiple.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace espalier {
namespace {

constexpr std::uint64_t kModulusEnd = 1'000'000'000'000'000'000;
constexpr int kMaxScale = 300;

// value * 10^exponent below kModulusEnd.
std::optional<std::uint64_t> Shifted(std::uint64_t value, int exponent) {
  for (int i = 0; i < exponent; ++i) {
    value *= 10;
    if (value >= kModulusEnd) return {};
  }
  return value;
}

Status TooLong(const Decimal& value) {
  return {Code::kLimit,
          "multipleOf " + value.ToString() + " is out of reach: at most 18 digits, down to 1e-300"};
}

// The whole number of 10^-scale in a value, rounded down; empty if too great.
std::optional<std::uint64_t> WholeUnits(const Decimal& value, int scale) {
  const int num_digits = value.magnitude() + scale;
  if (value.is_zero() || num_digits <= 0) return 0;
  if (num_digits > 18) return {};
  const auto length = static_cast<std::size_t>(num_digits);
  std::uint64_t units = 0;
  for (std::size_t i = 0; i < length; ++i) {
    const char digit = i < value.digits().size() ? value.digits()[i] : '0';
    units = units * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  return units;
}

}  // namespace

Result<NumberMultiple> MakeMultiple(const Decimal& value) {
  if (value.digits().size() > 18 || value.exponent() < -kMaxScale) return TooLong(value);
  std::uint64_t modulus = 0;
  for (const char digit : value.digits()) {
    modulus = modulus * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  const std::optional<std::uint64_t> shifted = Shifted(modulus, value.exponent());
  if (!shifted) return TooLong(value);
  return NumberMultiple{*shifted, std::max(0, -value.exponent())};
}

Result<NumberMultiple> CommonMultiple(std::span<const NumberMultiple> multiples) {
  const Status too_great(Code::kLimit,
                         "the multipleOf of this number have no common multiple below 1e18");
  int scale = 0;
  for (const NumberMultiple& multiple : multiples) scale = std::max(scale, multiple.scale);
  std::uint64_t modulus = 1;
  bool first = true;
  for (const NumberMultiple& multiple : multiples) {
    const std::optional<std::uint64_t> next = Shifted(multiple.modulus, scale - multiple.scale);
    if (!next) return too_great;
    if (first) modulus = *next;
    first = false;
    const std::uint64_t factor = *next / std::gcd(modulus, *next);
    if (modulus >= kModulusEnd / factor) return too_great;
    modulus *= factor;
  }
  for (; scale > 0 && modulus % 10 == 0; --scale) modulus /= 10;
  return NumberMultiple{modulus, scale};
}

std::optional<std::vector<Decimal>> ListMultiples(const NumberMultiple& multiple,
                                                  const MagnitudeInterval& interval,
                                                  std::uint64_t max_count) {
  if (!interval.upper) return {};
  const auto low = WholeUnits(interval.lower.value, multiple.scale);
  const auto high = WholeUnits(interval.upper->value, multiple.scale);
  if (!low || !high) return {};
  const std::uint64_t first = *low / multiple.modulus;
  const std::uint64_t last = *high / multiple.modulus;
  if (last - first > max_count) return {};
  std::vector<Decimal> values;
  for (std::uint64_t k = first; k <= last; ++k) {
    const Decimal value = *Decimal::Parse(std::to_string(k * multiple.modulus) + "e-" +
                                          std::to_string(multiple.scale));
    if (Contains(interval, value)) values.push_back(value);
  }
  return values;
}

DivisorFactors FactorsOf(const NumberMultiple& multiple) {
  int twos = 0;
  int fives = 0;
  std::uint64_t rest = multiple.modulus;
  for (; rest % 2 == 0; rest /= 2) ++twos;
  for (; rest % 5 == 0; rest /= 5) ++fives;
  return {rest, std::max(twos, fives) - multiple.scale};
}

}  // namespace espalier
