#include "frontend_lang/chat/jinja_arithmetic.h"

#include <string>

#include "frontend_lang/script/values/arithmetic.h"
#include "frontend_lang/script/values/integer/integer.h"

namespace espalier::jinja {
namespace {

constexpr std::int64_t kMostBits = 65'536;

Fault TooLarge() {
  return lang::LimitError("an integer of the template has more than " + std::to_string(kMostBits) +
                          " bits");
}

std::int64_t BitsOf(const Value& integer) {
  return lang::NumBits(lang::IntegerView(integer).magnitude());
}

// What the product or quotient of two integers costs, more than a step.
Fault PayForLimbs(Host& host, const Value& left, const Value& right) {
  constexpr std::int64_t kBitsAStep = std::int64_t{lang::kLimbBits} * lang::kLimbBits * 512;
  return host.Step(BitsOf(left) * BitsOf(right) / kBitsAStep);
}

// base^exponent has at least (bits of base - 1) * exponent bits.
Fault CheckPower(const Value& base, const Value& exponent) {
  const std::int64_t least_bits = BitsOf(base) - 1;
  if (least_bits <= 0 || lang::IntegerView(exponent).negative()) return Fault();
  const bool small = exponent.is_integral() && exponent.as_int() <= kMostBits / least_bits;
  return small ? Fault() : TooLarge();
}

}  // namespace

Fault CheckInteger(const Value& value) {
  return value.is_integer() && BitsOf(value) > kMostBits ? TooLarge() : Fault();
}

Outcome<Value> Arithmetic(Host& host, lang::BinaryOp op, const Value& left, const Value& right) {
  if (left.is_integer() && right.is_integer()) {
    if (op == lang::BinaryOp::kPow) ESP_TRY(CheckPower(left, right));
    const bool product = op == lang::BinaryOp::kMul;
    if (product && BitsOf(left) + BitsOf(right) > kMostBits) return TooLarge();
    ESP_TRY(PayForLimbs(host, left, right));
  }
  return lang::Binary(host, op, left, right);
}

}  // namespace espalier::jinja
