// Random patterns on random texts, against RE2. ESPALIER_PAIRS says how many pairs.
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <cstdlib>
#include <random>
#include <string>

#include "grammar/regex/pattern.h"

namespace espalier {
namespace {

class PatternMaker {
 public:
  explicit PatternMaker(std::uint32_t seed) : random_(seed) {}

  std::size_t Pick(std::size_t n) { return random_() % n; }

  std::string Pattern(int depth) {
    std::string text;
    for (std::size_t n = 1 + Pick(3); n-- > 0;) {
      text += Piece(depth);
      static const char* kRepeats[] = {"*", "+", "?", "{2}", "{1,}", "{0,3}", "*?", "{2,9}"};
      if (Pick(3) == 0) text += kRepeats[Pick(std::size(kRepeats))];
      if (Pick(9) == 0) text += "|";
    }
    return text;
  }

  std::string Text() {
    static const char* kChars[] = {"a", "b", "c", "A", "1", "-", ".", "\n", "\u00e9", "\U0001f600"};
    std::string text;
    for (std::size_t n = Pick(8); n-- > 0;) text += kChars[Pick(std::size(kChars))];
    return text;
  }

 private:
  std::string Piece(int depth) {
    static const char* kAtoms[] = {
        "a",     "b",      "c",   "\u00e9",        "\U0001f600", "[ab]",
        "[^a]",  "[a-c1]", "\\d", "\\D",           "[\\s\\d]",   "[^\\d-]",
        "\\x61", "\\.",    "\\n", "(?:a|b|c1|c2)", "\\w"};
    if (depth == 0 || Pick(3) != 0) return kAtoms[Pick(std::size(kAtoms))];
    return (Pick(2) == 0 ? "(" : "(?:") + Pattern(depth - 1) + ")";
  }

  std::mt19937 random_;
};

TEST(PatternAgainstRe2, RandomPatternsSearchAndAnchorAlike) {
  const char* wanted = std::getenv("ESPALIER_PAIRS");
  const int num_pairs = wanted != nullptr ? std::atoi(wanted) : 4'000;
  PatternMaker make(17);
  int num_matches = 0;
  for (int pair = 0; pair < num_pairs;) {
    std::string pattern = make.Pattern(3);
    if (make.Pick(2) == 0) pattern = "^(?:" + pattern + ")$";
    const RE2 re2(pattern, RE2::Quiet);
    ASSERT_TRUE(re2.ok()) << pattern << ": " << re2.error();
    Fuel fuel(20'000'000);
    RegexSet set(fuel);
    TextRegex spelled(set, Spelling::kUtf8);
    const auto regex = CompilePattern(pattern, PatternDialect::kEcma, spelled);
    ASSERT_TRUE(regex.ok()) << pattern << ": " << regex.status().message();
    for (int i = 0; i < 8; ++i, ++pair) {
      const std::string text = make.Text();
      const bool matches = RE2::PartialMatch(text, re2);
      ASSERT_EQ(set.Matches(*regex, text), matches) << pattern << " on " << text;
      num_matches += matches ? 1 : 0;
    }
    ASSERT_FALSE(fuel.exhausted()) << pattern;
  }
  EXPECT_GT(num_matches, num_pairs / 10);
  EXPECT_LT(num_matches, num_pairs * 9 / 10);
}

}  // namespace
}  // namespace espalier
