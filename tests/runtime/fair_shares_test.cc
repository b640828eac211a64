#include "runtime/engine/fair_shares.h"

#include <gtest/gtest.h>

#include <string>

namespace espalier {
namespace {

TEST(FairShares, WhoWasIdleIsLiftedToTheLeastOfThoseThatWait) {
  FairShares shares;
  const auto a = shares.Of("a"), b = shares.Of("b"), c = shares.Of("c");
  shares.Enter(*a);
  shares.Enter(*b);
  a->served = 100;
  b->served = 70;
  shares.Enter(*c);
  EXPECT_EQ(c->served, 70);
  c->served = 50;
  shares.Enter(*c);  // it waits already
  EXPECT_EQ(c->served, 50);
}

TEST(FairShares, WhenNobodyWaitsItIsTheLastThatDid) {
  FairShares shares;
  const auto a = shares.Of("a"), b = shares.Of("b");
  shares.Enter(*a);
  a->served = 100;
  shares.Leave(*a);
  shares.Enter(*b);
  EXPECT_EQ(b->served, 100);
}

TEST(FairShares, ServedMoreThanOthersIsRemembered) {
  FairShares shares;
  shares.Of("a")->served = 1000;
  for (int i = 0; i < 3000; ++i) shares.Of(std::to_string(i));
  EXPECT_EQ(shares.Of("a")->served, 1000);
}

TEST(FairShares, CallersWithoutEndTakeBoundedMemory) {
  FairShares shares;
  const auto held = shares.Of("held");
  for (int i = 0; i < 100000; ++i) shares.Of(std::to_string(i))->served = 1;
  EXPECT_LE(shares.num_callers(), 4 * FairShares::kMostIdle);
  EXPECT_EQ(shares.Of("held"), held);
}

}  // namespace
}  // namespace espalier
