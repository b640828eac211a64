// Arithmetic of values, as CPython 3.11 does it, and its error texts.
#pragma once

#include "frontend_lang/script/values/host.h"
#include "frontend_lang/script/values/operators.h"

namespace espalier::lang {

// left op right: numbers, + and * of sequences, % of a format string, | & - ^ of
// sets, | of dicts, extension objects.
Outcome<Value> Binary(Host& host, BinaryOp op, const Value& left, const Value& right);

// The statement `target op= right`: a list, set or dict changes in place, and a str
// that nobody else holds grows in place, so a loop of += costs linear time. `target`
// holds the result.
Fault BinaryInPlace(Host& host, BinaryOp op, Value& target, const Value& right);

Outcome<Value> Unary(Host& host, UnaryOp op, const Value& value);

// round(value, digits): to the nearest, ties to even, of the exact decimal value.
double RoundFloat(double value, std::int64_t digits);

// Python's % on floats. REQUIRES: b != 0
double FloorMod(double a, double b);

}  // namespace espalier::lang
