#include "kernels/float16.h"

#include <gtest/gtest.h>

#include <cmath>

namespace espalier {
namespace {

// A half's value from the definition of the format.
double ValueOf(int half) {
  const int exponent = (half >> 10) & 31;
  const int fraction = half & 1023;
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

bool IsFinite(int half) { return (half & 0x7c00) != 0x7c00; }

TEST(Float16Test, EveryHalfWidensExactlyAndComesBack) {
  for (int half = 0; half < 0x10000; ++half) {
    const float wide = HalfToFloat(static_cast<std::uint16_t>(half));
    if (IsFinite(half)) {
      ASSERT_EQ(static_cast<double>(wide), ValueOf(half)) << half;
    } else {
      ASSERT_EQ(std::isnan(wide), (half & 0x3ff) != 0) << half;
    }
    const int quiet = !IsFinite(half) && (half & 0x3ff) != 0 ? 0x200 : 0;
    ASSERT_EQ(FloatToHalf(wide), half | quiet) << half;
  }
}

TEST(Float16Test, RoundsToTheNearestAndTiesToEven) {
  for (int half = 0; half + 1 < 0x7c00; ++half) {
    const double low = ValueOf(half);
    const double high = ValueOf(half + 1);
    const auto middle = static_cast<float>((low + high) / 2);  // exact
    const int even = half % 2 == 0 ? half : half + 1;
    for (const int sign : {0, 0x8000}) {
      const float s = sign == 0 ? 1.0f : -1.0f;
      ASSERT_EQ(FloatToHalf(s * middle), sign | even);
      ASSERT_EQ(FloatToHalf(s * std::nextafter(middle, 0.0f)), sign | half);
      ASSERT_EQ(FloatToHalf(s * std::nextafter(middle, 1e9f)), sign | (half + 1));
    }
  }
}

TEST(Float16Test, OverflowsToInfinity) {
  EXPECT_EQ(FloatToHalf(65519.996f), 0x7bff);
  EXPECT_EQ(FloatToHalf(65520.0f), 0x7c00);
  EXPECT_EQ(FloatToHalf(-1e30f), 0xfc00);
  EXPECT_EQ(FloatToHalf(INFINITY), 0x7c00);
}

}  // namespace
}  // namespace espalier
