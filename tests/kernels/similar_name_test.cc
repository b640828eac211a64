#include "kernels/base/similar_name.h"

#include <gtest/gtest.h>

#include <string>

namespace espalier {
namespace {

TEST(SimilarName, DistanceCountsInsertionsDeletionsAndReplacements) {
  EXPECT_EQ(EditDistance("", ""), 0u);
  EXPECT_EQ(EditDistance("abc", ""), 3u);
  EXPECT_EQ(EditDistance("", "abc"), 3u);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3u);
  EXPECT_EQ(EditDistance("flaw", "lawn"), 2u);
  EXPECT_EQ(EditDistance("model", "modle"), 2u);
}

TEST(SimilarName, TheNearestNameIsFound) {
  constexpr std::string_view kNames[] = {"top_k", "top_p", "temperature", "n"};
  EXPECT_EQ(MostSimilar("temprature", kNames), "temperature");
  EXPECT_EQ(MostSimilar("topp", kNames), "top_p");
  EXPECT_EQ(MostSimilar("top_q", kNames), "top_k");  // ties: the first
}

TEST(SimilarName, WhatIsFarFromAllHasNone) {
  constexpr std::string_view kNames[] = {"top_k", "temperature", "stop"};
  EXPECT_EQ(MostSimilar("banana", kNames), "");
  EXPECT_EQ(MostSimilar("xyz", kNames), "");
  EXPECT_EQ(MostSimilar("", kNames), "");
  EXPECT_EQ(MostSimilar(std::string(65, 's'), kNames), "");
  EXPECT_EQ(MostSimilar("stop", {}), "");
}

}  // namespace
}  // namespace espalier
