#include "frontend_lang/script/values/integer/integer.h"

#include <cmath>
#include <limits>

namespace espalier::lang {
namespace {

std::uint64_t LowBits(Limbs limbs) {
  std::uint64_t bits = 0;
  for (std::size_t i = std::min<std::size_t>(limbs.size(), 2); i-- > 0;) {
    bits = bits << kLimbBits | limbs[i];
  }
  return bits;
}

}  // namespace

Value MakeInteger(Heap& heap, Integer integer) {
  if (NumBits(integer.magnitude) <= 64) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    const std::uint64_t magnitude = LowBits(integer.magnitude);
    if (magnitude <= kMost + (integer.negative ? 1 : 0)) {
      return Value::Int(static_cast<std::int64_t>(integer.negative ? 0 - magnitude : magnitude));
    }
  }
  return heap.New<BigInt>(std::move(integer));
}

IntegerView::IntegerView(const Value& value) {
  if (const BigInt* big = value.If<BigInt>()) {
    big_ = big->value().magnitude;
    negative_ = big->value().negative;
    return;
  }
  negative_ = value.as_int() < 0;
  const auto bits = static_cast<std::uint64_t>(value.as_int());
  const std::uint64_t magnitude = negative_ ? 0 - bits : bits;
  small_[0] = static_cast<Limb>(magnitude);
  small_[1] = static_cast<Limb>(magnitude >> kLimbBits);
  num_small_ = magnitude == 0 ? 0 : small_[1] == 0 ? 1 : 2;
}

int CompareIntegers(const Value& a, const Value& b) {
  const IntegerView left(a), right(b);
  if (left.negative() != right.negative()) return left.negative() ? -1 : 1;
  const int order = CompareNaturals(left.magnitude(), right.magnitude());
  return left.negative() ? -order : order;
}

// The whole part of a large float is its mantissa, shifted: exact.
int CompareIntegerToFloat(const Value& integer, double number) {
  const IntegerView view(integer);
  if (std::isinf(number)) return number > 0 ? -1 : 1;
  if (view.negative() != (number < 0)) return view.negative() ? -1 : 1;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(number), &exponent);  // number < 2^exponent
  const std::int64_t num_bits = NumBits(view.magnitude());
  int order = 0;
  if (num_bits != exponent) {
    order = num_bits < exponent ? -1 : 1;
  } else if (num_bits > 0) {
    constexpr int kMantissaBits = 53;
    const auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, kMantissaBits));
    const std::int64_t dropped = num_bits - kMantissaBits;
    const std::uint64_t high =
        LowBits(ShiftRight(view.magnitude(), std::max<std::int64_t>(0, dropped)))
        << std::max<std::int64_t>(0, -dropped);
    order = high < mantissa                          ? -1
            : high > mantissa                        ? 1
            : AnyBitBelow(view.magnitude(), dropped) ? 1
                                                     : 0;
  }
  return view.negative() ? -order : order;
}

namespace {

constexpr int kHashBits = 61;
constexpr std::uint64_t kHashModulus = (std::uint64_t{1} << kHashBits) - 1;

// Modulo the hash's modulus a factor of 2 is a rotation by one bit.
std::uint64_t HashMagnitude(double number) {
  constexpr int kMantissaBits = 53;
  if (std::isnan(number)) return 0;
  if (std::isinf(number)) return 314159;  // Python's choice
  int exponent = 0;
  const double fraction = std::frexp(number, &exponent);
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, kMantissaBits));
  const int turn = ((exponent - kMantissaBits) % kHashBits + kHashBits) % kHashBits;
  return (mantissa << turn | mantissa >> (kHashBits - turn)) & kHashModulus;
}

std::uint64_t HashMagnitude(Limbs limbs) {
  unsigned __int128 hash = 0;
  for (std::size_t i = limbs.size(); i-- > 0;) {
    hash = (hash << kLimbBits | limbs[i]) % kHashModulus;
  }
  return static_cast<std::uint64_t>(hash);
}

}  // namespace

std::int64_t NumericHash(const Value& number) {
  if (number.is_integral()) {
    const std::int64_t value = number.as_int();
    constexpr auto kLimit = static_cast<std::int64_t>(kHashModulus);
    if (-kLimit < value && value < kLimit) return value == -1 ? -2 : value;
  }
  const bool negative =
      number.is_float() ? std::signbit(number.as_float()) : IntegerView(number).negative();
  const std::uint64_t magnitude = number.is_float()
                                      ? HashMagnitude(std::fabs(number.as_float()))
                                      : HashMagnitude(IntegerView(number).magnitude());
  const auto hash = static_cast<std::int64_t>(magnitude);
  return !negative ? hash : hash == 1 ? -2 : -hash;  // -1 stands for an error there
}

