// Constraints of kind choice: every small vocabulary with every small set of choices,
// against the definition: which sequences of tokens spell a choice.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "grammar/limits.h"
#include "grammar/matcher.h"

namespace espalier {
namespace {

using Strings = std::vector<std::string>;

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

// The definition, over texts instead of automata.
struct Definition {
  Strings tokens;  // what a grammar may match
  std::set<std::string> choices;

  bool CanComplete(const std::string& text) const {
    if (choices.contains(text)) return true;
    return text.size() < 4 && std::ranges::any_of(tokens, [&](const std::string& token) {
             return CanComplete(text + token);
           });
  }
  // REQUIRES: CanComplete(text)
  std::uint64_t MinBytesToEnd(const std::string& text) const {
    if (choices.contains(text)) return 0;
    std::uint64_t fewest = 100;
    for (const std::string& token : tokens) {
      if (!CanComplete(text + token)) continue;
      fewest = std::min(fewest, token.size() + MinBytesToEnd(text + token));
    }
    return fewest;
  }
  bool CanSpell(const std::string& text) const {
    return text.empty() || std::ranges::any_of(tokens, [&](const std::string& token) {
             return text.ends_with(token) && CanSpell(text.substr(0, text.size() - token.size()));
           });
  }
};

struct Setup {
  explicit Setup(const Strings& tokens) {
    Strings bytes = {"", "</s>"};
    bytes.insert(bytes.end(), tokens.begin(), tokens.end());
    bytes.push_back("ab");  // a second token of the same bytes, where "ab" is one
    if (std::ranges::find(tokens, "ab") == tokens.end()) bytes.back() = "";
    vocabulary = std::make_shared<const Vocabulary>(std::move(bytes), std::vector<TokenId>{1});
  }
  std::shared_ptr<const Vocabulary> vocabulary;
};

class Explorer {
 public:
  Explorer(const Definition& definition, std::shared_ptr<const Vocabulary> vocabulary,
           std::shared_ptr<const CompiledGrammar> grammar)
      : definition_(definition),
        vocabulary_(std::move(vocabulary)),
        matcher_(std::move(grammar)),
        all_bytes_(definition.CanSpell("a") && definition.CanSpell("b")) {}

  // Checks the place that spells `text`, and every place that tokens lead to from it.
  void Explore(const std::string& text) {
    TokenMask mask(vocabulary_->size() + 40);
    ASSERT_TRUE(matcher_.FillMask(mask).ok());
    const bool done = definition_.choices.contains(text);
    ASSERT_EQ(matcher_.done(), done) << text;
    ASSERT_EQ(mask.Allows(1), done) << text;
    ASSERT_FALSE(mask.Allows(0)) << "a control token";
    bool goes_on = false;
    for (TokenId t = 2; t < num_tokens(); ++t) {
      const std::string bytes(vocabulary_->bytes(t));
      const bool allowed = !bytes.empty() && definition_.CanComplete(text + bytes);
      goes_on = goes_on || allowed;
      ASSERT_EQ(mask.Allows(t), allowed) << text << " + " << bytes;
      ASSERT_EQ(matcher_.Accept(t), allowed) << text << " + " << bytes;
      if (!allowed) continue;
      Explore(text + bytes);
      matcher_.Rollback(1);
    }
    ASSERT_EQ(matcher_.finished(), done && !goes_on) << text;
    ASSERT_EQ(matcher_.MinBytesToEnd(), definition_.MinBytesToEnd(text)) << text;
    CheckForced(text, done);
    CheckEnd(done);
    TokenMask again(mask.vocab_size());
    ASSERT_TRUE(matcher_.FillMask(again).ok());
    ASSERT_TRUE(std::ranges::equal(mask.words(), again.words())) << "Rollback is exact";
  }

 private:
  TokenId num_tokens() const { return static_cast<TokenId>(vocabulary_->size()); }

  void CheckForced(const std::string& text, bool done) {
    const std::string forced = matcher_.ForcedBytes();
    Strings rests;
    for (const std::string& choice : definition_.choices) {
      if (choice.starts_with(text)) rests.push_back(choice.substr(text.size()));
    }
    for (const std::string& rest : rests) ASSERT_TRUE(rest.starts_with(forced)) << text;
    if (done) {
      ASSERT_EQ(forced, "");
    } else if (all_bytes_) {
      const auto [low, high] = std::ranges::minmax(rests);
      const auto end = std::ranges::mismatch(low, high).in1;
      ASSERT_EQ(forced, std::string(low.begin(), end)) << text;
    }
  }

  void CheckEnd(bool done) {
    GrammarMatcher fork = matcher_.Fork();
    ASSERT_EQ(fork.Accept(1), done);
    if (!done) return;
    ASSERT_EQ(fork.MinBytesToEnd(), 0u);
    TokenMask mask(vocabulary_->size());
    ASSERT_TRUE(fork.FillMask(mask).ok());
    for (TokenId t = 0; t < num_tokens(); ++t) {
      ASSERT_EQ(mask.Allows(t), t == 1);
      ASSERT_EQ(fork.Fork().Accept(t), t == 1);
    }
    ASSERT_TRUE(fork.done() && fork.finished());
    ASSERT_EQ(fork.ForcedBytes(), "");
    ASSERT_EQ(fork.num_accepted(), matcher_.num_accepted() + 1);
  }

