#include "runtime/local/choice_rules.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace espalier {
namespace {

using Rows = std::vector<std::vector<double>>;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(LocalChoiceRules, TheHighestMeanWinsAndTheFirstOfEquals) {
  const Rows rows = {{-2, -2}, {-1, -2, -1.5}, {-1.5}};
  const ChoiceDecision decision = Decide(ChoicesMethod::kTokenLengthNormalized, rows, {});
  EXPECT_EQ(decision.winner, 1u);
  EXPECT_DOUBLE_EQ(decision.scores[0], -2);
  EXPECT_DOUBLE_EQ(decision.scores[1], -1.5);
}

TEST(LocalChoiceRules, GreedyGoesTokenByTokenAndPadsWithTheMean) {
  EXPECT_EQ(Decide(ChoicesMethod::kGreedyTokenSelection, {{-1, -9}, {-2, 0}}, {}).winner, 0u);
  EXPECT_EQ(Decide(ChoicesMethod::kGreedyTokenSelection, {{-1, -3}, {-1, -2}}, {}).winner, 1u);
  // Equal first tokens; the short one stands by its mean of -1 against -2.
  EXPECT_EQ(Decide(ChoicesMethod::kGreedyTokenSelection, {{-1, -2}, {-1}}, {}).winner, 1u);
}

TEST(LocalChoiceRules, UnconditionalTakesTheGainOverNoPrompt) {
  const Rows with = {{-1, -1}, {-2, -2}};
  const Rows without = {{kNaN, -1}, {kNaN, -5}};
  const ChoiceDecision decision =
      Decide(ChoicesMethod::kUnconditionalLikelihoodNormalized, with, without);
  EXPECT_EQ(decision.winner, 1u);
  EXPECT_DOUBLE_EQ(decision.scores[0], -0.5);
  EXPECT_DOUBLE_EQ(decision.scores[1], 0.5);
}

TEST(LocalChoiceRules, ProbabilitiesAreTheSoftmaxOfTheScores) {
  const ChoiceDecision decision =
      Decide(ChoicesMethod::kTokenLengthNormalized, {{-1}, {-1 - std::log(3)}}, {});
  EXPECT_NEAR(decision.probability[0], 0.75, 1e-12);
  EXPECT_NEAR(decision.probability[1], 0.25, 1e-12);
  const ChoiceDecision far = Decide(ChoicesMethod::kTokenLengthNormalized, {{-1e5}, {-2e5}}, {});
  EXPECT_DOUBLE_EQ(far.probability[0], 1);
}

TEST(LocalChoiceRules, FindsMethodsByName) {
  EXPECT_EQ(FindChoicesMethod("greedy_token_selection"), ChoicesMethod::kGreedyTokenSelection);
  EXPECT_FALSE(FindChoicesMethod("greedy").has_value());
}

}  // namespace
}  // namespace espalier