// The upper 64 bits, the lowest of which also tells of all below, round as the whole does.
Outcome<double> IntegerToDouble(const Value& value) {
  if (value.is_integral()) return static_cast<double>(value.as_int());
  const IntegerView view(value);
  const std::int64_t dropped = NumBits(view.magnitude()) - 64;
  if (dropped > std::numeric_limits<double>::max_exponent) {
    return Raise("OverflowError", "int too large to convert to float");
  }
  std::uint64_t high = 0;
  if (dropped <= 0) {
    high = LowBits(view.magnitude());
  } else {
    high = LowBits(ShiftRight(view.magnitude(), dropped));
    if (AnyBitBelow(view.magnitude(), dropped)) high |= 1;
  }
  const double number =
      std::ldexp(static_cast<double>(high), static_cast<int>(std::max<std::int64_t>(0, dropped)));
  if (std::isinf(number)) return Raise("OverflowError", "int too large to convert to float");
  return view.negative() ? -number : number;
}

Outcome<Value> IntegerFromDouble(Host& host, double number) {
  if (std::isnan(number)) return ValueError("cannot convert float NaN to integer");
  if (std::isinf(number)) {
    return Raise("OverflowError", "cannot convert float infinity to integer");
  }
  constexpr double kTwoTo63 = 9223372036854775808.0;
  if (std::fabs(number) < kTwoTo63) return Value::Int(static_cast<std::int64_t>(number));
  constexpr int kMantissaBits = 53;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(number), &exponent);
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, kMantissaBits));
  ESP_TRY_ASSIGN(Natural magnitude,
                 ShiftLeft(host, MakeNatural(mantissa), exponent - kMantissaBits));
  return MakeInteger(host.heap(), {std::move(magnitude), number < 0});
}

namespace {

constexpr std::string_view kHowToIncrease =
    "; use sys.set_int_max_str_digits() to increase the limit";

bool IsPowerOfTwo(int base) { return (base & (base - 1)) == 0; }

}  // namespace

Outcome<std::string> IntegerDigits(Host& host, const Value& value, int base) {
  const IntegerView view(value);
  const auto too_long = [] {
    return ValueError("Exceeds the limit (" + std::to_string(kMostDecimalDigits) +
                      " digits) for integer string conversion" + std::string(kHowToIncrease));
  };
  // A digit of base 10 has more than 3 bits: no need to convert what is sure to be longer.
  constexpr std::int64_t kMostBits = 15000;
  if (base == 10 && NumBits(view.magnitude()) > kMostBits) return too_long();
  ESP_TRY_ASSIGN(std::string digits, Digits(host, view.magnitude(), base));
  if (base == 10 && digits.size() > kMostDecimalDigits) return too_long();
  return digits;
}

Outcome<Value> ParseInteger(Host& host, std::string_view digits, int base) {
  if (digits.empty()) return Value::Unset();
  if (!IsPowerOfTwo(base) && digits.size() > kMostDecimalDigits) {
    return ValueError("Exceeds the limit (" + std::to_string(kMostDecimalDigits) +
                      " digits) for integer string conversion: value has " +
                      std::to_string(digits.size()) + " digits" + std::string(kHowToIncrease));
  }
  ESP_TRY(host.Reserve(static_cast<std::int64_t>(digits.size())));
  ESP_TRY(host.Step(static_cast<std::int64_t>(digits.size() / 256)));
  std::optional<Natural> magnitude = ParseNatural(digits, base);
  if (!magnitude) return Value::Unset();
  return MakeInteger(host.heap(), {std::move(*magnitude), false});
}

Outcome<std::int64_t> ToIndex(const Value& value, std::string_view c_type) {
  if (value.is_integral()) return value.as_int();
  if (value.is_integer()) {
    return Raise("OverflowError", "Python int too large to convert to " + std::string(c_type));
  }
  return TypeError("'" + std::string(TypeName(value)) +
                   "' object cannot be interpreted as an integer");
}

std::int64_t NearestIndex(const Value& value) {
  if (value.is_integral()) return value.as_int();
  return IntegerView(value).negative() ? std::numeric_limits<std::int64_t>::min()
                                       : std::numeric_limits<std::int64_t>::max();
}

Outcome<std::string> IntegerText(Host& host, const Value& value) {
  if (value.is_integral()) return std::to_string(value.as_int());
  ESP_TRY_ASSIGN(std::string digits, IntegerDigits(host, value, 10));
  return IntegerView(value).negative() ? "-" + digits : digits;
}

}  // namespace espalier::lang