  const Definition& definition_;
  std::shared_ptr<const Vocabulary> vocabulary_;
  GrammarMatcher matcher_;
  const bool all_bytes_;
};

// Returns whether the grammar compiled.
bool CheckAgainstDefinition(const Strings& tokens, const Strings& choices) {
  const Setup setup(tokens);
  const Definition definition = {tokens, {choices.begin(), choices.end()}};
  const auto grammar = CompileGrammar(Choices(choices), setup.vocabulary);
  const bool can_spell_all = std::ranges::all_of(
      choices, [&](const std::string& choice) { return definition.CanSpell(choice); });
  EXPECT_EQ(grammar.ok(), can_spell_all);
  if (!grammar.ok()) {
    EXPECT_EQ(grammar.status().code(), Code::kUnsupported);
    return false;
  }
  Explorer(definition, setup.vocabulary, grammar.value()).Explore("");
  return true;
}

TEST(Choice, EverySmallVocabularyAndEverySetOfStringsOfTwo) {
  const Strings all = AllStrings(2);
  int num_compiled = 0;
  for (unsigned tokens = 0; tokens < 1u << all.size(); ++tokens) {
    for (unsigned choices = 1; choices < 1u << all.size(); ++choices) {
      num_compiled += CheckAgainstDefinition(Subset(all, tokens), Subset(all, choices)) ? 1 : 0;
      ASSERT_FALSE(testing::Test::HasFailure()) << tokens << ' ' << choices;
    }
  }
  EXPECT_GT(num_compiled, 1000);
}

TEST(Choice, EverySmallVocabularyAndEveryPairOfStringsOfThree) {
  const Strings tokens = AllStrings(2), all = AllStrings(3);
  for (unsigned bits = 0; bits < 1u << tokens.size(); ++bits) {
    for (const std::string& one : all) {
      for (const std::string& two : all) {
        Strings subset = Subset(tokens, bits);
        if (bits % 2 == 1) subset.push_back("aba");
        CheckAgainstDefinition(subset, {one, two});
        ASSERT_FALSE(testing::Test::HasFailure()) << bits << ' ' << one << ' ' << two;
      }
    }
  }
}

std::shared_ptr<const Vocabulary> AllBytes() {
  Strings bytes;
  for (int b = 0; b < 256; ++b) bytes.emplace_back(1, static_cast<char>(b));
  bytes.emplace_back("</s>");
  return std::make_shared<const Vocabulary>(std::move(bytes), std::vector<TokenId>{256});
}

Status CompileStatus(const ConstraintSpec& spec) {
  return CompileGrammar(spec, AllBytes()).status();
}

TEST(Choice, BadChoicesAreRefusedByName) {
  EXPECT_EQ(CompileStatus(Choices({})).message(), "choices is empty; give at least one choice");
  EXPECT_EQ(CompileStatus(Choices({"a", ""})).message(), "choices[1] is empty");
  const Status broken = CompileStatus(Choices({"a", "b", "x\xc3"}));
  EXPECT_EQ(broken.code(), Code::kInvalidArgument);
  EXPECT_EQ(broken.message(), "choices[2] is not valid UTF-8 at byte 1");
}

TEST(Choice, DuplicatesCountOnce) {
  const auto grammar = CompileGrammar(Choices({"ab", "ab", "ab"}), AllBytes());
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
  EXPECT_TRUE(CompileStatus(Choices({std::string(limits.max_choice_bytes, 'x')})).ok());
  const Status status = CompileStatus(Choices({std::string(limits.max_choice_bytes, 'x'), "y"}));
  EXPECT_EQ(status.code(), Code::kLimit);
  EXPECT_EQ(status.message(),
            "choices has more than 1048576 bytes in all, up to and with choices[1]");
}

TEST(Choice, LongChoiceIsForcedWhole) {
  const std::string text(1'000'000, 'x');
  const auto grammar = CompileGrammar(Choices({text}), AllBytes());
  ASSERT_TRUE(grammar.ok());
  GrammarMatcher matcher(grammar.value());
  EXPECT_EQ(matcher.ForcedBytes(), text);
  for (int i = 0; i < 1'000'000; ++i) ASSERT_TRUE(matcher.Accept('x'));
  EXPECT_TRUE(matcher.finished());
  matcher.Rollback(999'999);
  EXPECT_EQ(matcher.ForcedBytes().size(), 999'999u);
}

TEST(Choice, TokensOutsideTheVocabularyAreNotAccepted) {
  const auto grammar = CompileGrammar(Choices({"a"}), AllBytes());
  ASSERT_TRUE(grammar.ok());
  GrammarMatcher matcher(grammar.value());
  EXPECT_FALSE(matcher.Accept(-1));
  EXPECT_FALSE(matcher.Accept(257));
  EXPECT_FALSE(matcher.Accept(2'000'000'000));
  EXPECT_EQ(matcher.num_accepted(), 0);
}

}  // namespace
}  // namespace espalier
