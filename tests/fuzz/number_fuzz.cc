// Numbers from raw bytes: lines of a lower bound, an upper bound, a divisor and a spelling.
// The language of a constraint must say of a plain spelling what exact arithmetic says, and
// hold no text that is outside.
#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "grammar/fuel.h"
#include "grammar/schema/decimal.h"
#include "grammar/schema/number_regex.h"
#include "kernels/base/check.h"

namespace {

using espalier::Decimal;
using espalier::NumberBound;
using espalier::NumberConstraint;
using espalier::RegexId;
using espalier::RegexSet;
using Integrality = NumberConstraint::Integrality;

bool Satisfies(const NumberConstraint& constraint, const Decimal& value) {
  const auto beyond = [](const NumberBound& bound, std::strong_ordering order,
                         std::strong_ordering outside) {
    return order == outside || (bound.kind == NumberBound::Kind::kExclusive && order == 0);
  };
  if (constraint.lower &&
      beyond(*constraint.lower, value <=> constraint.lower->value, std::strong_ordering::less)) {
    return false;
  }
  if (constraint.upper &&
      beyond(*constraint.upper, value <=> constraint.upper->value, std::strong_ordering::greater)) {
    return false;
  }
  const bool whole = value.is_integer();
  return std::ranges::all_of(constraint.multiple_of,
                             [&](const Decimal& d) { return value.IsMultipleOf(d); }) &&
         std::ranges::none_of(constraint.not_multiple_of,
                              [&](const Decimal& d) { return value.IsMultipleOf(d); }) &&
         (constraint.integrality == Integrality::kAny ||
          whole == (constraint.integrality == Integrality::kInteger));
}

// -?digits[.digits] without needless zeros in front.
bool IsPlain(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, point), places = text.substr(point);
  return !whole.empty() && std::ranges::all_of(whole, is_digit) &&
         (whole == "0" || whole.front() != '0') &&
         (places.empty() || (places.size() > 1 && std::ranges::all_of(places.substr(1), is_digit)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > 400) return 0;
  std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::array<std::string_view, 4> lines;
  for (std::string_view& line : lines) {
    const std::size_t end = std::min(input.find('\n'), input.size());
    line = input.substr(0, end);
    input.remove_prefix(std::min(end + 1, input.size()));
  }
  NumberConstraint constraint;
  const auto kind = [&](unsigned bit) {
    return (data[0] >> bit & 1) != 0 ? NumberBound::Kind::kExclusive
                                     : NumberBound::Kind::kInclusive;
  };
  if (const auto value = Decimal::Parse(lines[0])) constraint.lower = {*value, kind(0)};
  if (const auto value = Decimal::Parse(lines[1])) constraint.upper = {*value, kind(1)};
  const auto divisor = Decimal::Parse(lines[2]);
  if (divisor && !divisor->is_zero() && !divisor->negative()) {
    auto& divisors = (data[0] & 4) != 0 ? constraint.not_multiple_of : constraint.multiple_of;
    divisors.push_back(*divisor);
  }
  constraint.integrality = static_cast<Integrality>((data[0] >> 3) % 3);
  espalier::Fuel fuel(1'000'000);
  RegexSet set(fuel);
  const auto regex = espalier::NumberRegex(constraint, set);
  const auto value = Decimal::Parse(lines[3]);
  if (!regex.ok() || !value) return 0;
  const bool matches = set.Matches(*regex, lines[3]);
  const bool inside = Satisfies(constraint, *value);
  if (fuel.exhausted()) return 0;
  ESP_CHECK(!matches || inside) << lines[3];
  ESP_CHECK(matches || !inside || !IsPlain(lines[3]) || lines[3].size() > 300) << lines[3];
  return 0;
}
