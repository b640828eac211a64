#include "kernels/math.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>

namespace espalier {
namespace {

constexpr double kLn2High = 0x1.62e42fee00000p-1;  // 32 bits: n * kLn2High is exact
constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
constexpr double kLog2E = 0x1.71547652b82fep+0;

// coefficients[0] * x^(n-1) + ... + coefficients[n-1], by Horner's rule in fma.
template <typename Float, std::size_t n>
Float Horner(Float x, const Float (&coefficients)[n]) {
  Float sum = coefficients[0];
  for (std::size_t i = 1; i < n; ++i) sum = std::fma(sum, x, coefficients[i]);
  return sum;
}

// x rounded to the nearest integer, ties to even. REQUIRES: |x| < 2^51
double RoundToEven(double x) { return (x + 0x1.8p52) - 0x1.8p52; }

double ScaleByPowerOf2(double x, int power) {
  return std::bit_cast<double>(std::bit_cast<std::int64_t>(x) +
                               static_cast<std::int64_t>(power) * (std::int64_t{1} << 52));
}

// 1 / k! for k = 13 .. 0.
constexpr double kExpSeries[] = {1.0 / 6227020800.0,
                                 1.0 / 479001600.0,
                                 1.0 / 39916800.0,
                                 1.0 / 3628800.0,
                                 1.0 / 362880.0,
                                 1.0 / 40320.0,
                                 1.0 / 5040.0,
                                 1.0 / 720.0,
                                 1.0 / 120.0,
                                 1.0 / 24.0,
                                 1.0 / 6.0,
                                 1.0 / 2.0,
                                 1.0,
                                 1.0};

// 2 / (2k + 1) for k = 10 .. 1: ln((1 + s) / (1 - s)) = 2 s + s^3 * series(s^2).
constexpr double kLnSeries[] = {2.0 / 21, 2.0 / 19, 2.0 / 17, 2.0 / 15, 2.0 / 13,
                                2.0 / 11, 2.0 / 9,  2.0 / 7,  2.0 / 5,  2.0 / 3};

// (-1)^k / (2k + 1)! for k = 8 .. 1, and (-1)^k / (2k)! for k = 8 .. 1.
constexpr double kSinSeries[] = {
    1.0 / 355687428096000.0, -1.0 / 1307674368000.0, 1.0 / 6227020800.0, -1.0 / 39916800.0,
    1.0 / 362880.0,          -1.0 / 5040.0,          1.0 / 120.0,        -1.0 / 6.0};
constexpr double kCosSeries[] = {
    1.0 / 20922789888000.0, -1.0 / 87178291200.0, 1.0 / 479001600.0, -1.0 / 3628800.0,
    1.0 / 40320.0,          -1.0 / 720.0,         1.0 / 24.0,        -1.0 / 2.0};

// sin(x + quarter_turns * pi / 2): x is first brought into [-pi/4, pi/4] (Cody and Waite,
// "Software Manual for the Elementary Functions", 1980, with pi / 2 in three parts).
double SinOfTurned(double x, int quarter_turns) {
  if (!(std::fabs(x) <= 0x1p22)) return std::numeric_limits<double>::quiet_NaN();
  const double turns = RoundToEven(x * 0x1.45f306dc9c883p-1);  // 2 / pi
  double r = std::fma(turns, -0x1.921fb54442d18p+0, x);
  r = std::fma(turns, -0x1.1a62633145c07p-54, r);
  r = std::fma(turns, 0x1.f1976b7ed8fbcp-110, r);
  const int quadrant = (static_cast<int>(turns) + quarter_turns) & 3;
  const double r2 = r * r;
  const double value = (quadrant & 1) != 0 ? std::fma(Horner(r2, kCosSeries), r2, 1.0)
                                           : std::fma(Horner(r2, kSinSeries) * r2, r, r);
  return quadrant >= 2 ? -value : value;
}

}  // namespace

float Exp(float x) {
  if (x != x) return x;
  if (x < -0x1.5d589ep+6f) return 0.0f;  // ln 2^-126
  if (x > 0x1.62e42ep+6f) return std::numeric_limits<float>::infinity();
  const float n = (x * 0x1.715476p+0f + 0x1.8p23f) - 0x1.8p23f;
  float r = std::fma(n, -0x1.62e4p-1f, x);  // 15 bits of ln 2: exact
  r = std::fma(n, -0x1.7f7d1cp-20f, r);
  constexpr float kSeries[] = {1.0f / 5040, 1.0f / 720, 1.0f / 120, 1.0f / 24,
                               1.0f / 6,    0.5f,       1.0f,       1.0f};
  const auto bits = std::bit_cast<std::int32_t>(Horner(r, kSeries));
  return std::bit_cast<float>(bits + static_cast<std::int32_t>(n) * (1 << 23));
}

double Exp(double x) {
  if (x != x) return x;
  if (x < -0x1.6232bdd7abcd2p+9) return 0.0;  // ln 2^-1022
  if (x > 0x1.62e42fefa39efp+9) return std::numeric_limits<double>::infinity();
  const double n = RoundToEven(x * kLog2E);
  double r = std::fma(n, -kLn2High, x);
  r = std::fma(n, -kLn2Low, r);
  return ScaleByPowerOf2(Horner(r, kExpSeries), static_cast<int>(n));
}

double Ln(double x) {
  if (x != x || x == std::numeric_limits<double>::infinity()) return x;
  if (x < 0) return std::numeric_limits<double>::quiet_NaN();
  if (x < 0x1p-1022) return -std::numeric_limits<double>::infinity();
  // x = m * 2^n with m in [sqrt(1/2), sqrt(2)).
  const auto bits = std::bit_cast<std::int64_t>(x);
  const std::int64_t n = (bits - 0x3fe6a09e667f3bcd) >> 52;
  const double m = ScaleByPowerOf2(x, static_cast<int>(-n));
  const double f = m - 1.0;
  const double s = f / (2.0 + f);
  const double s2 = s * s;
  // 2 s = f - s f, so the leading term carries no rounding of the division.
  const double tail = s * std::fma(Horner(s2, kLnSeries), s2, -f);
  const auto power = static_cast<double>(n);
  return std::fma(power, kLn2High, f + std::fma(power, kLn2Low, tail));
}

double Sin(double x) { return SinOfTurned(x, 0); }
double Cos(double x) { return SinOfTurned(x, 1); }
double Pow(double base, double exponent) { return Exp(exponent * Ln(base)); }

}  // namespace espalier
