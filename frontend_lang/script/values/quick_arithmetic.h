// The operators of arithmetic.h on 64-bit ints and floats, where the result is one too:
// inline, for the run loop. What they decline goes to arithmetic.h.
#pragma once

#include <cstdint>

#include "frontend_lang/script/values/operators.h"
#include "frontend_lang/script/values/value.h"

namespace espalier::lang {

// Whether the result fits; other operators and zero divisors are left to arithmetic.cc.
inline bool QuickIntBinary(BinaryOp op, std::int64_t a, std::int64_t b, Value& result) {
  constexpr std::int64_t kExact = std::int64_t{1} << 53;  // doubles hold all ints up to here
  std::int64_t number = 0;
  switch (op) {
    case BinaryOp::kAdd:
      if (__builtin_add_overflow(a, b, &number)) return false;
      break;
    case BinaryOp::kSub:
      if (__builtin_sub_overflow(a, b, &number)) return false;
      break;
    case BinaryOp::kMul:
      if (__builtin_mul_overflow(a, b, &number)) return false;
      break;
    case BinaryOp::kFloorDiv:
      if (b <= 0) return false;
      number = a / b - (a % b < 0 ? 1 : 0);
      break;
    case BinaryOp::kMod:
      if (b <= 0) return false;
      number = a % b + (a % b < 0 ? b : 0);
      break;
    case BinaryOp::kDiv:
      if (b == 0 || a > kExact || a < -kExact || b > kExact || b < -kExact) return false;
      result = Value::Float(static_cast<double>(a) / static_cast<double>(b));
      return true;
    case BinaryOp::kLeftShift:
      if (b < 0 || b > 62 || (a << b) >> b != a) return false;
      number = a << b;
      break;
    case BinaryOp::kRightShift:
      if (b < 0) return false;
      number = a >> (b > 63 ? 63 : b);
      break;
    case BinaryOp::kAnd: number = a & b; break;
    case BinaryOp::kOr: number = a | b; break;
    case BinaryOp::kXor: number = a ^ b; break;
    default: return false;
  }
  result = Value::Int(number);
  return true;
}

inline bool QuickFloatBinary(BinaryOp op, double a, double b, Value& result) {
  switch (op) {
    case BinaryOp::kAdd: result = Value::Float(a + b); return true;
    case BinaryOp::kSub: result = Value::Float(a - b); return true;
    case BinaryOp::kMul: result = Value::Float(a * b); return true;
    case BinaryOp::kDiv: result = Value::Float(a / b); return b != 0;
    default: return false;
  }
}

inline bool QuickBinary(BinaryOp op, const Value& a, const Value& b, Value& result) {
  const auto is_plain = [](const Value& value) { return value.is_int() || value.is_float(); };
  const auto to_double = [](const Value& value) {
    return value.is_float() ? value.as_float() : static_cast<double>(value.as_int());
  };
  if (a.is_int() && b.is_int()) return QuickIntBinary(op, a.as_int(), b.as_int(), result);
  if (!is_plain(a) || !is_plain(b)) return false;
  return QuickFloatBinary(op, to_double(a), to_double(b), result);
}

}  // namespace espalier::lang
