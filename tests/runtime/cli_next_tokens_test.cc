#include "runtime/cli/next_tokens.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace espalier {
namespace {

TEST(NextTokensTest, LogprobsEntropyAndOrder) {
  NextTokens next;
  const std::vector<float> logits = {0, 1, 0, 1000, 1};
  next.Set(std::span(logits).first(3));
  const double total = 2 + std::exp(1.0);
  EXPECT_NEAR(next.logprob(1), 1 - std::log(total), 1e-12);
  EXPECT_NEAR(next.Entropy(), std::log(total) - std::exp(1.0) / total, 1e-12);
  next.Set(logits);
  const auto top = next.Top(3);
  EXPECT_EQ(std::vector<TokenId>(top.begin(), top.end()), (std::vector<TokenId>{3, 1, 4}));
  EXPECT_NEAR(next.logprob(3), 0, 1e-12);
  EXPECT_EQ(next.Top(99).size(), 5u);
}

}  // namespace
}  // namespace espalier
