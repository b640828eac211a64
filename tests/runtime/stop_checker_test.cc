#include "runtime/engine/stop_checker.h"

#include <gtest/gtest.h>

#include <random>

namespace espalier {
namespace {

// What the contract says, by looking at the whole text again after each byte.
struct Naive {
  std::string text, matched;
  bool stopped = false;
};

std::size_t LongestStop(const SamplingParams& params, const std::string& text) {
  std::size_t longest = 0;
  for (const std::string& stop : params.stop) {
    if (text.ends_with(stop)) longest = std::max(longest, stop.size());
  }
  for (const std::string& pattern : params.stop_regex) {
    const std::size_t window = std::min(text.size(), StopChecker::kRegexWindow);
    for (std::size_t size = window; size > longest; --size) {
      if (RE2::FullMatch(text.substr(text.size() - size), pattern)) longest = size;
    }
  }
  return longest;
}

Naive Rescan(const SamplingParams& params, const std::string& bytes) {
  Naive result;
  for (const char byte : bytes) {
    result.text += byte;
    const std::size_t size = LongestStop(params, result.text);
    if (size == 0) continue;
    result.matched = result.text.substr(result.text.size() - size);
    result.text.resize(result.text.size() - size);
    result.stopped = true;
    break;
  }
  return result;
}

// The longest end of `text` that begins a stop string.
std::size_t MustHold(const SamplingParams& params, const std::string& text) {
  std::size_t longest = 0;
  for (const std::string& stop : params.stop) {
    for (std::size_t size = 1; size < stop.size() && size <= text.size(); ++size) {
      if (text.ends_with(stop.substr(0, size))) longest = std::max(longest, size);
    }
  }
  return longest;
}

// Feeds `pieces`, one token each, and compares with the rescan after each token.
void ExpectAsRescanned(const SamplingParams& params, const std::vector<std::string>& pieces) {
  std::vector<TokenId> none;
  const Vocabulary vocabulary(pieces, none);
  const StopPatterns patterns(params.stop, params.stop_regex);
  StopChecker checker(params, patterns, vocabulary);
  std::string fed, released;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    fed += pieces[i];
    const StopChecker::Verdict verdict = checker.Feed(static_cast<TokenId>(i), released);
    const Naive naive = Rescan(params, fed);
    ASSERT_EQ(verdict.stopped, naive.stopped) << fed;
    if (verdict.stopped) {
      ASSERT_EQ(verdict.matched, naive.matched) << fed;
      ASSERT_EQ(released, naive.text) << fed;
      return;
    }
    if (params.stop_regex.empty()) {
      ASSERT_EQ(released, fed.substr(0, fed.size() - MustHold(params, fed))) << fed;
    }
  }
  checker.Flush(released);
  ASSERT_EQ(released, fed);
}

std::string Word(int bits, int size) {
  std::string word;
  for (int i = 0; i < size; ++i) word += ((bits >> i) & 1) != 0 ? 'b' : 'a';
  return word;
}

// `text` cut after position i where bit i of `cuts` is set.
std::vector<std::string> Split(const std::string& text, int cuts) {
  std::vector<std::string> pieces(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    pieces.back() += text[i];
    if (i + 1 < text.size() && ((cuts >> i) & 1) != 0) pieces.emplace_back();
  }
  return pieces;
}

TEST(StopChecker, AllStopStringsInAllTextsInAllSplitsOfTwoLetters) {
  constexpr int kText = 6;
  for (int size = 1; size <= 4; ++size) {
    for (int stop = 0; stop < 1 << size; ++stop) {
      SamplingParams params;
      params.stop = {Word(stop, size)};
      for (int text = 0; text < 1 << kText; ++text) {
        for (int cuts = 0; cuts < 1 << (kText - 1); ++cuts) {
          ExpectAsRescanned(params, Split(Word(text, kText), cuts));
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(StopChecker, AllPairsOfStopStringsInAllTexts) {
  constexpr int kText = 7;
  std::vector<std::string> stops;
  for (int size = 1; size <= 4; ++size) {
    for (int bits = 0; bits < 1 << size; ++bits) stops.push_back(Word(bits, size));
  }
  std::mt19937 rng(1);
  for (const std::string& a : stops) {
    for (const std::string& b : stops) {
      SamplingParams params;
      params.stop = {a, b};
      for (int text = 0; text < 1 << kText; ++text) {
        ExpectAsRescanned(params, Split(Word(text, kText), static_cast<int>(rng() % 64)));
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(StopChecker, RegexesStopWhereTheirFirstMatchEndsWhateverTheSplit) {
  std::mt19937 rng(2);
  const std::vector<std::string> regexes[] = {
      {"ab+a"}, {"bb|aba"}, {"a{3}"}, {"b(ab)*b", "aaa"}, {"[ab]{5}b"}};
  for (const auto& regex : regexes) {
    for (int trial = 0; trial < 400; ++trial) {
      SamplingParams params;
      params.stop_regex = regex;
      if (trial % 2 == 0) params.stop = {"abab"};
      const int size = 1 + static_cast<int>(rng() % 12);
      const std::string text = Word(static_cast<int>(rng() % 4096), size);
      ExpectAsRescanned(params, Split(text, static_cast<int>(rng() % 4096)));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(StopChecker, RegexFarIntoALongTextIsFoundAndItsWindowHeldBack) {
  SamplingParams params;
  params.stop_regex = {"[0-9]{3}"};
  const Vocabulary vocabulary({"x", "12", "3y", "1"}, {});
  const StopPatterns patterns(params.stop, params.stop_regex);
  StopChecker checker(params, patterns, vocabulary);
  std::string released;
  for (int i = 0; i < 5000; ++i) {
    EXPECT_FALSE(checker.Feed(i % 2 == 0 ? 0 : 3, released).stopped);
    EXPECT_EQ(released.size(), static_cast<std::size_t>(std::max(0, i + 1 - 128)));
  }
  EXPECT_FALSE(checker.Feed(1, released).stopped == false);  // "1" + "12"
  EXPECT_EQ(released.size(), 4999u);
}

TEST(StopChecker, StopTokensEndTheOutputAndReleaseWhatIsHeld) {
  SamplingParams params;
  params.stop = {"abc"};
  params.stop_token_ids = {2};
  const Vocabulary vocabulary({"", "ab", "zz", "q"}, {0});
  const StopPatterns patterns(params.stop, params.stop_regex);
  for (const TokenId stop : {0, 2}) {
    StopChecker checker(params, patterns, vocabulary);
    std::string released;
    EXPECT_FALSE(checker.Feed(1, released).stopped);
    EXPECT_EQ(released, "");
    const StopChecker::Verdict verdict = checker.Feed(stop, released);
    EXPECT_TRUE(verdict.stopped);
    EXPECT_EQ(verdict.matched_token, stop);
    EXPECT_EQ(released, "ab");
  }
}

TEST(StopChecker, IgnoreEosKeepsOnlyTheTokensAskedFor) {
  SamplingParams params;
  params.ignore_eos = true;
  params.stop_token_ids = {1};
  const Vocabulary vocabulary({"", "a"}, {0});
  const StopPatterns patterns({}, {});
  StopChecker checker(params, patterns, vocabulary);
  std::string released;
  EXPECT_FALSE(checker.Feed(0, released).stopped);
  EXPECT_TRUE(checker.Feed(1, released).stopped);
}

TEST(StopChecker, NothingStopsBeforeMinNewTokens) {
  SamplingParams params;
  params.min_new_tokens = 3;
  params.stop = {"aa"};
  const Vocabulary vocabulary({"", "a"}, {0});
  const StopPatterns patterns(params.stop, {});
  StopChecker checker(params, patterns, vocabulary);
  std::string released;
  EXPECT_EQ(checker.BannedTokens().size(), 1u);
  EXPECT_FALSE(checker.Feed(0, released).stopped);
  EXPECT_FALSE(checker.Feed(1, released).stopped);
  EXPECT_EQ(released, "a");
  EXPECT_FALSE(checker.Feed(1, released).stopped);  // the first byte that is looked at
  EXPECT_TRUE(checker.BannedTokens().empty());
  EXPECT_TRUE(checker.Feed(1, released).stopped);
  EXPECT_EQ(released, "a");
}

TEST(StopPatterns, RefusesRegexesThatCostTooMuchAByte) {
  EXPECT_TRUE(CheckStopRegex("\\n\\s*(Human|User|\\p{L}+):").ok());
  for (const char* pattern : {"((((a{0,10}){0,10}){0,10}b)|c{0,900})z", "(?:.{1,90}x){1,10}y",
                              "(\\pL{1,9}\\pN{1,9}){1,2}!", "a{1000}b{1000}"}) {
    const Status status = CheckStopRegex(pattern);
    EXPECT_EQ(status.code(), Code::kInvalidArgument) << pattern;
    EXPECT_NE(status.message().find("too complex"), std::string::npos) << status.message();
  }
}

}  // namespace
}  // namespace espalier
