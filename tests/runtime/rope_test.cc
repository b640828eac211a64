// RopeAngles against its formulas written out with libm, and its limits.
#include "runtime/model/rope.h"

#include <gtest/gtest.h>

#include <cmath>

namespace espalier {
namespace {

struct Row {
  std::vector<float> cos, sin;
};

Row RowOf(const RopeAngles& angles, std::int32_t position) {
  Row row{std::vector<float>(angles.num_pairs()), std::vector<float>(angles.num_pairs())};
  angles.Fill(std::vector<std::int32_t>{position}, row.cos.data(), row.sin.data());
  return row;
}

TEST(RopeTest, PlainAnglesFollowTheFormula) {
  const RopeAngles angles({.rotary_dim = 64, .freq_base = 500000.0}, {});
  ASSERT_EQ(angles.num_pairs(), 32u);
  for (const std::int32_t position : {0, 1, 7, 4095, 131071, 1 << 22}) {
    const Row row = RowOf(angles, position);
    for (int i = 0; i < 32; ++i) {
      const double angle = position * std::pow(500000.0, -2.0 * i / 64);
      EXPECT_NEAR(row.cos[static_cast<std::size_t>(i)], std::cos(angle), 1e-6) << position;
      EXPECT_NEAR(row.sin[static_cast<std::size_t>(i)], std::sin(angle), 1e-6) << position;
    }
  }
}

TEST(RopeTest, LinearScalingStretchesPositions) {
  const RopeConfig plain{.rotary_dim = 16};
  RopeConfig linear = plain;
  linear.scaling = RopeScaling::kLinear;
  linear.factor = 4;
  const Row at_40 = RowOf(RopeAngles(linear, {}), 40);
  const Row at_10 = RowOf(RopeAngles(plain, {}), 10);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(at_40.cos[i], at_10.cos[i], 1e-6);
}

TEST(RopeTest, FactorsDivideFrequencies) {
  const std::vector<float> factors = {1, 2, 4, 8};
  const RopeConfig config{.rotary_dim = 8};
  const Row scaled = RowOf(RopeAngles(config, factors), 8);
  for (std::size_t i = 0; i < 4; ++i) {
    const Row plain = RowOf(RopeAngles(config, {}), 8 >> i);
    EXPECT_NEAR(scaled.sin[i], plain.sin[i], 1e-6) << i;
  }
}

TEST(RopeTest, YarnKeepsFastPairsAndStretchesSlowOnes) {
  RopeConfig config{.rotary_dim = 64};
  const Row plain = RowOf(RopeAngles(config, {}), 100);
  const Row stretched = RowOf(RopeAngles(config, {}), 25);
  config.scaling = RopeScaling::kYarn;
  config.factor = 4;
  config.original_context_length = 4096;
  const Row yarn = RowOf(RopeAngles(config, {}), 100);
  const double longer = 1 + 0.1 * std::log(4.0);
  EXPECT_NEAR(yarn.cos[0], plain.cos[0] * longer, 1e-5);
  EXPECT_NEAR(yarn.sin[31], stretched.sin[31] * longer, 1e-5);
}

TEST(RopeTest, ARowDependsOnItsOwnPositionOnly) {
  const RopeAngles angles({.rotary_dim = 16}, {});
  std::vector<float> cos(24), sin(24);
  angles.Fill(std::vector<std::int32_t>{5, 900, 17}, cos.data(), sin.data());
  const Row alone = RowOf(angles, 900);
  EXPECT_TRUE(std::equal(alone.cos.begin(), alone.cos.end(), cos.begin() + 8));
  EXPECT_TRUE(std::equal(alone.sin.begin(), alone.sin.end(), sin.begin() + 8));
}

}  // namespace
}  // namespace espalier
