// All arithmetic goes through lang::Binary, so that results may have any size.
#include "frontend_lang/script/modules/math_integers.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/values/arithmetic.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/integer/integer.h"
#include "frontend_lang/script/values/sequence.h"

namespace espalier::script {
namespace {

using lang::BinaryOp;
using lang::CompareOp;
using lang::TypeError;
using lang::ValueError;

Fault CheckInt(const Value& value) {
  if (lang::PlainOf(value).is_integer()) return Fault();
  return TypeError("'" + std::string(lang::TypeName(value)) +
                   "' object cannot be interpreted as an integer");
}

Outcome<bool> IsNegative(Host& host, const Value& value) {
  return lang::Compare(host, CompareOp::kLt, value, Value::Int(0));
}

Outcome<Value> Absolute(Host& host, const Value& value) {
  ESP_TRY_ASSIGN(const bool negative, IsNegative(host, value));
  return lang::Unary(host, negative ? lang::UnaryOp::kMinus : lang::UnaryOp::kPlus, value);
}

Outcome<Value> GcdOf(Host& host, const Value& a, const Value& b) {
  ESP_TRY_ASSIGN(Value x, Absolute(host, a));
  ESP_TRY_ASSIGN(Value y, Absolute(host, b));
  for (;;) {
    ESP_TRY(host.Step());
    ESP_TRY_ASSIGN(const bool more, lang::Truth(host, y));
    if (!more) return x;
    ESP_TRY_ASSIGN(Value rest, lang::Binary(host, BinaryOp::kMod, x, y));
    x = std::exchange(y, std::move(rest));
  }
}

Outcome<Value> Gcd(Host& host, const Value&, const Args& args) {
  Value result = Value::Int(0);
  for (const Value& given : args.positional) {
    const Value& value = lang::PlainOf(given);
    ESP_TRY(CheckInt(value));
    ESP_TRY_ASSIGN(result, GcdOf(host, result, value));
  }
  return result;
}

Outcome<Value> Lcm(Host& host, const Value&, const Args& args) {
  Value result = Value::Int(1);
  for (const Value& given : args.positional) {
    const Value& value = lang::PlainOf(given);
    ESP_TRY(CheckInt(value));
    ESP_TRY_ASSIGN(const bool any, lang::Truth(host, value));
    if (!any) return Value::Int(0);
    ESP_TRY_ASSIGN(const Value common, GcdOf(host, result, value));
    ESP_TRY_ASSIGN(const Value part, lang::Binary(host, BinaryOp::kFloorDiv, value, common));
    ESP_TRY_ASSIGN(result, lang::Binary(host, BinaryOp::kMul, result, part));
    ESP_TRY_ASSIGN(result, Absolute(host, result));
  }
  return result;
}

// from * (from + 1) * ... * to, halves first, so that the factors stay of like size.
Outcome<Value> Product(Host& host, std::int64_t from, std::int64_t to) {
  ESP_TRY(host.Step());
  if (from > to) return Value::Int(1);
  if (from == to) return Value::Int(from);
  const std::int64_t middle = from + (to - from) / 2;
  ESP_TRY_ASSIGN(const Value low, Product(host, from, middle));
  ESP_TRY_ASSIGN(const Value high, Product(host, middle + 1, to));
  return lang::Binary(host, BinaryOp::kMul, low, high);
}

Outcome<Value> Factorial(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("math.factorial", args, 1, 1));
  ESP_TRY(CheckInt(args.positional[0]));
  ESP_TRY_ASSIGN(const std::int64_t n, IndexArgument(args.positional[0]));
  if (n < 0) return ValueError("factorial() not defined for negative values");
  return Product(host, 2, n);
}

Outcome<Value> Falling(Host& host, std::int64_t n, std::int64_t k) {
  return Product(host, n - k + 1, n);
}

Fault CheckChoice(std::int64_t n, std::int64_t k) {
  if (n < 0) return ValueError("n must be a non-negative integer");
  if (k < 0) return ValueError("k must be a non-negative integer");
  return Fault();
}

Outcome<Value> Comb(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("comb", args, 2, 2));
  ESP_TRY_ASSIGN(const std::int64_t n, IndexArgument(args.positional[0]));
  ESP_TRY_ASSIGN(std::int64_t k, IndexArgument(args.positional[1]));
  ESP_TRY(CheckChoice(n, k));
  if (k > n) return Value::Int(0);
  k = std::min(k, n - k);
  Value result = Value::Int(1);  // stays whole: it is n over i after each round
  for (std::int64_t i = 0; i < k; ++i) {
    ESP_TRY(host.Step());
    ESP_TRY_ASSIGN(result, lang::Binary(host, BinaryOp::kMul, result, Value::Int(n - i)));
    ESP_TRY_ASSIGN(result, lang::Binary(host, BinaryOp::kFloorDiv, result, Value::Int(i + 1)));
  }
  return result;
}

