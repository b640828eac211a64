// Our polynomials against libm in a wider type.
#include "kernels/math.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/base/random.h"

namespace espalier {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

// |actual - expected| in units of the last place of `expected` as a Float.
template <typename Float>
long double UlpsBetween(Float actual, long double expected) {
  const auto rounded = std::fabs(static_cast<Float>(expected));
  const Float next = std::nextafter(rounded, std::numeric_limits<Float>::infinity());
  return std::fabs(actual - expected) / (static_cast<long double>(next) - rounded);
}

TEST(MathTest, ExpOverItsWholeRange) {
  long double worst = 0;
  for (float x = -87.336f; x < 88.722f; x += 0.000173f) {
    worst = std::max(worst, UlpsBetween(Exp(x), std::exp(static_cast<long double>(x))));
  }
  EXPECT_LE(worst, 1.0L);
}

TEST(MathTest, ExpAtItsEnds) {
  EXPECT_EQ(Exp(0.0f), 1.0f);
  EXPECT_EQ(Exp(-0.0f), 1.0f);
  EXPECT_EQ(Exp(-kInf), 0.0f);
  EXPECT_EQ(Exp(-87.4f), 0.0f);
  EXPECT_EQ(Exp(kInf), kInf);
  EXPECT_EQ(Exp(88.73f), kInf);
  EXPECT_TRUE(std::isnan(Exp(std::nanf(""))));
  EXPECT_EQ(Exp(-std::numeric_limits<double>::infinity()), 0.0);
  EXPECT_EQ(Exp(709.9), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(Exp(std::nan(""))));
}

TEST(MathTest, ExpAndLnInDouble) {
  long double worst_exp = 0;
  long double worst_ln = 0;
  for (std::uint64_t i = 0; i < 300000; ++i) {
    const double u = UniformDraw(1, 0, i);
    const double x = u * 1416 - 707;
    worst_exp = std::max(worst_exp, UlpsBetween(Exp(x), std::exp(static_cast<long double>(x))));
    const double y = std::ldexp(0.5 + u, static_cast<int>(i % 2000) - 1000);
    worst_ln = std::max(worst_ln, UlpsBetween(Ln(y), std::log(static_cast<long double>(y))));
    const double near_one = 0.9 + 0.2 * u;
    worst_ln =
        std::max(worst_ln, UlpsBetween(Ln(near_one), std::log(static_cast<long double>(near_one))));
  }
  EXPECT_LE(worst_exp, 2.0L);
  EXPECT_LE(worst_ln, 2.0L);
}

TEST(MathTest, LnAtItsEnds) {
  EXPECT_EQ(Ln(1.0), 0.0);
  EXPECT_EQ(Ln(0.0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(Ln(std::numeric_limits<double>::infinity()), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(Ln(-1.0)));
  EXPECT_TRUE(std::isnan(Ln(std::nan(""))));
}

TEST(MathTest, SinAndCosUpToTheirLimit) {
  long double worst = 0;
  for (std::uint64_t i = 0; i < 300000; ++i) {
    const double range = i % 3 == 0 ? 2 : i % 3 == 1 ? 1000 : 0x1p22;
    const double x = (UniformDraw(2, 0, i) * 2 - 1) * range;
    worst = std::max(worst, std::fabs(Sin(x) - std::sin(static_cast<long double>(x))));
    worst = std::max(worst, std::fabs(Cos(x) - std::cos(static_cast<long double>(x))));
  }
  EXPECT_LE(worst, 0x1p-51L);
  EXPECT_EQ(Sin(0.0), 0.0);
  EXPECT_EQ(Cos(0.0), 1.0);
  EXPECT_TRUE(std::isnan(Sin(1e10)));
  EXPECT_TRUE(std::isnan(Cos(std::nan(""))));
}

TEST(MathTest, PowOfRotaryFrequencies) {
  for (const double base : {10000.0, 100000.0, 500000.0, 1e6}) {
    for (int i = 0; i < 128; ++i) {
      const double exponent = -i / 128.0;
      const long double expected = std::pow(static_cast<long double>(base), exponent);
      EXPECT_NEAR(static_cast<double>(Pow(base, exponent) / expected), 1.0, 15 * 0x1p-51);
    }
  }
}

}  // namespace
}  // namespace espalier
