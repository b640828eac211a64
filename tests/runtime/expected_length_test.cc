#include "runtime/engine/expected_length.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(ExpectedLength, NothingLearnedIsNothingExpected) {
  EXPECT_EQ(ExpectedLength().Of(100, 1.0), 0);
}

TEST(ExpectedLength, EqualLengthsAreExpectedExactly) {
  ExpectedLength length;
  for (int i = 0; i < 5; ++i) length.Learn(40);
  EXPECT_EQ(length.Of(100, 1.0), 40);
  EXPECT_EQ(length.Of(100, 2.0), 80);
  EXPECT_EQ(length.Of(30, 1.0), 30);
  EXPECT_EQ(length.Of(100, 0.0), 0);
}

TEST(ExpectedLength, MostOfVariedLengthsStayBelow) {
  ExpectedLength length;
  for (int i = 0; i < 200; ++i) length.Learn(i % 2 == 0 ? 10 : 90);
  EXPECT_GE(length.Of(1000, 1.0), 80);
  EXPECT_LE(length.Of(1000, 1.0), 110);
}

TEST(ExpectedLength, WhatChangesIsFollowed) {
  ExpectedLength length;
  for (int i = 0; i < 100; ++i) length.Learn(500);
  for (int i = 0; i < 60; ++i) length.Learn(10);
  EXPECT_LE(length.Of(1000, 1.0), 12);
}

}  // namespace
}  // namespace espalier
