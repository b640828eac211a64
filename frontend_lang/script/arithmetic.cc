#include "frontend_lang/script/arithmetic.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "frontend_lang/script/concatenate.h"
#include "frontend_lang/script/extension.h"
#include "frontend_lang/script/percent_format.h"
#include "frontend_lang/script/set_operations.h"

namespace espalier::lang {
namespace {

Fault TooLarge() { return Raise("OverflowError", "integer too large"); }
Fault DivisionByZero(std::string message) { return Raise("ZeroDivisionError", std::move(message)); }

double ToDouble(const Value& value) {
  return value.is_float() ? value.as_float() : static_cast<double>(value.as_int());
}

Outcome<Value> IntPower(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0) {
    if (base == 0) return DivisionByZero("0.0 cannot be raised to a negative power");
    return Value::Float(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
  }
  std::int64_t result = 1;
  while (true) {
    if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result)) return TooLarge();
    exponent >>= 1;
    if (exponent == 0) return Value::Int(result);
    if (__builtin_mul_overflow(base, base, &base)) return TooLarge();
  }
}

Outcome<Value> IntShift(BinaryOp op, std::int64_t value, std::int64_t count) {
  if (count < 0) return ValueError("negative shift count");
  if (op == BinaryOp::kRightShift) return Value::Int(value >> (count > 63 ? 63 : count));
  if (value == 0) return Value::Int(0);
  const std::int64_t shifted =
      count > 62 ? 0 : static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << count);
  if (count > 62 || shifted >> count != value) return TooLarge();
  return Value::Int(shifted);
}

Outcome<Value> IntDivision(BinaryOp op, std::int64_t a, std::int64_t b) {
  if (b == 0) {
    return DivisionByZero(op == BinaryOp::kDiv   ? "division by zero"
                          : op == BinaryOp::kMod ? "integer modulo by zero"
                                                 : "integer division or modulo by zero");
  }
  if (op == BinaryOp::kDiv) return Value::Float(static_cast<double>(a) / static_cast<double>(b));
  if (b == -1) {  // the one quotient that may not fit
    if (op == BinaryOp::kMod) return Value::Int(0);
    std::int64_t negated = 0;
    if (__builtin_sub_overflow(std::int64_t{0}, a, &negated)) return TooLarge();
    return Value::Int(negated);
  }
  return Value::Int(op == BinaryOp::kMod ? FloorMod(a, b) : FloorDiv(a, b));
}

Outcome<Value> IntBinary(BinaryOp op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  switch (op) {
    case BinaryOp::kAdd:
      if (__builtin_add_overflow(a, b, &result)) return TooLarge();
      return Value::Int(result);
    case BinaryOp::kSub:
      if (__builtin_sub_overflow(a, b, &result)) return TooLarge();
      return Value::Int(result);
    case BinaryOp::kMul:
      if (__builtin_mul_overflow(a, b, &result)) return TooLarge();
      return Value::Int(result);
    case BinaryOp::kDiv:
    case BinaryOp::kFloorDiv:
    case BinaryOp::kMod: return IntDivision(op, a, b);
    case BinaryOp::kPow: return IntPower(a, b);
    case BinaryOp::kLeftShift:
    case BinaryOp::kRightShift: return IntShift(op, a, b);
    case BinaryOp::kAnd: return Value::Int(a & b);
    case BinaryOp::kXor: return Value::Int(a ^ b);
    case BinaryOp::kOr: return Value::Int(a | b);
    case BinaryOp::kMatMul: return Value::Unset();
  }
  return Value::Unset();
}

double FloorDiv(double a, double b) {
  const double remainder = FloorMod(a, b);
  const double quotient = (a - remainder) / b;
  if (quotient == 0) return std::copysign(0.0, a / b);
  const double floored = std::floor(quotient);
  return quotient - floored > 0.5 ? floored + 1 : floored;
}

Outcome<Value> FloatPower(double a, double b) {
  if (a == 0 && b < 0) return DivisionByZero("0.0 cannot be raised to a negative power");
  if (a < 0 && std::isfinite(b) && std::isfinite(a) && b != std::floor(b)) {
    return ValueError("complex numbers are not supported");
  }
  const double power = std::pow(a, b);
  if (std::isinf(power) && std::isfinite(a) && std::isfinite(b)) {
    return Raise("OverflowError", "(34, 'Numerical result out of range')");
  }
  return Value::Float(power);
}

Outcome<Value> FloatBinary(BinaryOp op, double a, double b) {
  switch (op) {
    case BinaryOp::kAdd: return Value::Float(a + b);
    case BinaryOp::kSub: return Value::Float(a - b);
    case BinaryOp::kMul: return Value::Float(a * b);
    case BinaryOp::kDiv:
      if (b == 0) return DivisionByZero("float division by zero");
      return Value::Float(a / b);
    case BinaryOp::kFloorDiv:
      if (b == 0) return DivisionByZero("float floor division by zero");
      return Value::Float(FloorDiv(a, b));
    case BinaryOp::kMod:
      if (b == 0) return DivisionByZero("float modulo");
      return Value::Float(FloorMod(a, b));
    case BinaryOp::kPow: return FloatPower(a, b);
    default: return Value::Unset();
  }
}

