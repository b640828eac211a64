// Decimal: an exact decimal number within the range of a double, (-1)^s * digits * 10^e.
//
// Thread safety: a value.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace espalier {

class Decimal {
 public:
  Decimal() = default;  // zero
  explicit Decimal(std::int64_t value);
  // A number as JSON spells it. Empty: not a number, or its magnitude is beyond a double's
  // (at least 1.8e308, or a non-zero one that is closer to zero than 4.9e-324).
  static std::optional<Decimal> Parse(std::string_view text);

  bool negative() const { return negative_; }
  const std::string& digits() const { return digits_; }  // no leading or trailing zeros
  int exponent() const { return exponent_; }             // of the last digit
  bool is_zero() const { return digits_.empty(); }
  bool is_integer() const { return exponent_ >= 0 || is_zero(); }

  Decimal Negated() const;
  bool IsMultipleOf(const Decimal& divisor) const;  // REQUIRES: !divisor.is_zero()
  std::string ToString() const;                     // shortest plain form

  friend std::strong_ordering operator<=>(const Decimal& a, const Decimal& b);
  friend bool operator==(const Decimal&, const Decimal&) = default;

 private:
  bool negative_ = false;
  std::string digits_;
  int exponent_ = 0;
};

}  // namespace espalier
