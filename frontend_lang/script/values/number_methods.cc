// Methods of int and float.
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "frontend_lang/script/bytes/bytes.h"
#include "frontend_lang/script/values/arithmetic.h"
#include "frontend_lang/script/values/as_number.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/integer/integer.h"
#include "frontend_lang/script/values/integer/integer_bytes.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::lang {
namespace {

using Arguments = std::span<const Value>;

Outcome<Value> BitLength(Host&, const Value& self, Arguments) {
  const IntegerView view(self);
  return Value::Int(NumBits(view.magnitude()));
}

Outcome<Value> BitCount(Host&, const Value& self, Arguments) {
  const IntegerView view(self);
  std::int64_t count = 0;
  for (const Limb limb : view.magnitude()) count += std::popcount(limb);
  return Value::Int(count);
}

Outcome<Value> IntRatio(Host& host, const Value& self, Arguments) {
  ESP_TRY_ASSIGN(Value whole, Binary(host, BinaryOp::kAdd, self, Value::Int(0)));
  return host.heap().New<Tuple>(std::vector<Value>{std::move(whole), Value::Int(1)});
}

Outcome<Value> ToBytes(Host& host, const Value& self, Arguments args) {
  std::int64_t length = 1;
  if (!args[0].is_unset()) {
    ESP_TRY_ASSIGN(const Value given, AsInteger(host, args[0]));
    if (!given.is_integral()) {
      return TypeError("'" + std::string(TypeName(args[0])) +
                       "' object cannot be interpreted as an integer");
    }
    length = given.as_int();
  }
  const std::string_view name = args[1].is_unset() ? "big"
                                : args[1].is_str() ? TextOf(args[1])
                                                   : "";
  if (name != "big" && name != "little") {
    return ValueError("byteorder must be either 'little' or 'big'");
  }
  bool is_signed = false;
  if (!args[2].is_unset()) {
    ESP_TRY_ASSIGN(is_signed, Truth(host, args[2]));
  }
  if (length < 0) return ValueError("length argument must be non-negative");
  ESP_TRY(host.Reserve(length));
  ESP_TRY_ASSIGN(std::string bytes,
                 IntegerToBytes(self, static_cast<std::size_t>(length),
                                name == "big" ? ByteOrder::kBig : ByteOrder::kLittle,
                                is_signed ? Sign::kTwosComplement : Sign::kNone));
  return host.heap().New<script::Bytes>(std::move(bytes));
}

Outcome<Value> Conjugate(Host&, const Value& self, Arguments) {
  return self.is_bool() ? Value::Int(self.as_int()) : self;
}

Outcome<Value> IsInteger(Host&, const Value& self, Arguments) {
  const double value = self.as_float();
  return Value::Bool(std::isfinite(value) && value == std::floor(value));
}

Outcome<Value> FloatRatio(Host& host, const Value& self, Arguments) {
  const double value = self.as_float();
  if (std::isinf(value)) {
    return Raise("OverflowError", "cannot convert Infinity to integer ratio");
  }
  if (std::isnan(value)) return ValueError("cannot convert NaN to integer ratio");
  int exponent = 0;
  double mantissa = std::frexp(value, &exponent);
  while (mantissa != std::floor(mantissa)) {
    mantissa *= 2;
    --exponent;
  }
  ESP_TRY_ASSIGN(const Value power,
                 Binary(host, BinaryOp::kPow, Value::Int(2), Value::Int(std::abs(exponent))));
  Value above = Value::Int(static_cast<std::int64_t>(mantissa)), below = Value::Int(1);
  if (exponent > 0) {
    ESP_TRY_ASSIGN(above, Binary(host, BinaryOp::kMul, above, power));
  } else if (mantissa != 0) {
    below = power;
  }
  return host.heap().New<Tuple>(std::vector<Value>{std::move(above), std::move(below)});
}

Outcome<Value> FloatHex(Host& host, const Value& self, Arguments) {
  const double value = self.as_float();
  if (!std::isfinite(value)) {
    return MakeStr(host.heap(), std::string(std::isnan(value) ? "nan"
                                            : value < 0       ? "-inf"
                                                              : "inf"));
  }
  if (value == 0)
    return MakeStr(host.heap(), std::string(std::signbit(value) ? "-0x0.0p+0" : "0x0.0p+0"));
  return MakeStr(host.heap(), fmt::format("{:.13a}", value));
}

constexpr Method kIntMethods[] = {
    {"as_integer_ratio", 0, 0, IntRatio},
    {"bit_count", 0, 0, BitCount},
    {"bit_length", 0, 0, BitLength},
    {"conjugate", 0, 0, Conjugate},
    {"to_bytes", 0, 3, ToBytes, "length byteorder signed"},
};
constexpr Method kFloatMethods[] = {
    {"as_integer_ratio", 0, 0, FloatRatio},
    {"conjugate", 0, 0, Conjugate},
    {"hex", 0, 0, FloatHex},
    {"is_integer", 0, 0, IsInteger},
};

}  // namespace

std::span<const Method> IntMethods() { return kIntMethods; }
std::span<const Method> FloatMethods() { return kFloatMethods; }

}  // namespace espalier::lang
