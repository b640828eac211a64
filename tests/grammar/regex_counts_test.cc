// Large counts, deep terms and long chains: what they mean, and that they end.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "grammar/regex/regex_set.h"

namespace espalier {
namespace {

constexpr RegexId kNothing = RegexSet::kNothing;
constexpr RegexId kEmpty = RegexSet::kEmpty;
constexpr RegexId kAnything = RegexSet::kAnything;
constexpr std::uint32_t kUnbounded = RegexSet::kUnbounded;

class RegexCountsTest : public testing::Test {
 protected:
  RegexId Byte(char c) { return set_.Bytes(ByteSet::Of(static_cast<std::uint8_t>(c))); }
  RegexId Times(char c, std::uint32_t count) { return set_.Repeat(Byte(c), count, count); }

  Fuel fuel_{std::uint64_t{1} << 40};
  RegexSet set_{fuel_};
};

TEST_F(RegexCountsTest, LengthsMeetMultiplesWhereArithmeticSaysSo) {
  for (std::uint32_t min = 0; min < 130; min += 3) {
    for (std::uint32_t width = 0; width < 12; ++width) {
      for (std::uint32_t period = 1; period < 9; period += 2) {
        const std::uint32_t max = min + width;
        const RegexId both = set_.And(set_.Repeat(Byte('a'), min, max),
                                      set_.Concat(Times('a', 2), set_.Star(Times('a', period))));
        std::uint64_t shortest = 2;
        while (shortest < min) shortest += period;
        ASSERT_EQ(set_.IsNothing(both), shortest > max) << min << ' ' << max << ' ' << period;
        ASSERT_EQ(set_.MinBytes(both), shortest > max ? ~std::uint64_t{0} : shortest);
      }
    }
  }
}

// Lengths of texts of a^p and b^q that end in a^r, by adding up.
TEST_F(RegexCountsTest, LengthsMeetSumsWhereAddingSaysSo) {
  const RegexId letters = set_.Or(Byte('a'), Byte('b'));
  for (std::uint32_t p = 2; p < 8; ++p) {
    for (std::uint32_t q = p; q < 12; q += 3) {
      std::vector<bool> sums(200);
      sums[3] = true;
      for (std::size_t n = p; n < sums.size(); ++n) {
        sums[n] = sums[n] || sums[n - p] || (n >= q && sums[n - q]);
      }
      const RegexId texts =
          set_.Concat(set_.Star(set_.Or(Times('a', p), Times('b', q))), Times('a', 3));
      for (std::uint32_t n = 0; n < sums.size(); n += 1 + n / 40) {
        const RegexId both = set_.And(set_.Repeat(letters, n, n), texts);
        ASSERT_EQ(!set_.IsNothing(both), static_cast<bool>(sums[n])) << p << ' ' << q << ' ' << n;
      }
    }
  }
}

TEST_F(RegexCountsTest, LargeBoundsCostFewTerms) {
  const RegexId letter = set_.Bytes(ByteSet::Range('a', 'z'));
  const RegexId needle =
      set_.Concat(set_.Star(letter), set_.Concat(set_.Literal("needle"), set_.Star(letter)));
  EXPECT_FALSE(set_.IsNothing(set_.And(set_.Repeat(letter, 3, 100'000), needle)));
  EXPECT_FALSE(set_.IsNothing(set_.And(set_.Repeat(letter, 100'000, kUnbounded), needle)));
  EXPECT_FALSE(set_.IsNothing(set_.And(set_.Repeat(letter, 99'990, 100'000), needle)));
  const RegexId without = set_.Concat(set_.Star(letter), set_.Concat(Byte('0'), kAnything));
  EXPECT_TRUE(set_.IsNothing(set_.And(set_.Repeat(letter, 0, 100'000), without)));
  EXPECT_LT(set_.num_terms(), 2000u);
}

TEST_F(RegexCountsTest, CountsOfOneBodyAddUp) {
  const RegexId word = set_.Literal("ab");
  const RegexId some = set_.Repeat(word, 2, 5);
  EXPECT_EQ(set_.Concat(some, set_.Repeat(word, 1, kUnbounded)), set_.Repeat(word, 3, kUnbounded));
  EXPECT_EQ(set_.Or(some, set_.Repeat(word, 6, 9)), set_.Repeat(word, 2, 9));
  EXPECT_NE(set_.Or(some, set_.Repeat(word, 7, 9)), set_.Repeat(word, 2, 9));
  EXPECT_EQ(set_.Repeat(set_.Repeat(word, 0, 3), 2, 4), set_.Repeat(word, 0, 12));
  EXPECT_NE(set_.Repeat(set_.Repeat(word, 3, 3), 0, 4), set_.Repeat(word, 0, 12));
  EXPECT_EQ(set_.Or(kEmpty, set_.Repeat(word, 1, 4)), set_.Repeat(word, 0, 4));
  EXPECT_TRUE(set_.Matches(set_.Repeat(set_.Optional(word), 5, 7), "abab"));
}

TEST_F(RegexCountsTest, LongChainsAreWalkedWithoutRecursion) {
  const std::string text(100'000, 'x');
  const RegexId literal = set_.Literal(text);
  EXPECT_EQ(set_.MinBytes(literal), text.size());
  EXPECT_TRUE(set_.Matches(literal, text));
  std::vector<RegexId> parts(100'000, set_.Or(Byte('x'), set_.Literal("yz")));
  for (std::size_t i = 0; i < parts.size(); i += 2) parts[i] = Byte('x');
  EXPECT_TRUE(set_.Matches(set_.Concat(parts), text));
  const RegexId checked = set_.And(literal, set_.Not(set_.Concat(literal, Byte('y'))));
  EXPECT_FALSE(set_.IsNothing(set_.Concat(literal, checked)));
  EXPECT_FALSE(fuel_.exhausted());
}

TEST_F(RegexCountsTest, TooDeepTermsRunOutOfFuel) {
  RegexId deep = Byte('a');
  for (int i = 0; i < 100'000; ++i) {
    deep = set_.Not(set_.Concat(set_.Or(deep, set_.Literal("bc")), Byte('d')));
  }
  EXPECT_TRUE(fuel_.exhausted());
  EXPECT_EQ(deep, kNothing);
}

TEST_F(RegexCountsTest, TermsOfTheGreatestDepthAreWalked) {
  RegexId deep = Byte('a');
  for (int i = 0; i < 300; ++i) {
    deep = set_.Not(set_.Concat(set_.Or(deep, set_.Literal("bc")), Byte('d')));
  }
  ASSERT_FALSE(fuel_.exhausted());
  Fuel few(100'000);
  fuel_ = few;
  set_.Matches(deep, "addddddddddd");
  set_.IsNothing(deep);
  set_.MinBytes(deep);
  set_.FirstBytes(set_.Clamp(deep, 100));
}

TEST_F(RegexCountsTest, LiteralsAreTheirTexts) {
  std::vector<std::string> texts = {"", "a", "ab", "abc", "b", "bcd", "a", "\xff\x01"};
  for (int i = 0; i < 500; ++i) texts.push_back("key" + std::to_string(i * 7919 % 1000));
  const RegexId all = set_.Literals(texts);
  for (const std::string& text : texts) EXPECT_TRUE(set_.Matches(all, text)) << text;
  for (const char* other : {"c", "bc", "key", "key1000", "abcd", "\xff"}) {
    EXPECT_FALSE(set_.Matches(all, other)) << other;
  }
  EXPECT_EQ(set_.Literals({}), kNothing);
  EXPECT_EQ(set_.Literals({""}), kEmpty);
}

TEST_F(RegexCountsTest, TextsAndQuotedTextsAreInfiniteEverywhere) {
  const RegexId texts = set_.Star(set_.Bytes(ByteSet::Range('a', 'z')));
  EXPECT_TRUE(set_.IsInfiniteEverywhere(kAnything));
  EXPECT_TRUE(set_.IsInfiniteEverywhere(texts));
  EXPECT_TRUE(set_.IsInfiniteEverywhere(set_.Concat(texts, Byte('"'))));
  EXPECT_TRUE(set_.IsInfiniteEverywhere(set_.And(texts, set_.Not(set_.Literal("taken")))));
  EXPECT_FALSE(set_.IsInfiniteEverywhere(set_.Concat(texts, set_.Literal("\":"))));
  EXPECT_FALSE(set_.IsInfiniteEverywhere(set_.Literal("once")));
  EXPECT_FALSE(set_.IsInfiniteEverywhere(kNothing));
}

}  // namespace
}  // namespace espalier
