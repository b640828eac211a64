// Structural tags through the matcher: tokens cut triggers and ends as they like.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/matcher.h"

namespace espalier {
namespace {

constexpr TokenId kEnd = 256;

std::shared_ptr<const Vocabulary> MakeVocabulary() {
  std::vector<std::string> bytes;
  for (int b = 0; b < 256; ++b) bytes.emplace_back(1, static_cast<char>(b));
  for (const char* token : {"</s>", "x<to", "ol>{", "ol> ", "}</", "tool>", "}</tool>y"}) {
    bytes.emplace_back(token);
  }
  return std::make_shared<const Vocabulary>(std::move(bytes), std::vector<TokenId>{kEnd});
}

ConstraintSpec ToolCalls() {
  ConstraintSpec spec;
  spec.kind = ConstraintKind::kStructuralTag;
  spec.text = R"({"type": "structural_tag", "triggers": ["<tool>"], "structures": [
      {"begin": "<tool>", "end": "</tool>", "schema": {"type": "object",
       "properties": {"n": {"type": "integer"}}, "required": ["n"],
       "additionalProperties": false}}]})";
  return spec;
}

class StructuralTagMatcherTest : public testing::Test {
 protected:
  void SetUp() override {
    auto grammar = CompileGrammar(ToolCalls(), vocabulary_);
    ASSERT_TRUE(grammar.ok()) << grammar.status().message();
    matcher_ = std::make_unique<GrammarMatcher>(*grammar);
  }

  bool AcceptAll(const std::vector<TokenId>& tokens) {
    for (const TokenId token : tokens) {
      if (!matcher_->Accept(token)) return false;
    }
    return true;
  }
  bool AcceptText(std::string_view text) {
    for (const char byte : text) {
      if (!matcher_->Accept(static_cast<std::uint8_t>(byte))) return false;
    }
    return true;
  }
  void ExpectMaskIsWhatAcceptTakes() {
    TokenMask mask(vocabulary_->size());
    ASSERT_TRUE(matcher_->FillMask(mask).ok());
    for (TokenId token = 0; token < static_cast<TokenId>(vocabulary_->size()); ++token) {
      const bool accepted = matcher_->Accept(token);
      if (accepted) matcher_->Rollback(1);
      ASSERT_EQ(mask.Allows(token), accepted) << token;
    }
  }

  const std::shared_ptr<const Vocabulary> vocabulary_ = MakeVocabulary();
  std::unique_ptr<GrammarMatcher> matcher_;
};

TEST_F(StructuralTagMatcherTest, TriggersAndEndsMayBeCutByTokens) {
  ExpectMaskIsWhatAcceptTakes();
  ASSERT_TRUE(matcher_->Accept(257));  // x<to
  EXPECT_TRUE(matcher_->done());
  ExpectMaskIsWhatAcceptTakes();
  EXPECT_FALSE(matcher_->Accept(259));  // "ol> ": a section cannot begin with a blank
  ASSERT_TRUE(matcher_->Accept(258));   // ol>{
  EXPECT_FALSE(matcher_->done());
  ExpectMaskIsWhatAcceptTakes();
  ASSERT_TRUE(AcceptText("\"n\": 12"));
  ExpectMaskIsWhatAcceptTakes();
  ASSERT_TRUE(AcceptAll({260, 261}));  // }</ and tool>
  EXPECT_TRUE(matcher_->done());
  ASSERT_TRUE(matcher_->Accept(257));
  ASSERT_TRUE(AcceptText("ol>{\"n\": 3"));
  ASSERT_TRUE(matcher_->Accept(262));  // }</tool>y
  EXPECT_TRUE(matcher_->done());
  EXPECT_FALSE(matcher_->finished());
  ExpectMaskIsWhatAcceptTakes();
}

TEST_F(StructuralTagMatcherTest, FreeTextNeedsNoSection) {
  ASSERT_TRUE(AcceptText("An answer. <tool < > \xC3\xA9"));
  EXPECT_TRUE(matcher_->done());
  EXPECT_TRUE(matcher_->Accept(kEnd));
}

}  // namespace
}  // namespace espalier
