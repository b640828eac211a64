#include "grammar/schema/decimal.h"

#include <algorithm>
#include <vector>

#include "grammar/ascii.h"
#include "kernels/base/check.h"

namespace espalier {
namespace {

// Magnitudes of the largest double, 1.797...e308, and of the smallest, 4.94...e-324.
constexpr int kMaxMagnitude = 309;
constexpr int kMinMagnitude = -323;

// Takes the digits that `text` begins with off it.
std::string_view TakeDigits(std::string_view& text) {
  const auto end = std::ranges::find_if_not(text, IsDigit);
  const auto count = static_cast<std::size_t>(end - text.begin());
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

bool TakeOneOf(std::string_view& text, std::string_view chars) {
  if (text.empty() || chars.find(text.front()) == chars.npos) return false;
  text.remove_prefix(1);
  return true;
}

// The parts of a JSON number.
struct Parts {
  bool negative = false;
  std::string_view whole, fraction;
  std::int64_t exponent = 0;
};

// An exponent far beyond what a text's digits could make up for stays far beyond.
std::int64_t ExponentValue(std::string_view digits) {
  constexpr std::int64_t kFar = std::int64_t{1} << 40;
  std::int64_t value = 0;
  for (const char c : digits) value = std::min(kFar, value * 10 + (c - '0'));
  return value;
}

std::optional<Parts> Split(std::string_view text) {
  Parts parts;
  parts.negative = TakeOneOf(text, "-");
  parts.whole = TakeDigits(text);
  if (parts.whole.empty() || (parts.whole.size() > 1 && parts.whole.front() == '0')) return {};
  if (TakeOneOf(text, ".")) {
    parts.fraction = TakeDigits(text);
    if (parts.fraction.empty()) return {};
  }
  if (TakeOneOf(text, "eE")) {
    const bool negative = text.starts_with('-');
    TakeOneOf(text, "+-");
    const std::string_view digits = TakeDigits(text);
    if (digits.empty()) return {};
    parts.exponent = negative ? -ExponentValue(digits) : ExponentValue(digits);
  }
  if (!text.empty()) return {};
  return parts;
}

// Remainders of a growing dividend, digit by digit, by a divisor of any length. Numbers
// are kept in limbs of 18 digits, the lowest first, so that ten times a limb fits a word.
class Remainder {
 public:
  explicit Remainder(std::string_view divisor) {
    for (std::size_t end = divisor.size(); end > 0; end -= std::min(end, kLimbDigits)) {
      const std::size_t begin = end - std::min(end, kLimbDigits);
      std::uint64_t limb = 0;
      for (const char c : divisor.substr(begin, end - begin)) limb = limb * 10 + Value(c);
      divisor_.push_back(limb);
    }
    divisor_.push_back(0);
    rest_.resize(divisor_.size());
  }

  void Append(char digit) {
    std::uint64_t carry = Value(digit);
    for (std::uint64_t& limb : rest_) {
      const std::uint64_t value = limb * 10 + carry;
      limb = value % kLimb;
      carry = value / kLimb;
    }
    while (!std::ranges::lexicographical_compare(rest_.rbegin(), rest_.rend(), divisor_.rbegin(),
                                                 divisor_.rend())) {
      Subtract();
    }
  }
  bool is_zero() const {
    return std::ranges::all_of(rest_, [](auto limb) { return limb == 0; });
  }

 private:
  static constexpr std::size_t kLimbDigits = 18;
  static constexpr std::uint64_t kLimb = 1'000'000'000'000'000'000;

  static std::uint64_t Value(char digit) { return static_cast<std::uint64_t>(digit - '0'); }
  void Subtract() {
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      const std::uint64_t taken = divisor_[i] + borrow;
      borrow = rest_[i] < taken ? 1 : 0;
      rest_[i] = rest_[i] + borrow * kLimb - taken;
    }
  }

  std::vector<std::uint64_t> divisor_, rest_;
};

}  // namespace

Decimal::Decimal(std::int64_t value) {
  // The decimal text of every int64 is a number in range.
  *this = *Parse(std::to_string(value));
}

std::optional<Decimal> Decimal::Parse(std::string_view text) {
  const std::optional<Parts> parts = Split(text);
  if (!parts) return {};
  std::string digits(parts->whole);
  digits += parts->fraction;
  const std::size_t first = digits.find_first_not_of('0');
  if (first == std::string::npos) return Decimal();
  const std::size_t last = digits.find_last_not_of('0');

  const auto signed_size = [](std::size_t size) { return static_cast<std::int64_t>(size); };
  const std::int64_t exponent =
      parts->exponent - signed_size(parts->fraction.size()) + signed_size(digits.size() - last - 1);
  const std::size_t num_digits = last - first + 1;
  const std::int64_t magnitude = exponent + signed_size(num_digits);
  if (num_digits > kMaxDigits) return {};
  if (magnitude > kMaxMagnitude || magnitude < kMinMagnitude) return {};
  Decimal result;
  result.negative_ = parts->negative;
  result.digits_ = digits.substr(first, num_digits);
  result.exponent_ = static_cast<int>(exponent);
  if (magnitude == kMaxMagnitude && result.digits_ >= "18") return {};
  if (magnitude == kMinMagnitude && result.digits_ < "49") return {};
  return result;
}

Decimal Decimal::Negated() const {
  Decimal result = *this;
  result.negative_ = !negative_ && !is_zero();
  return result;
}

bool Decimal::IsMultipleOf(const Decimal& divisor) const {
  ESP_CHECK(!divisor.is_zero());
  if (is_zero()) return true;
  // digits * 10^shift must be whole times the divisor's digits.
  const int shift = exponent_ - divisor.exponent_;
  std::string denominator = divisor.digits_;
  if (shift < 0) denominator.append(static_cast<std::size_t>(-shift), '0');
  Remainder rest(denominator);
  for (const char digit : digits_) rest.Append(digit);
  for (int i = 0; i < shift && !rest.is_zero(); ++i) rest.Append('0');
  return rest.is_zero();
}

std::string Decimal::ToString() const {
  constexpr int kMostZeros = 6;
  constexpr int kMostPlainDigits = 21;
  if (is_zero()) return "0";
  std::string text = negative_ ? "-" : "";
  if (exponent_ >= 0 && magnitude() <= kMostPlainDigits) {
    return text + digits_ + std::string(static_cast<std::size_t>(exponent_), '0');
  }
  if (exponent_ < 0 && magnitude() > 0) {
    const auto whole = static_cast<std::size_t>(magnitude());
    return text + digits_.substr(0, whole) + "." + digits_.substr(whole);
  }
  if (exponent_ < 0 && magnitude() > -kMostZeros) {
    return text + "0." + std::string(static_cast<std::size_t>(-magnitude()), '0') + digits_;
  }
  text += digits_.substr(0, 1);
  if (digits_.size() > 1) text += "." + digits_.substr(1);
  const int exponent = magnitude() - 1;
  return text + (exponent < 0 ? "e" : "e+") + std::to_string(exponent);
}

std::strong_ordering operator<=>(const Decimal& a, const Decimal& b) {
  const auto sign = [](const Decimal& d) { return d.is_zero() ? 0 : d.negative_ ? -1 : 1; };
  if (sign(a) != sign(b)) return sign(a) <=> sign(b);
  if (a.is_zero()) return std::strong_ordering::equal;
  const Decimal& low = a.negative_ ? b : a;
  const Decimal& high = a.negative_ ? a : b;
  if (low.magnitude() != high.magnitude()) return low.magnitude() <=> high.magnitude();
  return low.digits_.compare(high.digits_) <=> 0;
}

}  // namespace espalier
