#include "runtime/engine/ending.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tests/runtime/fake_model.h"

namespace espalier {
namespace {

class EndingTest : public testing::Test {
 protected:
  struct Output {
    std::string text;
    int num_tokens = 0;
  };

  // Draws any allowed tokens, and lets the ending see each.
  Output Run(const std::vector<std::string>& choices, int budget, std::mt19937& rng) {
    ConstraintSpec spec;
    spec.kind = ConstraintKind::kChoice;
    spec.choices = choices;
    return Run(spec, budget, rng);
  }

  Output Run(const ConstraintSpec& spec, int budget, std::mt19937& rng) {
    GrammarMatcher matcher(CompileGrammar(spec, tokenizer_->vocabulary()).value());
    Ending ending(speller_, matcher);
    TokenMask mask(test::kFakeVocab);
    std::vector<TokenId> tokens;
    while (static_cast<int>(tokens.size()) < budget && !matcher.finished()) {
      EXPECT_TRUE(matcher.FillMask(mask).ok());
      std::vector<TokenId> allowed;
      for (TokenId t = 0; t < test::kFakeVocab; ++t) {
        if (mask.Allows(t)) allowed.push_back(t);
      }
      const TokenId sampled = allowed[rng() % allowed.size()];
      const int accepted = matcher.num_accepted();
      const TokenId token =
          ending.Choose(sampled, tokens, budget - static_cast<int>(tokens.size()));
      EXPECT_EQ(matcher.num_accepted(), accepted);
      EXPECT_TRUE(matcher.Accept(token)) << token;
      tokens.push_back(token);
    }
    return {tokenizer_->Decode(tokens, SpecialTokens::kAsText), static_cast<int>(tokens.size())};
  }

  const std::shared_ptr<const test::FakeTokenizer> tokenizer_ =
      std::make_shared<const test::FakeTokenizer>();
  const Speller speller_{tokenizer_};
};

TEST_F(EndingTest, OutputIsWholeWhateverIsSampledIfTheShortestFits) {
  std::mt19937 rng(7);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<std::string> choices;
    for (int i = 0, n = 1 + static_cast<int>(rng() % 5); i < n; ++i) {
      std::string& choice = choices.emplace_back();
      for (int k = 0, size = 1 + static_cast<int>(rng() % 14); k < size; ++k) {
        choice.push_back("abc!"[rng() % 4]);
      }
    }
    const auto shortest = std::ranges::min_element(
        choices, {}, [](const std::string& choice) { return std::pair(choice.size(), choice); });
    const int least =
        static_cast<int>(tokenizer_->Encode(*shortest, SpecialTokens::kAsText).size());
    for (const int budget : {least, least + 1, least + 3, 30}) {
      const Output output = Run(choices, budget, rng);
      EXPECT_EQ(std::ranges::count(choices, output.text) > 0, true)
          << output.text << " of " << choices.size() << " in " << budget;
      EXPECT_LE(output.num_tokens, budget);
    }
  }
}

TEST_F(EndingTest, BudgetThatIsTooSmallGetsTheBeginningOfTheShortest) {
  std::mt19937 rng(7);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(Run({"!a!a!a", "!a!a!acccccc"}, 3, rng).text, "!a!");
  }
}

TEST_F(EndingTest, WholeOutputThatMightGoOnIsEndedByAnEndToken) {
  std::mt19937 rng(7);
  for (int i = 0; i < 50; ++i) {
    const Output output = Run({"!", "!a!a!a!a!a"}, 2, rng);
    EXPECT_EQ(output.text, "!");
    EXPECT_EQ(output.num_tokens, 2);
  }
}

TEST_F(EndingTest, IsSpelledNoFurtherThanItIsNeeded) {
  std::mt19937 rng(7);
  ConstraintSpec spec;
  spec.kind = ConstraintKind::kRegex;
  spec.text = "[ab]{100000000}";
  EXPECT_EQ(Run(spec, 8, rng).text, "aaaaaaaa");
}

TEST_F(EndingTest, IsSpelledOnWhereItsFirstStretchEnds) {
  std::mt19937 rng(7);
  ConstraintSpec spec;
  spec.kind = ConstraintKind::kRegex;
  spec.text = "[ab]{3000}";
  EXPECT_EQ(Run(spec, 3000, rng).text.size(), 3000U);
  EXPECT_EQ(Run(spec, 2900, rng).text, std::string(2900, 'a'));
}

}  // namespace
}  // namespace espalier
