#include "frontend_lang/script/values/arithmetic.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "frontend_lang/script/values/concatenate.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/extension.h"
#include "frontend_lang/script/values/integer/integer.h"
#include "frontend_lang/script/values/quick_arithmetic.h"
#include "frontend_lang/script/values/set_operations.h"
#include "frontend_lang/script/values/text/percent_format.h"

namespace espalier::lang {
namespace {

Fault DivisionByZero(std::string message) { return Raise("ZeroDivisionError", std::move(message)); }

Outcome<double> ToDouble(const Value& value) {
  return value.is_float() ? Outcome<double>(value.as_float()) : IntegerToDouble(value);
}

double FloorDiv(double a, double b) {
  const double remainder = std::fmod(a, b);
  double quotient = (a - remainder) / b;
  if (remainder != 0 && (remainder < 0) != (b < 0)) quotient -= 1;
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

Outcome<Value> NumberBinary(Host& host, BinaryOp op, const Value& left, const Value& right) {
  if (op == BinaryOp::kMatMul) return Value::Unset();
  if (!left.is_integer() || !right.is_integer()) {
    if (IsBitwise(op) || op == BinaryOp::kLeftShift || op == BinaryOp::kRightShift) {
      return Value::Unset();
    }
    ESP_TRY_ASSIGN(const double a, ToDouble(left));
    ESP_TRY_ASSIGN(const double b, ToDouble(right));
    return FloatBinary(op, a, b);
  }
  if (IsBitwise(op) && left.is_bool() && right.is_bool()) {
    const bool a = left.as_bool(), b = right.as_bool();
    return Value::Bool(op == BinaryOp::kAnd ? a && b : op == BinaryOp::kOr ? a || b : a != b);
  }
  Value result;
  if (left.is_integral() && right.is_integral() &&
      QuickIntBinary(op, left.as_int(), right.as_int(), result)) {
    return result;
  }
  return IntegerBinary(host, op, left, right);
}

Outcome<Value> BuiltinBinary(Host& host, BinaryOp op, const Value& left, const Value& right) {
  if (left.is_number() && right.is_number()) return NumberBinary(host, op, left, right);
  if (left.If<Dict>() != nullptr && right.If<Dict>() != nullptr) {
    return SetBinary(host, op, left, right);
  }
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

double FloorMod(double a, double b) {
  const double remainder = std::fmod(a, b);
  if (remainder == 0) return std::copysign(0.0, b);
  return (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

// The C library's printf rounds the exact value correctly, so the way through text is
// the exact one.
double RoundFloat(double value, std::int64_t digits) {
  constexpr std::int64_t kMostDigits = 323, kLeastDigits = -308;  // no double has others
  if (!std::isfinite(value) || value == 0 || digits > kMostDigits) return value;
  if (digits < kLeastDigits - 1) return std::copysign(0.0, value);
  char text[700];
  if (digits >= 0) {
    std::snprintf(text, sizeof text, "%.*f", static_cast<int>(digits), value);
    return std::strtod(text, nullptr);
  }
  std::snprintf(text, sizeof text, "%.17e", value);
  const int exponent = static_cast<int>(std::strtol(std::strchr(text, 'e') + 1, nullptr, 10));
  const std::int64_t kept = exponent + digits;  // digits behind the first
  if (kept >= 0) {
    std::snprintf(text, sizeof text, "%.*e", static_cast<int>(kept), value);
    return std::strtod(text, nullptr);
  }
  // Less than ten to the power: 0, or that power where more than half of it is there.
  std::snprintf(text, sizeof text, "5e%d", static_cast<int>(-digits - 1));
  if (kept < -1 || std::fabs(value) <= std::strtod(text, nullptr)) return std::copysign(0.0, value);
  std::snprintf(text, sizeof text, "1e%d", static_cast<int>(-digits));
  return std::copysign(std::strtod(text, nullptr), value);
}

namespace {

// Unset: the two do not go together.
Outcome<Value> TryBinary(Host& host, BinaryOp op, const Value& left, const Value& right) {
  const bool right_first =
      left.is_extension() && right.is_extension() && ExtensionOf(right).ReflectsFirst(op, left);
  if (right_first) {
    ESP_TRY_ASSIGN(Value answer, ExtensionOf(right).Binary(host, op, left, Side::kRight));
    if (!answer.is_unset()) return answer;
  }
  if (left.is_extension()) {
    ESP_TRY_ASSIGN(Value answer, ExtensionOf(left).Binary(host, op, right, Side::kLeft));
    if (!answer.is_unset()) return answer;
  }
  if (right.is_extension() && !right_first) {
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
  if (const Dict* dict = value.If<Dict>(); dict && dict->kind() && dict->kind()->binary) {
    const Value none = host.heap().New<Dict>(dict->kind());
    if (op == UnaryOp::kPlus) return dict->kind()->binary(host, BinaryOp::kAdd, value, none);
    if (op == UnaryOp::kMinus) return dict->kind()->binary(host, BinaryOp::kSub, none, value);
  }
  if (value.is_integer()) return IntegerUnary(host, op, value);
  if (value.is_float() && op != UnaryOp::kInvert) {
    return Value::Float(op == UnaryOp::kMinus ? -value.as_float() : value.as_float());
  }
  return TypeError("bad operand type for unary " + std::string(Symbol(op)) + ": '" +
                   std::string(TypeName(value)) + "'");
}

}  // namespace espalier::lang
