#include "runtime/server/wire/body_budget.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(BodyBudgetTest, LeasesHoldNoMoreThanThereIs) {
  const auto budget = std::make_shared<BodyBudget>(100);
  BodyLease a(budget), b(budget);
  EXPECT_TRUE(a.Hold(60));
  EXPECT_FALSE(b.Hold(41));
  EXPECT_TRUE(b.Hold(40));
  EXPECT_TRUE(a.Hold(10)) << "it holds more";
  EXPECT_FALSE(a.Hold(61));
  EXPECT_EQ(budget->num_bytes(), 100u);
  b.Release();
  EXPECT_TRUE(a.Hold(61));
  EXPECT_EQ(budget->num_bytes(), 61u);
}

TEST(BodyBudgetTest, WhatALeaseHeldComesBackOnce) {
  const auto budget = std::make_shared<BodyBudget>(100);
  {
    BodyLease a(budget);
    EXPECT_TRUE(a.Hold(50));
    BodyLease b(std::move(a));
    EXPECT_EQ(budget->num_bytes(), 50u);
    BodyLease c(budget);
    EXPECT_TRUE(c.Hold(20));
    c = std::move(b);
    EXPECT_EQ(budget->num_bytes(), 70u) << "b has what c held";
  }
  EXPECT_EQ(budget->num_bytes(), 0u);
  BodyLease none;
  EXPECT_TRUE(none.Hold(std::uint64_t{1} << 60));
}

}  // namespace
}  // namespace espalier
