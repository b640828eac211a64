// Constraints of kind choice: every small set of choices against the definition, which
// texts begin one.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "grammar/automaton.h"
#include "grammar/limits.h"
#include "grammar/matcher.h"

namespace espalier {
namespace {

using Strings = std::vector<std::string>;

constexpr TokenId kEnd = 256;

ConstraintSpec Choices(Strings choices) {
  return {.kind = ConstraintKind::kChoice, .text = {}, .choices = std::move(choices)};
}

// All strings over {a, b} of 1 to `length` letters.
Strings AllStrings(std::size_t length) {
  Strings all = {""};
  for (std::size_t i = 0; all[i].size() < length; ++i) {
    all.push_back(all[i] + "a");
    all.push_back(all[i] + "b");
  }
  all.erase(all.begin());
  return all;
}

Strings Subset(const Strings& all, unsigned bits) {
  Strings subset;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (((bits >> i) & 1) != 0) subset.push_back(all[i]);
  }
  return subset;
}

// Every byte is a token, and so are the end and `more`.
std::shared_ptr<const Vocabulary> BytesAnd(const Strings& more) {
  Strings bytes;
  for (int b = 0; b < 256; ++b) bytes.emplace_back(1, static_cast<char>(b));
  bytes.emplace_back("</s>");
  bytes.emplace_back("");  // a control token
  bytes.insert(bytes.end(), more.begin(), more.end());
  return std::make_shared<const Vocabulary>(std::move(bytes), std::vector<TokenId>{kEnd});
}

class Explorer {
 public:
  Explorer(std::set<std::string> choices, std::shared_ptr<const Vocabulary> vocabulary,
           std::shared_ptr<const CompiledGrammar> grammar)
      : choices_(std::move(choices)),
        vocabulary_(std::move(vocabulary)),
        matcher_(std::move(grammar)) {}

  // Checks the place that spells `text`, and every place that tokens lead to from it.
  void Explore(const std::string& text) {
    TokenMask mask(vocabulary_->size() + 40);
    ASSERT_TRUE(matcher_.FillMask(mask).ok());
    const bool done = choices_.contains(text);
    ASSERT_EQ(matcher_.done(), done) << text;
    ASSERT_EQ(mask.Allows(kEnd), done) << text;
    bool goes_on = false;
    for (TokenId t = 0; t < num_tokens(); ++t) {
      if (t == kEnd) continue;
      const std::string bytes(vocabulary_->bytes(t));
      const bool allowed = !bytes.empty() && IsBeginning(text + bytes);
      goes_on = goes_on || allowed;
      ASSERT_EQ(mask.Allows(t), allowed) << text << " + " << bytes;
      if (!allowed && t < 256) continue;
      ASSERT_EQ(matcher_.Accept(t), allowed) << text << " + " << bytes;
      if (!allowed) continue;
      Explore(text + bytes);
      matcher_.Rollback(1);
    }
    ASSERT_EQ(matcher_.finished(), done && !goes_on) << text;
    CheckForced(text, done);
    CheckEnd(done);
    TokenMask again(mask.vocab_size());
    ASSERT_TRUE(matcher_.FillMask(again).ok());
    ASSERT_TRUE(std::ranges::equal(mask.words(), again.words())) << "Rollback is exact";
  }

 private:
  TokenId num_tokens() const { return static_cast<TokenId>(vocabulary_->size()); }

  bool IsBeginning(const std::string& text) const {
    const auto first = choices_.lower_bound(text);
    return first != choices_.end() && first->starts_with(text);
  }

  void CheckForced(const std::string& text, bool done) {
    Strings rests;
    for (const std::string& choice : choices_) {
      if (choice.starts_with(text)) rests.push_back(choice.substr(text.size()));
    }
    const auto [low, high] = std::ranges::minmax(rests);
    const auto end = std::ranges::mismatch(low, high).in1;
    const std::string shared(low.begin(), end);
    ASSERT_EQ(matcher_.ForcedBytes(), done ? "" : shared) << text;
    const auto shortest = std::ranges::min(rests, {}, &std::string::size);
    ASSERT_EQ(matcher_.MinBytesToEnd(), shortest.size()) << text;
  }

  void CheckEnd(bool done) {
    GrammarMatcher fork = matcher_.Fork();
    ASSERT_EQ(fork.Accept(kEnd), done);
    if (!done) return;
    TokenMask mask(vocabulary_->size());
    ASSERT_TRUE(fork.FillMask(mask).ok());
    for (TokenId t = 0; t < num_tokens(); ++t) {
      ASSERT_EQ(mask.Allows(t), t == kEnd);
      ASSERT_EQ(fork.Fork().Accept(t), t == kEnd);
    }
    ASSERT_TRUE(fork.done() && fork.finished());
    ASSERT_EQ(fork.ForcedBytes(), "");
    ASSERT_EQ(fork.num_accepted(), matcher_.num_accepted() + 1);
  }

