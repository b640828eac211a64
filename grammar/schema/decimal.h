// Decimal: an exact decimal number within the range of a double, (-1)^s * digits * 10^e.
//
// Comparing costs O(digits), a remainder O(digits of one * digits of the other); both are
// bounded by kMaxDigits.
//
// Thread safety: a value.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace espalier {

class Decimal {
 public:
  // More significant digits than any double has, with room to spare.
  static constexpr std::size_t kMaxDigits = 4096;

  Decimal() = default;  // zero
  explicit Decimal(std::int64_t value);
  // A number as JSON spells it. Empty: not a number, or its magnitude is beyond a double's
  // (at least 1.8e308, or a non-zero one that is closer to zero than 4.9e-324), or it has
  // more than kMaxDigits digits between its first and last that are not zero.
  static std::optional<Decimal> Parse(std::string_view text);

  bool negative() const { return negative_; }            // false for zero
  const std::string& digits() const { return digits_; }  // no leading or trailing zeros
  int exponent() const { return exponent_; }             // of the last digit; 0 for zero
  // m, where the value is 0.d1d2d3... * 10^m: the digits before the point, if it is positive.
  int magnitude() const { return static_cast<int>(digits_.size()) + exponent_; }
  bool is_zero() const { return digits_.empty(); }
  bool is_integer() const { return exponent_ >= 0; }

  Decimal Negated() const;
  bool IsMultipleOf(const Decimal& divisor) const;  // REQUIRES: !divisor.is_zero()
  // One text a value: plain where the decimal point stands in or near the digits (120,
  // 0.0012), else scientific (1.2e+300).
  std::string ToString() const;

  friend std::strong_ordering operator<=>(const Decimal& a, const Decimal& b);
  friend bool operator==(const Decimal&, const Decimal&) = default;

 private:
  bool negative_ = false;
  std::string digits_;
  int exponent_ = 0;
};

}  // namespace espalier
