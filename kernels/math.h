// exp, ln, sin, cos and pow as polynomials of our own, so that every build
// on every machine gives the same bits: no libm, no vector library.
//
// Each is plain IEEE arithmetic in a fixed order (every fma is written as one), so a
// vector version that keeps the order gives the same bits. Coefficients are those of
// the Taylor series, on ranges so short that its remainder is far below rounding.
// The largest errors stated here are tested against libm in double.
//
// Thread safety: pure functions.
#pragma once

namespace espalier {

// float32: 1 ulp. Results below 2^-126 are 0, above the largest float infinity.
float Exp(float x);

// float64: 2 ulp. Exp: as above, for the normal doubles. Ln is the natural logarithm:
// Ln(0) is -infinity, Ln of a negative number NaN; subnormal arguments count as 0.
double Exp(double x);
double Ln(double x);

// float64, |x| <= 2^22: absolute error below 2^-51. Beyond that the result is NaN.
double Sin(double x);
double Cos(double x);

// base^exponent = Exp(exponent * Ln(base)), base > 0: relative error below
// 2^-51 * (1 + |exponent * Ln(base)|).
double Pow(double base, double exponent);

}  // namespace espalier