bool IsBitwise(BinaryOp op) {
  return op == BinaryOp::kAnd || op == BinaryOp::kOr || op == BinaryOp::kXor;
}

Outcome<Value> NumberBinary(BinaryOp op, const Value& left, const Value& right) {
  if (!left.is_integral() || !right.is_integral()) {
    return FloatBinary(op, ToDouble(left), ToDouble(right));
  }
  if (IsBitwise(op) && left.is_bool() && right.is_bool()) {
    const bool a = left.as_bool(), b = right.as_bool();
    return Value::Bool(op == BinaryOp::kAnd ? a && b : op == BinaryOp::kOr ? a || b : a != b);
  }
  return IntBinary(op, left.as_int(), right.as_int());
}

Outcome<Value> BuiltinBinary(Host& host, BinaryOp op, const Value& left, const Value& right) {
  if (left.is_number() && right.is_number()) return NumberBinary(op, left, right);
  switch (op) {
    case BinaryOp::kAdd: return Concatenate(host, left, right);
    case BinaryOp::kMul: return Repeat(host, left, right);
    case BinaryOp::kMod:
      if (left.is_str()) return PercentFormat(host, left, right);
      return Value::Unset();
    default: return SetBinary(host, op, left, right);
  }
}

Fault Unsupported(std::string_view symbol, const Value& left, const Value& right) {
  return TypeError("unsupported operand type(s) for " + std::string(symbol) + ": '" +
                   std::string(TypeName(left)) + "' and '" + std::string(TypeName(right)) + "'");
}

}  // namespace

std::int64_t FloorDiv(std::int64_t a, std::int64_t b) {
  const std::int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

std::int64_t FloorMod(std::int64_t a, std::int64_t b) {
  const std::int64_t remainder = a % b;
  return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

double FloorMod(double a, double b) {
  const double remainder = std::fmod(a, b);
  if (remainder == 0) return std::copysign(0.0, b);
  return (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

// The C library's printf rounds the exact value correctly, so the way through text is
// the exact one; it is CPython's way too.
double RoundFloat(double value, int digits) {
  if (!std::isfinite(value) || digits > 323) return value;
  if (digits >= 0) {
    char text[700];
    std::snprintf(text, sizeof text, "%.*f", digits, value);
    return std::strtod(text, nullptr);
  }
  if (digits < -308) return std::copysign(0.0, value);
  const double scale = std::pow(10.0, -digits);
  return std::nearbyint(value / scale) * scale;
}

namespace {

// Unset: the two do not go together.
Outcome<Value> TryBinary(Host& host, BinaryOp op, const Value& left, const Value& right) {
  if (left.is_extension()) {
    ESP_TRY_ASSIGN(Value answer, ExtensionOf(left).Binary(host, op, right, Side::kLeft));
    if (!answer.is_unset()) return answer;
  }
  if (right.is_extension()) {
    ESP_TRY_ASSIGN(Value answer, ExtensionOf(right).Binary(host, op, left, Side::kRight));
    if (!answer.is_unset()) return answer;
  }
  return BuiltinBinary(host, op, left, right);
}

}  // namespace

Outcome<Value> Binary(Host& host, BinaryOp op, const Value& left, const Value& right) {
  ESP_TRY_ASSIGN(Value answer, TryBinary(host, op, left, right));
  if (answer.is_unset()) return Unsupported(Symbol(op), left, right);
  return answer;
}

Fault BinaryInPlace(Host& host, BinaryOp op, Value& target, const Value& right) {
  ESP_TRY_ASSIGN(const bool done, ExtendInPlace(host, op, target, right));
  if (done) return Fault();
  ESP_TRY_ASSIGN(Value answer, TryBinary(host, op, target, right));
  if (answer.is_unset()) {
    const std::string symbol = op == BinaryOp::kPow ? "**" : std::string(Symbol(op));
    return Unsupported(symbol + "=", target, right);
  }
  target = std::move(answer);
  return Fault();
}

Outcome<Value> Unary(Host& host, UnaryOp op, const Value& value) {
  if (value.is_extension()) {
    ESP_TRY_ASSIGN(Value answer, ExtensionOf(value).Unary(host, op));
    if (!answer.is_unset()) return answer;
  }
  if (value.is_integral()) {
    if (op == UnaryOp::kPlus) return Value::Int(value.as_int());
    if (op == UnaryOp::kInvert) return Value::Int(~value.as_int());
    return IntBinary(BinaryOp::kSub, 0, value.as_int());
  }
  if (value.is_float() && op != UnaryOp::kInvert) {
    return Value::Float(op == UnaryOp::kMinus ? -value.as_float() : value.as_float());
  }
  return TypeError("bad operand type for unary " + std::string(Symbol(op)) + ": '" +
                   std::string(TypeName(value)) + "'");
}

}  // namespace espalier::lang
