// All small patterns on all short texts, against the definition.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "grammar/regex/pattern.h"
#include "grammar/regex/pattern_parser.h"
#include "kernels/base/utf8.h"
#include "tests/grammar/pattern_oracle.h"

namespace espalier {
namespace {

using Patterns = std::vector<std::string>;

// [size]: all patterns of that many atoms and operators.
std::vector<Patterns> AllPatterns(std::size_t max_size) {
  std::vector<Patterns> all = {{}, {"a", "-", ".", "^", "$", "\\b"}};
  for (std::size_t size = 2; size <= max_size; ++size) {
    Patterns made;
    for (const std::string& body : all[size - 1]) {
      for (const char* opening : {"(?=", "(?!", "(?<=", "(?<!"}) {
        made.push_back(opening + body + ")");
      }
      for (const char* repeat : {"*", "?", "{2}"}) made.push_back("(?:" + body + ")" + repeat);
    }
    for (std::size_t left = 1; left + 1 < size; ++left) {
      for (const std::string& a : all[left]) {
        for (const std::string& b : all[size - 1 - left]) {
          made.push_back("(?:" + a + ")(?:" + b + ")");
          made.push_back("(?:" + a + "|" + b + ")");
        }
      }
    }
    all.push_back(std::move(made));
  }
  return all;
}

std::vector<std::string> AllTexts(std::size_t max_size) {
  std::vector<std::string> texts = {""};
  for (std::size_t at = 0; at < texts.size(); ++at) {
    if (texts[at].size() == max_size) continue;
    texts.push_back(texts[at] + "a");
    texts.push_back(texts[at] + "-");
  }
  return texts;
}

// How many of the texts match; reports each that is judged wrongly.
std::size_t Check(const std::string& pattern, PatternDialect dialect,
                  const std::vector<std::string>& texts) {
  Fuel fuel(50'000'000);
  RegexSet set(fuel);
  TextRegex spelled(set, Spelling::kUtf8);
  const auto parsed = ParsePattern(pattern, dialect);
  const auto regex = CompilePattern(pattern, dialect, spelled);
  if (!parsed.ok() || !regex.ok()) return 0;
  std::size_t num_matches = 0;
  for (const std::string& text : texts) {
    const bool matches = set.Matches(*regex, text);
    const PatternOracle oracle(parsed->tree, DecodeUtf8(text));
    EXPECT_EQ(matches, oracle.Matches(parsed->root, dialect)) << pattern << " on " << text;
    num_matches += matches ? 1 : 0;
  }
  // No assertion lets bytes in that are no text.
  EXPECT_TRUE(set.IsNothing(set.And(*regex, set.Not(spelled.AnyText())))) << pattern;
  EXPECT_FALSE(fuel.exhausted()) << pattern;
  return num_matches;
}

TEST(PatternExhaustive, SmallPatternsOnShortTextsMatchByDefinition) {
  const char* deep = std::getenv("ESPALIER_DEEP");
  const std::vector<Patterns> all = AllPatterns(deep != nullptr ? 5 : 3);
  const std::vector<std::string> texts = AllTexts(4);
  std::size_t num_matches = 0;
  for (const Patterns& patterns : all) {
    for (const std::string& pattern : patterns) {
      num_matches += Check(pattern, PatternDialect::kEcma, texts);
      num_matches += Check(pattern, PatternDialect::kPython, texts);
    }
  }
  EXPECT_GT(num_matches, 1000U);
}

// Loops with assertions in them, which are solved as automata.
TEST(PatternExhaustive, AssertionsInLoopsMatchByDefinition) {
  const std::vector<std::string> texts = AllTexts(6);
  std::size_t num_matches = 0;
  for (const char* assertion : {"(?!aa)", "(?=a|-$)", "(?<!--)", "(?<=^|a)", "\\b", "\\B", "^", "$",
                                "(?=.*a)", "(?!.*a.*-)", "(?<!a.*)", "(?=(?!a))", "(?!\\ba)"}) {
    for (const char* shape :
         {"^(?:A.)*$", "^(?:.A)*$", "(?:aA|-)+", "^(?:A(?:.A)*-)*$", "^(?:A.)+a*$", "^(?:a|A-A)*A$",
          "(?:^|A)(?:aA?-)*$", "^(?:A.){2,4}$"}) {
      std::string pattern;
      for (const char c : std::string(shape)) pattern += c == 'A' ? assertion : std::string(1, c);
      num_matches += Check(pattern, PatternDialect::kEcma, texts);
      num_matches += Check(pattern, PatternDialect::kPython, texts);
    }
  }
  EXPECT_GT(num_matches, 1000U);
}

}  // namespace
}  // namespace espalier
