// pow(base, exponent[, modulus]).
#include <fmt/format.h>

#include "frontend_lang/script/arguments.h"
#include "frontend_lang/script/arithmetic.h"
#include "frontend_lang/script/builtins.h"
#include "frontend_lang/script/compare.h"

namespace espalier::script {
namespace {

using lang::BinaryOp;

Outcome<bool> IsNegative(Host& host, const Value& value) {
  return lang::Compare(host, lang::CompareOp::kLt, value, Value::Int(0));
}

// The number x with a * x % modulus == 1, by Euclid's algorithm.
Outcome<Value> Inverse(Host& host, const Value& a, const Value& modulus) {
  ESP_TRY_ASSIGN(Value low, lang::Binary(host, BinaryOp::kMod, a, modulus));
  Value high = modulus, x = Value::Int(1), y = Value::Int(0);
  for (;;) {
    ESP_TRY(host.Step());
    ESP_TRY_ASSIGN(const bool more, lang::Truth(host, low));
    if (!more) break;
    ESP_TRY_ASSIGN(const Value quotient, lang::Binary(host, BinaryOp::kFloorDiv, high, low));
    ESP_TRY_ASSIGN(Value rest, lang::Binary(host, BinaryOp::kMod, high, low));
    ESP_TRY_ASSIGN(const Value part, lang::Binary(host, BinaryOp::kMul, quotient, x));
    ESP_TRY_ASSIGN(Value next, lang::Binary(host, BinaryOp::kSub, y, part));
    high = std::exchange(low, std::move(rest));
    y = std::exchange(x, std::move(next));
  }
  ESP_TRY_ASSIGN(const bool unit, lang::Equals(host, high, Value::Int(1)));
  if (!unit) return lang::ValueError("base is not invertible for the given modulus");
  return y;
}

Outcome<Value> ModularPower(Host& host, Value base, Value exponent, const Value& modulus) {
  ESP_TRY_ASSIGN(const bool any, lang::Truth(host, modulus));
  if (!any) return lang::ValueError("pow() 3rd argument cannot be 0");
  ESP_TRY_ASSIGN(const bool negative, IsNegative(host, exponent));
  if (negative) {
    ESP_TRY_ASSIGN(base, Inverse(host, base, modulus));
    ESP_TRY_ASSIGN(exponent, lang::Unary(host, lang::UnaryOp::kMinus, exponent));
  }
  ESP_TRY_ASSIGN(Value result, lang::Binary(host, BinaryOp::kMod, Value::Int(1), modulus));
  ESP_TRY_ASSIGN(base, lang::Binary(host, BinaryOp::kMod, base, modulus));
  for (;;) {
    ESP_TRY(host.Step());
    ESP_TRY_ASSIGN(const bool more, lang::Truth(host, exponent));
    if (!more) return result;
    ESP_TRY_ASSIGN(const Value bit, lang::Binary(host, BinaryOp::kMod, exponent, Value::Int(2)));
    ESP_TRY_ASSIGN(const bool odd, lang::Truth(host, bit));
    if (odd) {
      ESP_TRY_ASSIGN(result, lang::Binary(host, BinaryOp::kMul, result, base));
      ESP_TRY_ASSIGN(result, lang::Binary(host, BinaryOp::kMod, result, modulus));
    }
    ESP_TRY_ASSIGN(base, lang::Binary(host, BinaryOp::kMul, base, base));
    ESP_TRY_ASSIGN(base, lang::Binary(host, BinaryOp::kMod, base, modulus));
    ESP_TRY_ASSIGN(exponent, lang::Binary(host, BinaryOp::kFloorDiv, exponent, Value::Int(2)));
  }
}

Outcome<Value> Pow(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("pow", args, {"base", "exp", "mod"}, 2));
  const Value &base = bound[0], &exponent = bound[1], &modulus = bound[2];
  if (modulus.is_unset() || modulus.is_none()) {
    return lang::Binary(host, BinaryOp::kPow, base, exponent);
  }
  if (base.is_integral() && exponent.is_integral() && modulus.is_integral()) {
    return ModularPower(host, base, exponent, modulus);
  }
  if (base.is_number() && exponent.is_number() && modulus.is_number()) {
    return lang::TypeError("pow() 3rd argument not allowed unless all arguments are integers");
  }
  return lang::TypeError(
      fmt::format("unsupported operand type(s) for ** or pow(): '{}', '{}', '{}'",
                  lang::TypeName(base), lang::TypeName(exponent), lang::TypeName(modulus)));
}

}  // namespace

void AddPowBuiltin(Machine& machine) {
  machine.AddBuiltin("pow", machine.heap().New<lang::NativeFunction>("pow", Pow));
}

}  // namespace espalier::script
