// Against the definition: canonical is what the tokenizer makes of the whole output, and
// forced tokens never leave it.
#include "runtime/engine/forced_tokens.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/runtime/fake_model.h"

namespace espalier {
namespace {

using Tokens = std::vector<TokenId>;

class ForcedTokensTest : public testing::Test {
 protected:
  GrammarMatcher Matcher(std::vector<std::string> choices) const {
    ConstraintSpec spec;
    spec.kind = ConstraintKind::kChoice;
    spec.choices = std::move(choices);
    return GrammarMatcher(CompileGrammar(spec, tokenizer_->vocabulary()).value());
  }
  std::string Text(std::span<const TokenId> tokens) const {
    return tokenizer_->Decode(tokens, SpecialTokens::kAsText);
  }
  Tokens Encode(std::string_view text) const {
    return tokenizer_->Encode(text, SpecialTokens::kAsText);
  }

  const std::shared_ptr<const test::FakeTokenizer> tokenizer_ =
      std::make_shared<const test::FakeTokenizer>();
  const Speller speller_{tokenizer_};
  const ForcedTokens forced_{speller_};
};

TEST_F(ForcedTokensTest, OneWayIsTakenToItsEnd) {
  GrammarMatcher matcher = Matcher({"aabcab"});
  EXPECT_EQ(Text(forced_.After(Tokens{6}, matcher)), "aabcab");
  EXPECT_EQ(forced_.After(Tokens{6}, matcher), Encode("aabcab"));
  EXPECT_EQ(matcher.num_accepted(), 0);
}

TEST_F(ForcedTokensTest, NothingWhereTheSeamWouldChangeAnAcceptedToken) {
  GrammarMatcher matcher = Matcher({"bc", "b!"});
  // "ab" is one token, so "b" after the token "a" would never be met.
  EXPECT_EQ(Text(forced_.After(Tokens{1}, matcher)), "");
  EXPECT_EQ(Text(forced_.After(Tokens{6}, matcher)), "b");
}

TEST_F(ForcedTokensTest, LastTokensThatATokenCouldRunPastAreDropped) {
  GrammarMatcher closed = Matcher({"!cabc", "!caba"});
  EXPECT_EQ(Text(forced_.After(Tokens{6}, closed)), "!cab");
  GrammarMatcher open = Matcher({"!ca!", "!cab"});
  EXPECT_EQ(Text(forced_.After(Tokens{6}, open)), "!c");
  GrammarMatcher apart = Matcher({"!cb!", "!cb?"});
  EXPECT_EQ(Text(forced_.After(Tokens{6}, apart)), "!cb");
}

// All texts over {a, b, c} of two letters or three behind "!", in pairs: for each output
// that begins canonically, what is forced is what the tokenizer makes of the whole.
TEST_F(ForcedTokensTest, CanonicalOutputsStayCanonical) {
  std::vector<std::string> texts = {"!"};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].size() > 4) continue;
    for (const char letter : {'a', 'b', 'c'}) texts.push_back(texts[i] + letter);
  }
  long num_forced = 0;
  for (std::size_t i = 1; i < texts.size(); i += 3) {
    for (std::size_t j = 2; j < texts.size(); j += 5) {
      GrammarMatcher matcher = Matcher({texts[i], texts[j]});
      for (const std::string& text : {texts[i], texts[j]}) {
        const Tokens whole = Encode(text);
        int num_taken = 0;
        for (; num_taken <= static_cast<int>(whole.size()); ++num_taken) {
          const auto taken = std::span(whole).first(static_cast<std::size_t>(num_taken));
          const Tokens forced = forced_.After(taken, matcher);
          num_forced += static_cast<long>(forced.size());
          ASSERT_LE(taken.size() + forced.size(), whole.size()) << texts[i] << " " << texts[j];
          ASSERT_TRUE(std::equal(forced.begin(), forced.end(), whole.begin() + num_taken))
              << texts[i] << " " << texts[j] << " after " << Text(taken);
          if (num_taken == static_cast<int>(whole.size())) break;
          ASSERT_TRUE(matcher.Accept(whole[taken.size()]));
        }
        matcher.Rollback(num_taken);
      }
    }
  }
  EXPECT_GT(num_forced, 1000);
}

}  // namespace
}  // namespace espalier
