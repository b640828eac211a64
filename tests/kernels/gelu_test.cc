// GELU has no op on the CPU yet: its kernel against the formula in double.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/cuda/ops.h"
#include "tests/kernels/random_tensor.h"

namespace espalier::emulated {
namespace {

TEST(GeluTest, MulIsTheTanhApproximation) {
  for (const int size : {1, 255, 257}) {
    const std::vector<float> gate = test::RandomFloats(static_cast<std::size_t>(size), 31, 4);
    const std::vector<float> up = test::RandomFloats(static_cast<std::size_t>(size), 32);
    std::vector<float> out(gate.size(), -7.0f);
    Stream stream(1);
    GeluMul(stream, gate.data(), up.data(), size, out.data());
    ASSERT_EQ(stream.Wait(), "");
    for (std::size_t i = 0; i < out.size(); ++i) {
      const double x = gate[i];
      const double inner = std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x);
      const double expected = 0.5 * x * (1 + std::tanh(inner)) * up[i];
      EXPECT_TRUE(std::fabs(out[i] - expected) <= 4e-6 * std::fabs(x * up[i])) << x;
    }
  }
}

}  // namespace
}  // namespace espalier::emulated
