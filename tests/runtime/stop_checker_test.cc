#include "runtime/engine/stop_checker.h"

#include <gtest/gtest.h>
#include <re2/re2.h>

#include <map>
#include <random>

namespace espalier {
namespace {

std::string Word(int bits, int size) {
  std::string word;
  for (int i = 0; i < size; ++i) word += ((bits >> i) & 1) != 0 ? 'b' : 'a';
  return word;
}

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
    for (std::size_t size = text.size(); size > longest; --size) {
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

// Whether some text of up to 6 letters a and b makes a match of `begin`.
bool MayMatch(const std::string& begin, const std::string& pattern) {
  static std::map<std::pair<std::string, std::string>, bool> known;
  const auto [at, is_new] = known.try_emplace({begin, pattern}, false);
  if (!is_new) return at->second;
  for (int size = 0; size <= 6 && !at->second; ++size) {
    for (int bits = 0; bits < 1 << size && !at->second; ++bits) {
      at->second = RE2::FullMatch(begin + Word(bits, size), pattern);
    }
  }
  return at->second;
}

// The longest end of `text` that begins a stop.
std::size_t MustHold(const SamplingParams& params, const std::string& text) {
  std::size_t longest = 0;
  for (const std::string& stop : params.stop) {
    for (std::size_t size = 1; size < stop.size() && size <= text.size(); ++size) {
      if (text.ends_with(stop.substr(0, size))) longest = std::max(longest, size);
    }
  }
  for (const std::string& pattern : params.stop_regex) {
    for (std::size_t size = text.size(); size > longest; --size) {
      if (MayMatch(text.substr(text.size() - size), pattern)) longest = size;
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
    ASSERT_EQ(released, fed.substr(0, fed.size() - MustHold(params, fed))) << fed;
  }
  checker.Flush(released);
  ASSERT_EQ(released, fed);
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
      {"ab+a"}, {"bb|aba"}, {"a{3}"}, {"b(ab)*b", "aaa"}, {"[ab]{5}b"}, {"a.*bb", "ba{2,}b"}};
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

// Feeds the text a byte a token. What came out, "|" and what matched.
std::string Stopped(const std::string& pattern, const std::string& text) {
  SamplingParams params;
  params.stop_regex = {pattern};
  std::vector<std::string> bytes;
  for (int i = 0; i < 256; ++i) bytes.emplace_back(1, static_cast<char>(i));
  const Vocabulary vocabulary(bytes, {});
  const StopPatterns patterns(params.stop, params.stop_regex);
  StopChecker checker(params, patterns, vocabulary);
  std::string released;
  for (const char byte : text) {
    const auto verdict = checker.Feed(static_cast<unsigned char>(byte), released);
    if (verdict.stopped) return released + "|" + verdict.matched;
  }
  checker.Flush(released);
  return released;
}

TEST(StopChecker, RegexIsFoundHoweverLongItsMatch) {
  const std::string inside(3000, 'x');
  EXPECT_EQ(Stopped("<[a-z]*>", "a < b <" + inside + "> c"), "a < b |<" + inside + ">");
  EXPECT_EQ(Stopped("(?s)BEGIN.*END", "1 BEGIN\n" + inside + "END"), "1 |BEGIN\n" + inside + "END");
  EXPECT_EQ(Stopped("<[a-z]*>", "<" + inside + "1>"), "<" + inside + "1>");
}

TEST(StopChecker, OnlyWhatMayMatchIsHeldBack) {
  SamplingParams params;
  params.stop_regex = {"[0-9]{3}"};
  const Vocabulary vocabulary({"x", "12", "3y", "1"}, {});
  const StopPatterns patterns(params.stop, params.stop_regex);
  StopChecker checker(params, patterns, vocabulary);
  std::string released;
  EXPECT_FALSE(checker.Feed(0, released).stopped);
  EXPECT_FALSE(checker.Feed(1, released).stopped);
  EXPECT_EQ(released, "x");
  EXPECT_FALSE(checker.Feed(0, released).stopped);
  EXPECT_EQ(released, "x12x");
  EXPECT_FALSE(checker.Feed(1, released).stopped);
  EXPECT_TRUE(checker.Feed(2, released).stopped);
  EXPECT_EQ(released, "x12x");
}

TEST(StopChecker, RegexLooksAtTheCharacterBeforeItsMatch) {
  EXPECT_EQ(Stopped("^ab", "xab\nab"), "xab\nab");
  EXPECT_EQ(Stopped("^ab", "abc"), "|ab");
  EXPECT_EQ(Stopped("(?m)^Q:", "aQ:\nQ: b"), "aQ:\n|Q:");
  EXPECT_EQ(Stopped("\\bend", "bend the end"), "bend the |end");
  EXPECT_EQ(Stopped("\\Bend", "end bend"), "end b|end");
  EXPECT_EQ(Stopped("\\bend", "\u00e9end \u4e2dend. \u2192end"), "\u00e9end \u4e2dend. \u2192|end");
  EXPECT_EQ(Stopped("(?i)\\bEnd", "bend eND"), "bend |eND");
  EXPECT_EQ(Stopped("end", "\xe4\xb8 end"), "\xe4\xb8 |end") << "bytes need not be UTF-8";
  EXPECT_EQ(Stopped("end",
                    "\xe4\xb8"
                    "end"),
            "\xe4\xb8|end");
  EXPECT_EQ(Stopped("end",
                    "\x80\xff"
                    "end"),
            "\x80\xff|end");
  EXPECT_EQ(Stopped("[\u4e2d\u6587]{2}", "\u4e2d a\u4e2d\u6587"), "\u4e2d a|\u4e2d\u6587");
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
  params.min_new_tokens = 4;
  params.stop = {"aab"};
  params.stop_regex = {"ca+d"};
  const Vocabulary vocabulary({"", "a", "b", "aab", "ca", "d"}, {0});
  const StopPatterns patterns(params.stop, params.stop_regex);
  const auto run = [&](const std::vector<TokenId>& tokens) {
    StopChecker checker(params, patterns, vocabulary);
    std::string released;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      EXPECT_EQ(checker.BannedTokens().size(), i < 4 ? 1U : 0U);
      const auto verdict = checker.Feed(tokens[i], released);
      if (verdict.stopped) return released + "|" + std::to_string(i + 1) + verdict.matched;
    }
    checker.Flush(released);
    return released;
  };
  EXPECT_EQ(run({3, 0, 0, 3}), "aab|4aab");
  EXPECT_EQ(run({3, 0, 2, 1, 1, 2}), "aabb|6aab");
  EXPECT_EQ(run({1, 1, 1, 2}), "a|4aab") << "begins before, ends in time";
  EXPECT_EQ(run({4, 5, 0, 1, 5}), "cadad");
  EXPECT_EQ(run({4, 5, 4, 1, 5}), "cad|5caad");
  EXPECT_EQ(run({2, 4, 1, 1, 5}), "b|5caaad");
}

TEST(StopPatterns, RefusesWhatWouldStopBeforeTheFirstByte) {
  EXPECT_TRUE(CheckStopRegex("\\n\\s*(Human|User|[^\\W\\d]+):").ok());
  EXPECT_TRUE(CheckStopRegex("a{1000}b{1000}").ok());
  for (const char* pattern : {"", "a*", "(ab)?", "$", "x|"}) {
    EXPECT_EQ(CheckStopRegex(pattern).code(), Code::kInvalidArgument) << pattern;
  }
  EXPECT_EQ(CheckStopRegex("(a").code(), Code::kInvalidArgument);
  EXPECT_EQ(CheckStopRegex("(a)\\1").code(), Code::kUnsupported);
}

TEST(StopChecker, RegexThatTakesTooManyStepsEndsTheOutput) {
  SamplingParams params;
  params.stop_regex = {"(a|b)*a(a|b){60}c"};
  const Vocabulary vocabulary({"a", "b"}, {});
  const StopPatterns patterns(params.stop, params.stop_regex);
  StopChecker checker(params, patterns, vocabulary);
  std::mt19937 rng(1);
  std::string released;
  Status error;
  for (int i = 0; i < 1'000'000 && error.ok(); ++i) {
    error = checker.Feed(static_cast<TokenId>(rng() % 2), released).error;
  }
  EXPECT_EQ(error.code(), Code::kLimit);
}

}  // namespace
}  // namespace espalier
