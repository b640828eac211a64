#include "frontend_lang/program/choices.h"

#include <gtest/gtest.h>

#include <optional>

namespace espalier::program {
namespace {

TokenScores Scores(const std::vector<std::vector<std::optional<double>>>& rows) {
  TokenScores scores;
  for (const auto& row : rows) {
    scores.emplace_back();
    for (const auto& logprob : row) scores.back().push_back({.logprob = logprob});
  }
  return scores;
}

std::size_t Greedy(const std::vector<std::vector<std::optional<double>>>& rows) {
  return Decide(ChoicesMethod::kGreedyTokenSelection, Scores(rows), {})->choice;
}

TEST(ChoicesTest, TheHighestMeanWinsAndTheFirstOfEquals) {
  const auto decision =
      Decide(ChoicesMethod::kTokenLengthNormalized, Scores({{-2, -2}, {-1, -2, -1.5}, {-1.5}}), {});
  ASSERT_TRUE(decision.ok());
  EXPECT_EQ(decision->choice, 1u);
  EXPECT_EQ(decision->scores, (std::vector<double>{-2, -1.5, -1.5}));
}

TEST(ChoicesTest, GreedyGoesTokenByTokenAndPadsWithTheChoicesOwnMean) {
  EXPECT_EQ(Greedy({{-1, -9}, {-2, 0}}), 0u);
  EXPECT_EQ(Greedy({{-1, -3}, {-1, -2}}), 1u);
  EXPECT_EQ(Greedy({{-1, -2}, {-1}}), 1u);  // a mean of -1 stands against -2
  EXPECT_EQ(Greedy({{-1, -2}, {-1, -2}}), 0u);
}

TEST(ChoicesTest, UnconditionalTakesTheGainOverNoPromptAndCountsNoContextAsZero) {
  const auto decision = Decide(ChoicesMethod::kUnconditional, Scores({{-1, -1}, {-2, -2}}),
                               Scores({{std::nullopt, -1}, {std::nullopt, -5}}));
  ASSERT_TRUE(decision.ok());
  EXPECT_EQ(decision->choice, 1u);
  EXPECT_EQ(decision->scores, (std::vector<double>{-0.5, 0.5}));
}

TEST(ChoicesTest, UnconditionalScoresOfAnotherLengthAreRefused) {
  EXPECT_FALSE(Decide(ChoicesMethod::kUnconditional, Scores({{-1, -1}}), Scores({{-1}})).ok());
}

}  // namespace
}  // namespace espalier::program
