// Special tokens on their way into outputs: forced, in shortest endings, and in the text.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/engine/ending.h"
#include "runtime/engine/forced_tokens.h"
#include "runtime/engine/speller.h"
#include "runtime/engine/stop_checker.h"

namespace espalier {
namespace {

constexpr TokenId kEnd = 256, kCall = 257, kReply = 258, kCalls = 259, kAb = 260;

// One token a byte, but for "ab".
class ByteTokenizer : public Tokenizer {
 public:
  ByteTokenizer() {
    std::vector<std::string> bytes;
    for (int b = 0; b < 256; ++b) bytes.emplace_back(1, static_cast<char>(b));
    bytes.insert(bytes.end(), {"", "", "", "", "ab"});
    vocabulary_ = std::make_shared<const Vocabulary>(
        std::move(bytes), std::vector<TokenId>{kEnd},
        std::vector<NamedToken>{{kCall, "<call>"}, {kReply, "<reply>"}, {kCalls, "<calls>"}});
  }

  std::vector<TokenId> Encode(std::string_view text, SpecialTokens /*special*/) const override {
    std::vector<TokenId> tokens;
    while (!text.empty()) {
      const bool is_ab = text.starts_with("ab");
      tokens.push_back(is_ab ? kAb : static_cast<std::uint8_t>(text.front()));
      text.remove_prefix(is_ab ? 2 : 1);
    }
    return tokens;
  }
  std::string Decode(std::span<const TokenId> tokens, SpecialTokens /*special*/) const override {
    std::string text;
    for (const TokenId token : tokens) text += vocabulary_->bytes(token);
    return text;
  }
  std::string_view Name(TokenId token) const override { return vocabulary_->bytes(token); }
  const SpecialTokenIds& special() const override { return special_; }
  std::shared_ptr<const Vocabulary> vocabulary() const override { return vocabulary_; }

 private:
  const SpecialTokenIds special_;
  std::shared_ptr<const Vocabulary> vocabulary_;
};

class SpecialSpelling : public testing::Test {
 protected:
  GrammarMatcher Matcher(const std::string& format) const {
    ConstraintSpec spec;
    spec.kind = ConstraintKind::kStructuralTag;
    spec.text = R"({"type": "structural_tag", "format": )" + format + "}";
    return GrammarMatcher(CompileGrammar(spec, tokenizer_->vocabulary()).value());
  }

  const std::shared_ptr<const ByteTokenizer> tokenizer_ = std::make_shared<const ByteTokenizer>();
  const Speller speller_{tokenizer_};
  const ForcedTokens forced_{speller_};
};

constexpr char kTag[] = R"({"type": "tag", "begin": {"type": "token", "token": "<call>"},
    "content": {"type": "const_string", "value": "abb"},
    "end": {"type": "token", "token": "<reply>"}})";
constexpr char kEither[] = R"({"type": "sequence", "elements": [
    {"type": "const_string", "value": "ab"}, {"type": "or", "elements": [
      {"type": "token", "token": "<calls>"}, {"type": "token", "token": "<reply>"}]}]})";

TEST_F(SpecialSpelling, ForcedOnesAreTokensOfTheirOwn) {
  GrammarMatcher matcher = Matcher(kTag);
  EXPECT_EQ(forced_.After({}, matcher), (std::vector<TokenId>{kCall, kAb, 'b', kReply}));
  // "b" behind the special token does not merge with an "a" before it.
  const std::vector<TokenId> before = {'a'};
  EXPECT_EQ(forced_.After(before, matcher), (std::vector<TokenId>{kCall, kAb, 'b', kReply}));
}

TEST_F(SpecialSpelling, WhatSeveralBeginWithIsNotForced) {
  GrammarMatcher matcher = Matcher(kEither);
  EXPECT_EQ(forced_.After({}, matcher), (std::vector<TokenId>{kAb}));
  ASSERT_TRUE(matcher.Accept(kAb));
  EXPECT_EQ(forced_.After(std::vector<TokenId>{kAb}, matcher), std::vector<TokenId>{});
}

TEST_F(SpecialSpelling, EndingsHoldThem) {
  struct Case {
    const char* format;
    TokenId sampled;
    std::vector<TokenId> ending;
  };
  const Case cases[] = {
      {kTag, kCall, {kCall, kAb, 'b', kReply}},
      {kEither, 'a', {kAb, kReply}},
      // A special token is shorter than its name.
      {R"({"type": "tag", "begin": "", "content": {"type": "any_text"}, "end": "<reply>"})",
       'x',
       {kReply}},
  };
  for (const Case& c : cases) {
    GrammarMatcher matcher = Matcher(c.format);
    Ending ending(speller_, matcher);
    std::vector<TokenId> tokens;
    const auto budget = static_cast<std::int64_t>(c.ending.size());
    while (!matcher.finished() && static_cast<std::int64_t>(tokens.size()) < budget) {
      const TokenId sampled = tokens.empty() ? c.sampled : TokenId{'a'};
      const auto num_left = budget - static_cast<std::int64_t>(tokens.size());
      tokens.push_back(ending.Choose(sampled, tokens, num_left));
      ASSERT_TRUE(matcher.Accept(tokens.back())) << c.format;
    }
    EXPECT_EQ(tokens, c.ending) << c.format;
    EXPECT_TRUE(matcher.done()) << c.format;
  }
}

TEST_F(SpecialSpelling, AreInTheTextOnlyIfAsked) {
  for (const bool skip : {true, false}) {
    SamplingParams params;
    params.skip_special_tokens = skip;
    const StopPatterns patterns(params.stop, params.stop_regex);
    StopChecker checker(params, patterns, *tokenizer_->vocabulary());
    std::string text;
    for (const TokenId token : {TokenId{'a'}, kCall, TokenId{'b'}}) checker.Feed(token, text);
    checker.Flush(text);
    EXPECT_EQ(text, skip ? "ab" : "a<call>b");
  }
}

}  // namespace
}  // namespace espalier