Outcome<Value> Perm(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("perm", args, 1, 2));
  ESP_TRY_ASSIGN(const std::int64_t n, IndexArgument(args.positional[0]));
  std::int64_t k = n;
  if (args.positional.size() == 2 && !args.positional[1].is_none()) {
    ESP_TRY_ASSIGN(k, IndexArgument(args.positional[1]));
  }
  ESP_TRY(CheckChoice(n, k));
  if (k > n) return Value::Int(0);
  return Falling(host, n, k);
}

// Newton's method from above: it falls until it is the root.
Outcome<Value> Isqrt(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("math.isqrt", args, 1, 1));
  const Value n = lang::PlainOf(args.positional[0]);
  ESP_TRY(CheckInt(n));
  ESP_TRY_ASSIGN(const bool negative, IsNegative(host, n));
  if (negative) return ValueError("isqrt() argument must be nonnegative");
  ESP_TRY_ASSIGN(const bool small, lang::Compare(host, CompareOp::kLt, n, Value::Int(2)));
  if (small) return lang::Unary(host, lang::UnaryOp::kPlus, n);
  const std::int64_t num_bits = lang::NumBits(lang::IntegerView(n).magnitude());
  const Value half = Value::Int((num_bits + 1) / 2);  // a power of two above the root
  ESP_TRY_ASSIGN(Value x, lang::Binary(host, BinaryOp::kLeftShift, Value::Int(1), half));
  for (;;) {
    ESP_TRY(host.Step());
    ESP_TRY_ASSIGN(const Value quotient, lang::Binary(host, BinaryOp::kFloorDiv, n, x));
    ESP_TRY_ASSIGN(const Value sum, lang::Binary(host, BinaryOp::kAdd, x, quotient));
    ESP_TRY_ASSIGN(Value next, lang::Binary(host, BinaryOp::kFloorDiv, sum, Value::Int(2)));
    ESP_TRY_ASSIGN(const bool fell, lang::Compare(host, CompareOp::kLt, next, x));
    if (!fell) return x;
    x = std::move(next);
  }
}

Outcome<Value> Prod(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("prod", args, {"iterable", "start"}, 1));
  Value result = bound[1].is_unset() ? Value::Int(1) : bound[1];
  ESP_TRY(lang::ForEach(host, bound[0], [&](const Value& value) -> Fault {
    ESP_TRY_ASSIGN(result, lang::Binary(host, BinaryOp::kMul, result, value));
    return Fault();
  }));
  return result;
}

constexpr ModuleFunction kFunctions[] = {
    {"gcd", Gcd},   {"lcm", Lcm},     {"factorial", Factorial}, {"comb", Comb},
    {"perm", Perm}, {"isqrt", Isqrt}, {"prod", Prod},
};

}  // namespace

std::span<const ModuleFunction> IntegerMathFunctions() { return kFunctions; }

Outcome<Value> WholeNumber(Host& host, const Value& value) {
  const Value make_int = static_cast<Machine&>(host).Builtin("int");
  return host.Call(make_int, Args{{&value, 1}, {}});
}

}  // namespace espalier::script
