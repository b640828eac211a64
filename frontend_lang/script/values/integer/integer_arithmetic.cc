// The operators on ints of any size (declared in integer.h).
#include <algorithm>
#include <cmath>
#include <limits>

#include "frontend_lang/script/values/integer/integer.h"

namespace espalier::lang {
namespace {

Fault DivisionByZero(std::string message) { return Raise("ZeroDivisionError", std::move(message)); }

Integer Signed(Natural magnitude, bool negative) {
  const bool zero = magnitude.empty();
  return {std::move(magnitude), negative && !zero};
}

// a + b, or a - b where `negated` says that b counts with the other sign.
Integer Sum(const IntegerView& a, const IntegerView& b, bool negated) {
  const bool negative = b.negative() != negated;
  if (a.negative() == negative) return Signed(Add(a.magnitude(), b.magnitude()), negative);
  if (CompareNaturals(a.magnitude(), b.magnitude()) >= 0) {
    return Signed(Subtract(a.magnitude(), b.magnitude()), a.negative());
  }
  return Signed(Subtract(b.magnitude(), a.magnitude()), negative);
}

// Rounded down, as Python does: the remainder has the sign of b.
struct FlooredDivision {
  Integer quotient, remainder;
};
Outcome<FlooredDivision> FloorDivide(Host& host, const IntegerView& a, const IntegerView& b) {
  ESP_TRY_ASSIGN(Division division, Divide(host, a.magnitude(), b.magnitude()));
  if (a.negative() != b.negative() && !division.remainder.empty()) {
    division.quotient = Add(division.quotient, MakeNatural(1));
    division.remainder = Subtract(b.magnitude(), division.remainder);
  }
  return FlooredDivision{Signed(std::move(division.quotient), a.negative() != b.negative()),
                         Signed(std::move(division.remainder), b.negative())};
}

Outcome<Value> Divided(Host& host, BinaryOp op, const Value& a, const Value& b) {
  const IntegerView divisor(b);
  if (divisor.zero()) {
    return DivisionByZero(op == BinaryOp::kDiv   ? "division by zero"
                          : op == BinaryOp::kMod ? "integer modulo by zero"
                                                 : "integer division or modulo by zero");
  }
  if (op == BinaryOp::kDiv) {
    ESP_TRY_ASSIGN(const double quotient, IntegerQuotient(host, a, b));
    return Value::Float(quotient);
  }
  ESP_TRY_ASSIGN(FlooredDivision division, FloorDivide(host, IntegerView(a), divisor));
  return MakeInteger(host.heap(),
                     std::move(op == BinaryOp::kMod ? division.remainder : division.quotient));
}

Outcome<Value> Raised(Host& host, const Value& a, const Value& b) {
  const IntegerView base(a), exponent(b);
  if (exponent.negative()) {
    if (base.zero()) return DivisionByZero("0.0 cannot be raised to a negative power");
    ESP_TRY_ASSIGN(const double x, IntegerToDouble(a));
    ESP_TRY_ASSIGN(const double y, IntegerToDouble(b));
    return Value::Float(std::pow(x, y));
  }
  const Limbs digits = exponent.magnitude();
  const bool odd = !digits.empty() && (digits[0] & 1) != 0;
  // A power with an exponent beyond 64 bits fits no memory, unless the base is -1, 0 or 1.
  const std::uint64_t count = b.is_integral() ? static_cast<std::uint64_t>(b.as_int())
                                              : std::numeric_limits<std::uint64_t>::max();
  ESP_TRY_ASSIGN(Natural magnitude, Power(host, base.magnitude(), count));
  return MakeInteger(host.heap(), Signed(std::move(magnitude), base.negative() && odd));
}

Outcome<Value> Shifted(Host& host, BinaryOp op, const Value& a, const Value& b) {
  const IntegerView value(a), count(b);
  if (count.negative()) return ValueError("negative shift count");
  const bool left = op == BinaryOp::kLeftShift;
  if (!b.is_integral()) {
    if (value.zero()) return Value::Int(0);
    if (!left) return Value::Int(value.negative() ? -1 : 0);
    return Raise("OverflowError", "too many digits in integer");
  }
  if (left) {
    ESP_TRY_ASSIGN(Natural magnitude, ShiftLeft(host, value.magnitude(), b.as_int()));
    return MakeInteger(host.heap(), Signed(std::move(magnitude), value.negative()));
  }
  Natural magnitude = ShiftRight(value.magnitude(), b.as_int());
  if (value.negative() && AnyBitBelow(value.magnitude(), b.as_int())) {
    magnitude = Add(magnitude, MakeNatural(1));
  }
  return MakeInteger(host.heap(), Signed(std::move(magnitude), value.negative()));
}

// Two's complement in num_limbs limbs; its own inverse on negatives.
void Complement(Natural& limbs) {
  std::uint64_t carry = 1;
  for (Limb& limb : limbs) {
    carry += static_cast<Limb>(~limb);
    limb = static_cast<Limb>(carry);
    carry >>= kLimbBits;
  }
}

Natural ToComplement(const IntegerView& value, std::size_t num_limbs) {
  Natural limbs(value.magnitude().begin(), value.magnitude().end());
  limbs.resize(num_limbs);
  if (value.negative()) Complement(limbs);
  return limbs;
}

Outcome<Value> Bitwise(Host& host, BinaryOp op, const IntegerView& a, const IntegerView& b) {
  const std::size_t num_limbs = std::max(a.magnitude().size(), b.magnitude().size()) + 1;
  ESP_TRY(host.Reserve(static_cast<std::int64_t>(2 * num_limbs * sizeof(Limb))));
  ESP_TRY(host.Step(static_cast<std::int64_t>(num_limbs / 256)));
  Natural result = ToComplement(a, num_limbs);
  const Natural other = ToComplement(b, num_limbs);
  for (std::size_t i = 0; i < num_limbs; ++i) {
    result[i] = op == BinaryOp::kAnd  ? result[i] & other[i]
                : op == BinaryOp::kOr ? result[i] | other[i]
                                      : result[i] ^ other[i];
  }
  const bool negative = result.back() >> (kLimbBits - 1) != 0;
  if (negative) Complement(result);
  Trim(result);
  return MakeInteger(host.heap(), Signed(std::move(result), negative));
}

}  // namespace

Outcome<Value> IntegerBinary(Host& host, BinaryOp op, const Value& a, const Value& b) {
  const IntegerView left(a), right(b);
  switch (op) {
    case BinaryOp::kAdd:
    case BinaryOp::kSub: {
      const std::size_t num_limbs = left.magnitude().size() + right.magnitude().size();
      ESP_TRY(host.Reserve(static_cast<std::int64_t>(num_limbs * sizeof(Limb))));
      ESP_TRY(host.Step(static_cast<std::int64_t>(num_limbs / 1024)));
      return MakeInteger(host.heap(), Sum(left, right, op == BinaryOp::kSub));
    }
    case BinaryOp::kMul: {
      ESP_TRY_ASSIGN(Natural product, Multiply(host, left.magnitude(), right.magnitude()));
      return MakeInteger(host.heap(),
                         Signed(std::move(product), left.negative() != right.negative()));
    }
    case BinaryOp::kDiv:
    case BinaryOp::kFloorDiv:
    case BinaryOp::kMod: return Divided(host, op, a, b);
    case BinaryOp::kPow: return Raised(host, a, b);
    case BinaryOp::kLeftShift:
    case BinaryOp::kRightShift: return Shifted(host, op, a, b);
    default: return Bitwise(host, op, left, right);
  }
}

Outcome<Value> IntegerUnary(Host& host, UnaryOp op, const Value& value) {
  const Value zero = Value::Int(0), minus_one = Value::Int(-1);
  switch (op) {
    case UnaryOp::kPlus: return IntegerBinary(host, BinaryOp::kAdd, zero, value);
    case UnaryOp::kMinus: return IntegerBinary(host, BinaryOp::kSub, zero, value);
    case UnaryOp::kInvert: return IntegerBinary(host, BinaryOp::kSub, minus_one, value);
  }
  return value;
}

// Quotients come from 64 bits or so of the two, and a bit for what is below: rounding
// those once gives what rounding all would.
Outcome<double> IntegerQuotient(Host& host, const Value& a, const Value& b) {
  constexpr std::int64_t kBits = 55;                  // and one more, of the quotient
  constexpr std::int64_t kLeastExponent = -1074 - 2;  // two bits below the least double
  const IntegerView left(a), right(b);
  if (left.zero()) return right.negative() ? -0.0 : 0.0;
  const std::int64_t width = NumBits(left.magnitude()) - NumBits(right.magnitude());
  if (width > std::numeric_limits<double>::max_exponent) {
    return Raise("OverflowError", "integer division result too large for a float");
  }
  const double sign = left.negative() != right.negative() ? -1 : 1;
  if (width < kLeastExponent - 1) return sign * 0.0;
  const std::int64_t exponent = std::max(width - kBits, kLeastExponent);
  ESP_TRY_ASSIGN(const Natural dividend,
                 ShiftLeft(host, left.magnitude(), std::max<std::int64_t>(0, -exponent)));
  ESP_TRY_ASSIGN(const Natural divisor,
                 ShiftLeft(host, right.magnitude(), std::max<std::int64_t>(0, exponent)));
  ESP_TRY_ASSIGN(const Division division, Divide(host, dividend, divisor));
  std::uint64_t bits = 0;
  for (std::size_t i = division.quotient.size(); i-- > 0;) {
    bits = bits << kLimbBits | division.quotient[i];
  }
  if (!division.remainder.empty()) bits |= 1;
  if (bits >> (kBits - 1) == 0) {  // a subnormal: to a multiple of 4, ties to even
    const std::uint64_t rest = bits & 3;
    bits -= rest;
    if (rest == 3 || (rest == 2 && (bits & 4) != 0)) bits += 4;
  }
  const double quotient = std::ldexp(static_cast<double>(bits), static_cast<int>(exponent));
  if (std::isinf(quotient)) {
    return Raise("OverflowError", "integer division result too large for a float");
  }
  return sign * quotient;
}

namespace {

// The x with value * x = 1 modulo `modulus`: Euclid's algorithm, extended.
Outcome<Value> Inverse(Host& host, const Value& value, const Value& modulus) {
  ESP_TRY_ASSIGN(Value rest, IntegerBinary(host, BinaryOp::kMod, value, modulus));
  Value last_rest = modulus, factor = Value::Int(1), last_factor = Value::Int(0);
  while (!IntegerView(rest).zero()) {
    ESP_TRY(host.Step());
    ESP_TRY_ASSIGN(const Value quotient, IntegerBinary(host, BinaryOp::kFloorDiv, last_rest, rest));
    for (auto [last, now] : {std::pair{&last_rest, &rest}, std::pair{&last_factor, &factor}}) {
      ESP_TRY_ASSIGN(const Value product, IntegerBinary(host, BinaryOp::kMul, quotient, *now));
      ESP_TRY_ASSIGN(Value next, IntegerBinary(host, BinaryOp::kSub, *last, product));
      *last = std::exchange(*now, std::move(next));
    }
  }
  const IntegerView divisor(last_rest);
  if (divisor.magnitude().size() != 1 || divisor.magnitude()[0] != 1) {
    return ValueError("base is not invertible for the given modulus");
  }
  return divisor.negative() ? IntegerUnary(host, UnaryOp::kMinus, last_factor)
                            : Outcome<Value>(std::move(last_factor));
}

}  // namespace

Outcome<Value> IntegerPowerModulo(Host& host, const Value& base, const Value& exponent,
                                  const Value& modulus) {
  const IntegerView divisor(modulus), count(exponent);
  if (divisor.zero()) return ValueError("pow() 3rd argument cannot be 0");
  Value start = base;
  if (count.negative()) {
    ESP_TRY_ASSIGN(start, Inverse(host, base, modulus));
  }
  const IntegerView view(start);
  ESP_TRY_ASSIGN(Natural power,
                 PowerModulo(host, view.magnitude(), count.magnitude(), divisor.magnitude()));
  const bool odd = !count.zero() && (count.magnitude()[0] & 1) != 0;
  const Value result = MakeInteger(host.heap(), Signed(std::move(power), view.negative() && odd));
  return Divided(host, BinaryOp::kMod, result, modulus);
}

Outcome<Value> RoundInteger(Host& host, const Value& value, std::int64_t digits) {
  const IntegerView view(value);
  // Ten to the power has more than 3 bits a digit: beyond twice the value all is zero.
  if (-digits > NumBits(view.magnitude()) / 3 + 1) return Value::Int(0);
  ESP_TRY_ASSIGN(const Natural unit,
                 Power(host, MakeNatural(10), static_cast<std::uint64_t>(-digits)));
  ESP_TRY_ASSIGN(Division division, Divide(host, view.magnitude(), unit));
  const int order = CompareNaturals(Add(division.remainder, division.remainder), unit);
  const bool odd = !division.quotient.empty() && (division.quotient[0] & 1) != 0;
  if (order > 0 || (order == 0 && odd)) {
    division.quotient = Add(division.quotient, MakeNatural(1));
  }
  ESP_TRY_ASSIGN(Natural rounded, Multiply(host, division.quotient, unit));
  return MakeInteger(host.heap(), Signed(std::move(rounded), view.negative()));
}

}  // namespace espalier::lang
