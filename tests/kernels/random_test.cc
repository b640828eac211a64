#include "kernels/base/random.h"

#include <gtest/gtest.h>

#include <set>

namespace espalier {
namespace {

// Known answers of Random123's kat_vectors for philox4x32-10.
TEST(Random, PhiloxKnownAnswers) {
  const std::array<std::uint32_t, 4> zero = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  EXPECT_EQ(Philox4x32({0, 0, 0, 0}, {0, 0}), zero);
  const std::uint32_t f = 0xffffffff;
  const std::array<std::uint32_t, 4> ones = {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd};
  EXPECT_EQ(Philox4x32({f, f, f, f}, {f, f}), ones);
}

TEST(Random, DrawsAreInUnitIntervalAndDifferByEachCoordinate) {
  std::set<double> seen;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    for (std::uint32_t choice = 0; choice < 8; ++choice) {
      for (std::uint64_t position = 0; position < 8; ++position) {
        const double u = UniformDraw(seed, choice, position);
        EXPECT_GE(u, 0.0);
        EXPECT_LT(u, 1.0);
        EXPECT_EQ(u, UniformDraw(seed, choice, position));
        seen.insert(u);
      }
    }
  }
  EXPECT_EQ(seen.size(), 8u * 8u * 8u);
}

TEST(Random, ChildSeedsDiffer) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t a = 0; a < 100; ++a) {
    for (std::uint64_t b = 0; b < 100; ++b) seen.insert(ChildSeed(ChildSeed(0, a), b));
  }
  EXPECT_EQ(seen.size(), 10000u);
}

}  // namespace
}  // namespace espalier
