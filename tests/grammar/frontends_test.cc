#include "grammar/frontends.h"

#include <gtest/gtest.h>

#include "grammar/matcher.h"

namespace espalier {
namespace {

std::shared_ptr<const Vocabulary> Letters(std::vector<TokenId> end_tokens) {
  return std::make_shared<const Vocabulary>(std::vector<std::string>{"a", "b", ""},
                                            std::move(end_tokens));
}

TEST(Frontends, KindsWithoutOneAreRefusedByName) {
  const std::pair<ConstraintKind, std::string> kinds[] = {
      {ConstraintKind::kRegex, "regex constraints are not supported by this build"},
      {ConstraintKind::kJsonSchema, "json_schema constraints are not supported by this build"},
      {ConstraintKind::kEbnf, "ebnf constraints are not supported by this build"},
  };
  for (const auto& [kind, message] : kinds) {
    const auto grammar = CompileGrammar({.kind = kind, .text = "a", .choices = {}}, Letters({2}));
    EXPECT_EQ(grammar.status().code(), Code::kUnsupported);
    EXPECT_EQ(grammar.status().message(), message);
  }
}

TEST(Frontends, EndTokenOutsideTheVocabularyIsRefused) {
  const ConstraintSpec spec = {.kind = ConstraintKind::kChoice, .text = {}, .choices = {"a"}};
  EXPECT_EQ(CompileGrammar(spec, Letters({3})).status().message(),
            "end token 3 is outside the vocabulary of 3 tokens");
  EXPECT_FALSE(CompileGrammar(spec, Letters({-1})).ok());
  EXPECT_TRUE(CompileGrammar(spec, Letters({2, 1})).ok());
  EXPECT_TRUE(CompileGrammar(spec, Letters({})).ok());
}

TEST(Frontends, EveryEndTokenIsAllowedAtTheEnd) {
  const ConstraintSpec spec = {.kind = ConstraintKind::kChoice, .text = {}, .choices = {"a"}};
  const auto grammar = CompileGrammar(spec, Letters({2, 1}));
  ASSERT_TRUE(grammar.ok());
  GrammarMatcher matcher(grammar.value());
  TokenMask mask(3);
  ASSERT_TRUE(matcher.FillMask(mask).ok());
  EXPECT_EQ(mask.words()[0], 1u);
  ASSERT_TRUE(matcher.Accept(0));
  ASSERT_TRUE(matcher.FillMask(mask).ok());
  EXPECT_EQ(mask.words()[0], 6u);
}

}  // namespace
}  // namespace espalier
