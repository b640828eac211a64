// Forks and rollbacks of matchers, against a model: the list of accepted tokens.
#include "grammar/matcher.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "grammar/compiled_grammar.h"
#include "grammar/frontends.h"

namespace espalier {
namespace {

constexpr TokenId kEnd = 256;

std::shared_ptr<const Vocabulary> MakeVocabulary() {
  std::vector<std::string> bytes;
  for (int b = 0; b < 256; ++b) bytes.emplace_back(1, static_cast<char>(b));
  for (const char* more : {"</s>", "ab", "abc", "bc", "ca", "cab", "bca"}) bytes.emplace_back(more);
  return std::make_shared<const Vocabulary>(std::move(bytes), std::vector<TokenId>{kEnd});
}

std::shared_ptr<const CompiledGrammar> MakeGrammar() {
  ConstraintSpec spec;
  spec.kind = ConstraintKind::kChoice;
  spec.choices = {"abcabcabc", "abcab", "bcabca", "cabc", "abcabcb", "aabbcc"};
  return CompileGrammar(spec, MakeVocabulary()).value();
}

struct Modelled {
  GrammarMatcher matcher;
  std::vector<TokenId> accepted;
};

// A fresh matcher that takes the same tokens must be in the same place.
void Check(const Modelled& modelled, const std::shared_ptr<const CompiledGrammar>& grammar) {
  GrammarMatcher fresh(grammar);
  for (const TokenId token : modelled.accepted) ASSERT_TRUE(fresh.Accept(token));
  TokenMask expected(263), mask(263);
  ASSERT_TRUE(fresh.FillMask(expected).ok());
  ASSERT_TRUE(modelled.matcher.FillMask(mask).ok());
  ASSERT_TRUE(std::ranges::equal(mask.words(), expected.words()));
  ASSERT_EQ(modelled.matcher.done(), fresh.done());
  ASSERT_EQ(modelled.matcher.finished(), fresh.finished());
  ASSERT_EQ(modelled.matcher.ForcedBytes(), fresh.ForcedBytes());
  ASSERT_EQ(modelled.matcher.num_accepted(), fresh.num_accepted());
}

TEST(Matcher, ForksAndRollbacksAreWhereTheirTokensLead) {
  const auto grammar = MakeGrammar();
  std::mt19937 random(5);
  std::vector<Modelled> all;
  all.push_back({GrammarMatcher(grammar), {}});
  for (int round = 0; round < 5'000; ++round) {
    const std::size_t at = random() % all.size();
    if (random() % 8 == 0) {
      Modelled fork = {all[at].matcher.Fork(), all[at].accepted};
      if (all.size() < 8) {
        all.push_back(std::move(fork));
      } else {
        all[random() % all.size()] = std::move(fork);
      }
    } else if (random() % 3 == 0) {
      const std::size_t n = random() % (all[at].accepted.size() + 1);
      all[at].matcher.Rollback(static_cast<int>(n));
      all[at].accepted.resize(all[at].accepted.size() - n);
    } else {
      const TokenId tokens[] = {'a', 'b', 'c', kEnd, 257, 258, 259, 260, 261, 262};
      const TokenId token = tokens[random() % std::size(tokens)];
      if (all[at].matcher.Accept(token)) all[at].accepted.push_back(token);
    }
    Check(all[random() % all.size()], grammar);
    ASSERT_FALSE(HasFailure()) << round;
  }
}

std::shared_ptr<const CompiledGrammar> MakeLimited(std::uint64_t mask_steps) {
  ConstraintSpec spec;
  spec.kind = ConstraintKind::kRegex;
  spec.text = "([abc]*a[abc]{9})?[abc]{0,40}x";
  GrammarLimits limits;
  limits.mask_steps = mask_steps;
  const auto make = [spec, limits](RegexSet& set, Fuel& fuel) {
    return MakeRegexNetwork(spec, limits, set, fuel);
  };
  return CompiledGrammar::Make(make, MakeVocabulary(), limits).value();
}

// The first mask of an output that is over the limit; -1: none is.
int FirstOverLimit(const std::shared_ptr<const CompiledGrammar>& grammar, std::string_view text) {
  GrammarMatcher matcher(grammar);
  TokenMask mask(263);
  for (const char byte : text) {
    if (!matcher.FillMask(mask).ok()) return matcher.num_accepted();
    if (!matcher.Accept(static_cast<TokenId>(byte))) break;
  }
  return -1;
}

std::string RandomText(std::mt19937& random) {
  std::string text;
  for (std::size_t i = 1 + random() % 24; i > 0; --i) text += "abc"[random() % 3];
  return text;
}

TEST(Matcher, WhatOthersWalkedDoesNotDecideWhatIsOverTheLimit) {
  std::mt19937 random(11);
  int num_over = 0, num_under = 0;
  for (std::uint64_t mask_steps = 40; mask_steps < 4'000; mask_steps += mask_steps / 4) {
    const auto shared = MakeLimited(mask_steps);
    for (int i = 0; i < 30; ++i) FirstOverLimit(shared, RandomText(random));
    for (int i = 0; i < 10; ++i) {
      const std::string text = RandomText(random);
      const int alone = FirstOverLimit(MakeLimited(mask_steps), text);
      EXPECT_EQ(FirstOverLimit(shared, text), alone) << mask_steps << ' ' << text;
      ++(alone < 0 ? num_under : num_over);
    }
  }
  EXPECT_GT(num_over, 10);
  EXPECT_GT(num_under, 10);
}

}  // namespace
}  // namespace espalier
