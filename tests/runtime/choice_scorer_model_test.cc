// Choices scored as one token tree, on the real model: each choice has the bits that it
// has alone, and the tree takes one step.
#include "runtime/local/choice_scorer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/paths.h"

namespace espalier {
namespace {

class ChoiceScorerModelTest : public testing::Test {
 protected:
  void SetUp() override {
    ESP_NEEDS_MODEL();
    auto model = LocalModel::Load({.model = "", .kv_cache_tokens = 8192});
    ASSERT_TRUE(model.ok()) << model.status().message();
    model_ = *std::move(model);
    client_ = std::make_unique<EngineClient>(*model_);
  }

  ChoiceScores Score(const std::string& prompt, std::vector<std::string> choices) {
    std::optional<ChoiceScores> scores;
    ScoreRequest request{.prompt = prompt, .choices = std::move(choices), .unconditional = true};
    ChoiceScorer scorer(*client_, std::move(request),
                        [&](ChoiceScores result) { scores = std::move(result); });
    while (!scores) client_->Wait();
    EXPECT_TRUE(scores->status.ok()) << scores->status.message();
    return *std::move(scores);
  }

  // Alone, and with nothing cached.
  ChoiceScores ScoreAlone(const std::string& prompt, const std::string& choice) {
    model_->engine().FlushCache();
    ChoiceScores scores = Score(prompt, {choice});
    EXPECT_EQ(scores.usage.cached_tokens, 0);
    return scores;
  }

  static void ExpectSameBits(const std::vector<TokenLogprob>& got,
                             const std::vector<TokenLogprob>& want) {
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_EQ(got[i].token, want[i].token);
      const bool both_unset = std::isnan(got[i].logprob) && std::isnan(want[i].logprob);
      EXPECT_TRUE(both_unset || got[i].logprob == want[i].logprob) << i;
    }
  }

  void ExpectEachAsAlone(const std::string& prompt, const std::vector<std::string>& choices) {
    const ChoiceScores together = Score(prompt, choices);
    for (std::size_t i = 0; i < choices.size(); ++i) {
      SCOPED_TRACE(prompt.substr(0, 40) + " |" + choices[i]);
      const ChoiceScores alone = ScoreAlone(prompt, choices[i]);
      ExpectSameBits(together.conditional[i], alone.conditional[0]);
      ExpectSameBits(together.unconditional[i], alone.unconditional[0]);
    }
  }

  std::unique_ptr<LocalModel> model_;
  std::unique_ptr<EngineClient> client_;
};

TEST_F(ChoiceScorerModelTest, EachChoiceHasTheBitsItHasAlone) {
  const std::vector<std::string> choices = {
      " blue", " blue and clear", " blue and grey today", " very green", " red", " blue and clear"};
  ExpectEachAsAlone("The sky is", choices);
  std::string text;
  for (int i = 0; i < 60; ++i) text += "It was a day like any other, number " + std::to_string(i);
  ExpectEachAsAlone(text + ". The sky is", choices);
  ExpectEachAsAlone("", {"One", "Two words"});
}

bool AllHaveOne(const std::vector<std::vector<TokenLogprob>>& scores) {
  for (const std::vector<TokenLogprob>& tokens : scores) {
    for (const TokenLogprob& token : tokens) {
      if (std::isnan(token.logprob)) return false;
    }
  }
  return true;
}

TEST_F(ChoiceScorerModelTest, WhereOneChoiceChangesThePromptsTokensAllAreScoredFromThere) {
  const ChoiceScores scores = Score("I say: The", {"re", "cat"});
  ASSERT_EQ(scores.conditional[0].size(), 1u);  // " There"
  ASSERT_EQ(scores.conditional[1].size(), 2u);  // " The", "cat"
  EXPECT_EQ(model_->tokenizer().Decode(std::vector{scores.conditional[1][0].token},
                                       SpecialTokens::kParse),
            " The");
  EXPECT_TRUE(AllHaveOne(scores.conditional));
}

TEST_F(ChoiceScorerModelTest, ThePromptsFirstTokenStays) {
  const ChoiceScores scores = Score("The", {"re", "cat"});
  for (const std::vector<TokenLogprob>& tokens : scores.conditional) EXPECT_EQ(tokens.size(), 1u);
  EXPECT_TRUE(AllHaveOne(scores.conditional));
}

TEST_F(ChoiceScorerModelTest, ATreeTakesOneStepAndThePromptOnce) {
  const std::string prompt = "Is the sky blue on a clear day, yes or no? The answer is";
  const EngineMetrics before = model_->engine().metrics();
  const ChoiceScores scores =
      Score(prompt, {" yes", " no", " maybe", " it depends", " it depends on the day"});
  EngineMetrics after = model_->engine().metrics();
  EXPECT_EQ(after.num_steps - before.num_steps, 1);
  // Of the choices " it depends on the" runs, once with the prompt and once without.
  EXPECT_EQ(after.computed_tokens - before.computed_tokens, scores.usage.prompt_tokens + 2 * 4);
  EXPECT_EQ(scores.usage.cached_tokens, 0);
  Score(prompt, {" yes", " no"});
  EXPECT_EQ(model_->engine().metrics().computed_tokens - after.computed_tokens, 1);
}

}  // namespace
}  // namespace espalier
