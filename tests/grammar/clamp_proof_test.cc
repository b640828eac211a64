// Bounds that are forgotten in And: the same strings and the same beginnings, as far as a
// clamped term has to answer, by walking both.
#include "grammar/regex/clamp_proof.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <set>
#include <utility>

#include "grammar/regex/regex_set.h"

namespace espalier {
namespace {

constexpr std::uint32_t kUnbounded = RegexSet::kUnbounded;

class ClampProofTest : public testing::Test {
 protected:
  unsigned Draw(unsigned end) { return static_cast<unsigned>(random_() % end); }

  RegexId Letters(const char* letters) {
    ByteSet set;
    for (; *letters != 0; ++letters) set |= ByteSet::Of(static_cast<std::uint8_t>(*letters));
    return set_.Bytes(set);
  }

  RegexId Body() {
    switch (Draw(6)) {
      case 0: return Letters("a");
      case 1: return Letters("ab");
      case 2: return Letters("abc");
      case 3: return set_.Concat(Letters("a"), set_.Optional(Letters("b")));
      case 4: return set_.Concat(set_.Repeat(Letters("ab"), 1, kUnbounded), Letters("c"));
      default: return set_.Concat(Letters("ab"), Letters("bc"));
    }
  }

  // Bounds below, at and above what may be forgotten.
  RegexId Counted() {
    const unsigned min = Draw(3) == 0 ? Draw(60) : Draw(3);
    const unsigned max = Draw(4) == 0 ? kUnbounded : min + Draw(70);
    const RegexId counted = set_.Repeat(Body(), min, max);
    switch (Draw(5)) {
      case 0: return set_.Concat(Letters("a"), counted);
      case 1: return set_.Concat(counted, Letters("bc"));
      case 2: return set_.Or(counted, set_.Concat(Letters("b"), set_.Repeat(Body(), 0, 50)));
      case 3: return set_.Concat(counted, set_.Repeat(Body(), 0, 40));
      default: return counted;
    }
  }

  RegexId RandomAnd() {
    RegexId all = set_.And(Counted(), Counted());
    if (Draw(3) == 0) all = set_.And(all, set_.Not(set_.Literal("ab")));
    if (Draw(4) == 0) all = set_.And(all, set_.Not(Counted()));
    return Draw(3) == 0 ? set_.Concat(all, Letters("c")) : all;
  }

  // Both have the same strings of up to `length` letters, and the same beginnings.
  void ExpectAlike(RegexId x, RegexId y, std::uint32_t length) {
    if (x == y || !seen_.insert({{x, y}, length}).second) return;
    ASSERT_EQ(set_.nullable(x), set_.nullable(y));
    ASSERT_EQ(set_.IsNothing(x), set_.IsNothing(y));
    for (std::uint8_t letter = 'a'; length > 0 && letter <= 'c'; ++letter) {
      ExpectAlike(set_.Derive(x, letter), set_.Derive(y, letter), length - 1);
    }
  }

  std::mt19937 random_{17};
  Fuel fuel_{std::uint64_t{1} << 40};
  RegexSet set_{fuel_};
  std::set<std::pair<std::pair<RegexId, RegexId>, std::uint32_t>> seen_;
};

TEST_F(ClampProofTest, ClampedIntersectionsAreAlikeForThatManyBytes) {
  int num_clamped = 0;
  for (int i = 0; i < 400; ++i) {
    const RegexId both = RandomAnd();
    for (const std::uint32_t num_bytes : {1u, 6u, 20u}) {
      const RegexId clamped = set_.Clamp(both, num_bytes);
      num_clamped += clamped == both ? 0 : 1;
      ExpectAlike(both, clamped, num_bytes);
      ASSERT_FALSE(HasFailure()) << i << ' ' << num_bytes;
    }
  }
  EXPECT_GT(num_clamped, 200);
}

// A text of words within a length: as far from both bounds, all places are one.
TEST_F(ClampProofTest, PlacesFarFromTheBoundsAreOne) {
  const RegexId word = set_.Repeat(Letters("ab"), 1, kUnbounded);
  const RegexId words = set_.Concat(set_.Repeat(set_.Concat(word, Letters("c")), 0, 99), word);
  RegexId text = set_.And(words, set_.Repeat(Letters("abc"), 1, 500));
  const RegexId first = set_.Clamp(set_.Derive(text, 'a'), 32);
  for (int i = 0; i < 20; ++i) {
    text = set_.Derive(text, i % 3 == 0 ? 'a' : 'b');
    EXPECT_EQ(set_.Clamp(text, 32), first) << i;
  }
}

// (a | ...)x{100}y & x{101}y: what bounds alone keep empty stays empty.
TEST_F(ClampProofTest, BoundsThatDecideAreKept) {
  const RegexId x = Letters("a"), y = Letters("b");
  const RegexId even = set_.Concat(set_.Repeat(set_.Literal("aa"), 0, 100), y);
  const RegexId odd = set_.Concat(x, set_.Concat(set_.Repeat(set_.Literal("aa"), 0, 100), y));
  EXPECT_TRUE(set_.IsNothing(set_.Clamp(set_.And(even, odd), 8)));
  const RegexId late = set_.Concat(set_.Repeat(x, 0, 80), set_.Concat(set_.Literal("bbb"), y));
  const RegexId long_text = set_.Repeat(Letters("ab"), 84, 84);
  const RegexId both = set_.And(late, long_text);
  ASSERT_FALSE(set_.IsNothing(both));
  ExpectAlike(both, set_.Clamp(both, 8), 8);
}

TEST_F(ClampProofTest, ExceptionsDoNotHideBeginnings) {
  int num_dropped = 0;
  for (int i = 0; i < 600; ++i) {
    const RegexId finite = set_.Repeat(Body(), 0, Draw(3));
    RegexId regex = set_.And(Counted(), set_.Not(set_.Or(finite, set_.Literal("abba"))));
    if (Draw(2) == 0) regex = set_.Concat(regex, Letters("c"));
    const RegexId simple = set_.WithoutExceptions(regex);
    if (simple == regex) continue;
    ++num_dropped;
    const RegexId any = set_.Star(Letters("abc"));
    for (int n = 0; n < 50; ++n) {
      RegexId x = simple, y = regex;
      for (unsigned length = Draw(6); length > 0; --length) {
        const auto letter = static_cast<std::uint8_t>('a' + Draw(3));
        x = set_.Derive(x, letter);
        y = set_.Derive(y, letter);
      }
      ASSERT_TRUE(set_.IsNothing(set_.And(x, any)) || !set_.IsNothing(set_.And(y, any))) << i;
    }
  }
  EXPECT_GT(num_dropped, 20);
}

}  // namespace
}  // namespace espalier
