#include "grammar/frontends.h"

#include <gtest/gtest.h>

#include "grammar/matcher.h"

namespace espalier {
namespace {

std::shared_ptr<const Vocabulary> Bytes(std::vector<TokenId> end_tokens) {
  std::vector<std::string> bytes;
  for (int b = 0; b < 256; ++b) bytes.emplace_back(1, static_cast<char>(b));
  bytes.emplace_back("</s>");
  bytes.emplace_back("");
  return std::make_shared<const Vocabulary>(std::move(bytes), std::move(end_tokens));
}

ConstraintSpec ChoiceOfA() {
  return {.kind = ConstraintKind::kChoice, .text = {}, .choices = {"a"}};
}

TEST(Frontends, EndTokenOutsideTheVocabularyIsRefused) {
  EXPECT_EQ(CompileGrammar(ChoiceOfA(), Bytes({258})).status().message(),
            "end token 258 is outside the vocabulary of 258 tokens");
  EXPECT_FALSE(CompileGrammar(ChoiceOfA(), Bytes({-1})).ok());
  EXPECT_TRUE(CompileGrammar(ChoiceOfA(), Bytes({256, 257})).ok());
  EXPECT_TRUE(CompileGrammar(ChoiceOfA(), Bytes({})).ok());
}

TEST(Frontends, VocabularyWithoutATokenForAByteIsRefusedByName) {
  std::vector<std::string> bytes;
  for (int b = 0; b < 256; ++b) bytes.emplace_back(1, static_cast<char>(b));
  bytes['x'] = "xx";
  const auto vocabulary =
      std::make_shared<const Vocabulary>(std::move(bytes), std::vector<TokenId>{});
  const Status status = CompileGrammar(ChoiceOfA(), vocabulary).status();
  EXPECT_EQ(status.code(), Code::kUnsupported);
  EXPECT_EQ(status.message(),
            "constraints need a vocabulary with a token for each byte; this one has none for "
            "byte 120");
}

TEST(Frontends, EveryEndTokenIsAllowedAtTheEnd) {
  const auto grammar = CompileGrammar(ChoiceOfA(), Bytes({256, 257}));
  ASSERT_TRUE(grammar.ok());
  GrammarMatcher matcher(grammar.value());
  TokenMask mask(258);
  ASSERT_TRUE(matcher.FillMask(mask).ok());
  EXPECT_TRUE(mask.Allows('a') && !mask.Allows('b') && !mask.Allows(256));
  ASSERT_TRUE(matcher.Accept('a'));
  ASSERT_TRUE(matcher.FillMask(mask).ok());
  EXPECT_TRUE(!mask.Allows('a') && mask.Allows(256) && mask.Allows(257));
}

TEST(Frontends, TextOverTheLimitIsRefusedByEveryKind) {
  const std::string text(GrammarLimits().max_text_bytes + 1, ' ');
  for (const ConstraintKind kind : {ConstraintKind::kRegex, ConstraintKind::kJsonSchema,
                                    ConstraintKind::kEbnf, ConstraintKind::kStructuralTag}) {
    const Status status =
        CompileGrammar({.kind = kind, .text = text, .choices = {}}, Bytes({})).status();
    EXPECT_EQ(status.code(), Code::kLimit) << status.message();
  }
}

}  // namespace
}  // namespace espalier