  const std::set<std::string> choices_;
  std::shared_ptr<const Vocabulary> vocabulary_;
  GrammarMatcher matcher_;
};

void CheckAgainstDefinition(const Strings& tokens, const Strings& choices) {
  const auto vocabulary = BytesAnd(tokens);
  const auto grammar = CompileGrammar(Choices(choices), vocabulary);
  ASSERT_TRUE(grammar.ok());
  Explorer({choices.begin(), choices.end()}, vocabulary, grammar.value()).Explore("");
}

TEST(Choice, EverySetOfStringsOfTwo) {
  const Strings all = AllStrings(2);
  for (unsigned choices = 1; choices < 1u << all.size(); ++choices) {
    CheckAgainstDefinition({"ab", "ba", "ab", "bb", "abb"}, Subset(all, choices));
    ASSERT_FALSE(testing::Test::HasFailure()) << choices;
  }
}

TEST(Choice, EveryPairOfStringsOfThree) {
  const Strings all = AllStrings(3);
  for (const std::string& one : all) {
    for (const std::string& two : all) {
      CheckAgainstDefinition({"ab", "aba", "bbb", "aa"}, {one, two});
      ASSERT_FALSE(testing::Test::HasFailure()) << one << ' ' << two;
    }
  }
}

Status CompileStatus(const ConstraintSpec& spec) {
  return CompileGrammar(spec, BytesAnd({})).status();
}

TEST(Choice, BadChoicesAreRefusedByName) {
  EXPECT_EQ(CompileStatus(Choices({})).message(), "choices is empty; give at least one choice");
  EXPECT_EQ(CompileStatus(Choices({"a", ""})).message(), "choices[1] is empty");
  const Status broken = CompileStatus(Choices({"a", "b", "x\xc3"}));
  EXPECT_EQ(broken.code(), Code::kInvalidArgument);
  EXPECT_EQ(broken.message(), "choices[2] is not valid UTF-8 at byte 1");
}

TEST(Choice, DuplicatesCountOnce) {
  const auto grammar = CompileGrammar(Choices({"ab", "ab", "ab"}), BytesAnd({}));
  ASSERT_TRUE(grammar.ok());
  GrammarMatcher matcher(grammar.value());
  EXPECT_EQ(matcher.ForcedBytes(), "ab");
}

TEST(Choice, LimitsAreExact) {
  const GrammarLimits limits;
  Strings many(limits.max_choices, "x");
  EXPECT_TRUE(CompileStatus(Choices(many)).ok());
  many.emplace_back("x");
  EXPECT_EQ(CompileStatus(Choices(many)).message(),
            "choices has 65537 entries; the limit is 65536");
  EXPECT_TRUE(CompileStatus(Choices({std::string(limits.max_text_bytes, 'x')})).ok());
  const Status status = CompileStatus(Choices({std::string(limits.max_text_bytes, 'x'), "y"}));
  EXPECT_EQ(status.code(), Code::kLimit);
  EXPECT_EQ(status.message(),
            "choices has more than 1048576 bytes in all, up to and with choices[1]");
}

TEST(Choice, LongChoiceIsForcedInParts) {
  const std::string text(1'000'000, 'x');
  const auto grammar = CompileGrammar(Choices({text}), BytesAnd({}));
  ASSERT_TRUE(grammar.ok());
  GrammarMatcher matcher(grammar.value());
  EXPECT_EQ(matcher.ForcedBytes(), text.substr(0, Automaton::kMaxForcedBytes));
  for (int i = 0; i < 1'000'000; ++i) ASSERT_TRUE(matcher.Accept('x'));
  EXPECT_TRUE(matcher.finished());
  matcher.Rollback(999'999);
  EXPECT_EQ(matcher.MinBytesToEnd(), 999'999u);
}

TEST(Choice, TokensOutsideTheVocabularyAreNotAccepted) {
  const auto grammar = CompileGrammar(Choices({"a"}), BytesAnd({}));
  ASSERT_TRUE(grammar.ok());
  GrammarMatcher matcher(grammar.value());
  EXPECT_FALSE(matcher.Accept(-1));
  EXPECT_FALSE(matcher.Accept(258));
  EXPECT_FALSE(matcher.Accept(2'000'000'000));
  EXPECT_EQ(matcher.num_accepted(), 0);
}

}  // namespace
}  // namespace espalier
