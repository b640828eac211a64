// Naturals: whole numbers from 0 up, of any size; what ints beyond 64 bits are made of.
//
// A Natural is its limbs of 32 bits, the lowest first, without zeros at the high end (so
// zero has none); products of two limbs fit 64 bits. The algorithms are the school's, plus
// Karatsuba's for long factors: the sizes that programs use, at about CPython's speed.
//
// What may take long or much (multiplying, dividing, shifting left) takes the Host: it
// reports its work and reserves its result, so a limit ends it.
//
// Thread safety: plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_lang/script/values/host.h"

namespace espalier::lang {

using Limb = std::uint32_t;
using Limbs = std::span<const Limb>;
using Natural = std::vector<Limb>;

inline constexpr int kLimbBits = 32;

Natural MakeNatural(std::uint64_t value);
// Takes zeros off the high end: what every function here does with its result.
void Trim(Natural& natural);
Limbs Trimmed(Limbs limbs);
std::int64_t NumBits(Limbs limbs);  // 0 for zero

// -1, 0 or 1.
int CompareNaturals(Limbs a, Limbs b);

Natural Add(Limbs a, Limbs b);
Natural Subtract(Limbs a, Limbs b);  // REQUIRES: a >= b
Outcome<Natural> Multiply(Host& host, Limbs a, Limbs b);

struct Division {
  Natural quotient, remainder;
};
Outcome<Division> Divide(Host& host, Limbs a, Limbs b);  // REQUIRES: b is not zero
Limb DivideInPlace(Natural& a, Limb b);                  // gives the remainder. REQUIRES: b != 0
void MultiplyInPlace(Natural& a, Limb factor, Limb addend);

Outcome<Natural> ShiftLeft(Host& host, Limbs a, std::int64_t count);
Natural ShiftRight(Limbs a, std::int64_t count);
bool AnyBitBelow(Limbs a, std::int64_t count);

// base^exponent; modulo `modulus` in the second. REQUIRES: modulus is not zero
Outcome<Natural> Power(Host& host, Limbs base, std::uint64_t exponent);
Outcome<Natural> PowerModulo(Host& host, Limbs base, Limbs exponent, Limbs modulus);

// Digits of a base from 2 to 36, small letters. The time is linear where the base is a
// power of 2, else quadratic: callers bound those.
Outcome<std::string> Digits(Host& host, Limbs a, int base);
// Nothing when a character is no digit of the base. The time is as above.
std::optional<Natural> ParseNatural(std::string_view digits, int base);

}  // namespace espalier::lang
