// Ints of any size, as values: a Value::Int where 64 bits are enough, a BigInt beyond.
//
//   1. A BigInt never holds what fits 64 bits: ints of both kinds are never equal.
//   2. Functions here take ints of both kinds and bools (Value::is_integer), and give
//      whichever kind fits.
//
// Operations on small ints are tried first where they stand
// (frontend_lang/script/values/arithmetic.h, the run loop); what overflows comes here.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "frontend_lang/script/values/integer/natural.h"
#include "frontend_lang/script/values/operators.h"

namespace espalier::lang {

// A sign and a size; zero is not negative.
struct Integer {
  Natural magnitude;
  bool negative = false;
};

class BigInt final : public Object {
 public:
  static constexpr Type kType = Type::kBigInt;

  // REQUIRES: value does not fit 64 bits. (MakeInteger decides.)
  BigInt(Heap& heap, Integer value) : Object(heap, kType), value_(std::move(value)) {
    Charge(static_cast<std::int64_t>(sizeof(BigInt) + value_.magnitude.capacity() * sizeof(Limb)));
  }

  const Integer& value() const { return value_; }

 private:
  Integer value_;
};

Value MakeInteger(Heap& heap, Integer integer);

// An int of either kind, or a bool, as sign and limbs. Borrows the value's limbs.
class IntegerView {
 public:
  explicit IntegerView(const Value& value);  // REQUIRES: value.is_integer()

  bool negative() const { return negative_; }
  Limbs magnitude() const { return big_.data() != nullptr ? big_ : Limbs(small_, num_small_); }
  bool zero() const { return magnitude().empty(); }

 private:
  Limb small_[2] = {};
  std::size_t num_small_ = 0;
  Limbs big_;
  bool negative_ = false;
};

// ---- Arithmetic.

// a op b. REQUIRES: both are integers, and op is no kMatMul.
Outcome<Value> IntegerBinary(Host& host, BinaryOp op, const Value& a, const Value& b);
Outcome<Value> IntegerUnary(Host& host, UnaryOp op, const Value& value);
// pow(base, exponent, modulus)
Outcome<Value> IntegerPowerModulo(Host& host, const Value& base, const Value& exponent,
                                  const Value& modulus);
// a / b, rounded once. REQUIRES: b is not zero
Outcome<double> IntegerQuotient(Host& host, const Value& a, const Value& b);
// round(value, digits) for digits below 0: to a multiple of 10^-digits, ties to even.
Outcome<Value> RoundInteger(Host& host, const Value& value, std::int64_t digits);

// ---- Comparing.

int CompareIntegers(const Value& a, const Value& b);             // -1, 0 or 1
int CompareIntegerToFloat(const Value& integer, double number);  // REQUIRES: no NaN
// hash(number), as Python defines it: the number modulo 2^61 - 1. REQUIRES: is_number()
std::int64_t NumericHash(const Value& number);

// ---- Converting.

// To the nearest double; an OverflowError beyond all of them.
Outcome<double> IntegerToDouble(const Value& value);
// Without the fraction. A ValueError for NaN, an OverflowError for an infinity.
Outcome<Value> IntegerFromDouble(Host& host, double number);

// An argument that counts or tells a place; what does not fit 64 bits is an OverflowError
// that says "too large to convert to" `c_type`.
Outcome<std::int64_t> ToIndex(const Value& value, std::string_view c_type = "C ssize_t");
// The same where a place beyond the end will do: of a slice. REQUIRES: value.is_integer()
std::int64_t NearestIndex(const Value& value);

inline constexpr std::size_t kMostDecimalDigits = 4300;  // that text may have

// A run of digits, in a base from 2 to 36, as CPython limits it: 4,300 digits, except in
// bases that are powers of two. In the second: Unset when it is no such number.
Outcome<std::string> IntegerDigits(Host& host, const Value& value, int base);  // without sign
Outcome<Value> ParseInteger(Host& host, std::string_view digits, int base);
Outcome<std::string> IntegerText(Host& host, const Value& value);  // as str() does

}  // namespace espalier::lang
