// RegexSet against its definition: a language is the set of its strings of up to kLength
// letters, made by the definitions of the operators.
#include "grammar/regex/regex_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace espalier {
namespace {

constexpr RegexId kNothing = RegexSet::kNothing;
constexpr RegexId kEmpty = RegexSet::kEmpty;
constexpr RegexId kAnything = RegexSet::kAnything;
constexpr std::uint32_t kUnbounded = RegexSet::kUnbounded;
constexpr std::uint64_t kFuel = std::uint64_t{1} << 40;

// A set of strings over {a, b, c}, as one flag a string.
constexpr std::size_t kLength = 6;
using Language = std::vector<bool>;

const std::vector<std::string>& Strings() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> strings = {""};
    for (std::size_t i = 0; i < strings.size() && strings[i].size() < kLength; ++i) {
      const std::string beginning = strings[i];
      for (const char letter : {'a', 'b', 'c'}) strings.push_back(beginning + letter);
    }
    return strings;
  }();
  return all;
}

// Where `text` stands in Strings().
std::size_t IndexOf(std::string_view text) {
  std::size_t index = 0;
  for (const char letter : text) index = 3 * index + 1 + static_cast<std::size_t>(letter - 'a');
  return index;
}

Language ConcatOf(const Language& x, const Language& y) {
  Language both(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::string& text = Strings()[i];
    for (std::size_t cut = 0; cut <= text.size() && !both[i]; ++cut) {
      both[i] = x[IndexOf(text.substr(0, cut))] && y[IndexOf(text.substr(cut))];
    }
  }
  return both;
}

// Both forms of one random term over {a, b, c}, with complements within {a, b, c}*.
struct Pair {
  RegexId regex;
  Language language;
};

class RandomTerms {
 public:
  RandomTerms(RegexSet& set, std::uint64_t seed) : set_(set), random_(seed) {
    letters_ = set_.Star(set_.Bytes(ByteSet::Range('a', 'c')));
  }

  Pair Make(int depth) {
    if (depth == 0 || Draw(8) == 0) return Leaf();
    switch (Draw(8)) {
      case 0:
      case 1:
      case 2: return MakeConcat(depth);
      case 3:
      case 4: return MakeOr(depth);
      case 5: return MakeAnd(depth);
      case 6: return MakeRepeat(depth);
      default: return MakeNot(depth);
    }
  }

 private:
  unsigned Draw(unsigned end) { return static_cast<unsigned>(random_() % end); }

  Pair Leaf() {
    Language language(Strings().size());
    const unsigned kind = Draw(10);
    if (kind == 0) return {kNothing, language};
    if (kind == 1) {
      language[0] = true;
      return {kEmpty, language};
    }
    const unsigned letters = 1 + Draw(7);
    ByteSet set;
    for (unsigned i = 0; i < 3; ++i) {
      if ((letters >> i & 1) == 0) continue;
      set |= ByteSet::Of(static_cast<std::uint8_t>('a' + i));
      language[1 + i] = true;
    }
    return {set_.Bytes(set), language};
  }

  Pair MakeConcat(int depth) {
    const Pair x = Make(depth - 1), y = Make(depth - 1);
    return {set_.Concat(x.regex, y.regex), ConcatOf(x.language, y.language)};
  }

  Pair MakeOr(int depth) {
    Pair all = Make(depth - 1);
    std::vector<RegexId> parts = {all.regex};
    for (unsigned i = 1 + Draw(2); i > 0; --i) {
      const Pair next = Make(depth - 1);
      parts.push_back(next.regex);
      for (std::size_t s = 0; s < all.language.size(); ++s) {
        all.language[s] = all.language[s] || next.language[s];
      }
    }
    all.regex = set_.Or(parts);
    return all;
  }

  Pair MakeAnd(int depth) {
    Pair all = Make(depth - 1);
    std::vector<RegexId> parts = {all.regex};
    for (unsigned i = 1 + Draw(2); i > 0; --i) {
      const Pair next = Make(depth - 1);
      parts.push_back(next.regex);
      for (std::size_t s = 0; s < all.language.size(); ++s) {
        all.language[s] = all.language[s] && next.language[s];
      }
    }
    all.regex = set_.And(parts);
    return all;
  }

  Pair MakeNot(int depth) {
    Pair body = Make(depth - 1);
    body.regex = set_.And(letters_, set_.Not(body.regex));
    body.language.flip();
    return body;
  }

  Pair MakeRepeat(int depth) {
    const Pair body = Make(depth - 1);
    const std::uint32_t min = Draw(4);
    const std::uint32_t max = Draw(3) == 0 ? kUnbounded : min + Draw(4);
    Language power(Strings().size());
    power[0] = true;
    Language all(Strings().size());
    // More times than there are letters add nothing but what fewer add.
    const std::uint32_t last = std::min<std::uint32_t>(max, min + kLength);
    for (std::uint32_t count = 0; count <= last; ++count) {
      for (std::size_t s = 0; count >= min && s < all.size(); ++s) all[s] = all[s] || power[s];
      power = ConcatOf(power, body.language);
    }
    return {set_.Repeat(body.regex, min, max), all};
  }

  RegexSet& set_;
  std::mt19937_64 random_;
  RegexId letters_;
};

void ExpectSameStrings(RegexSet& set, const Pair& pair) {
  std::vector<RegexId> after(Strings().size());
  after[0] = set.IsNothing(pair.regex) ? kNothing : pair.regex;
  for (std::size_t s = 0; s < Strings().size(); ++s) {
    ASSERT_EQ(set.nullable(after[s]), pair.language[s]) << "'" << Strings()[s] << "'";
    ASSERT_EQ(set.IsNothing(after[s]), after[s] == kNothing);
    for (std::size_t letter = 0; letter < 3; ++letter) {
      const std::size_t child = 3 * s + 1 + letter;
      if (child >= Strings().size()) break;
      after[child] = set.Derive(after[s], static_cast<std::uint8_t>('a' + letter));
      const bool first = set.FirstBytes(after[s]).contains(static_cast<std::uint8_t>('a' + letter));
      ASSERT_EQ(first, after[child] != kNothing);
    }
  }
}

void ExpectSameLength(RegexSet& set, const Pair& pair) {
  const auto shortest = std::find(pair.language.begin(), pair.language.end(), true);
  const std::uint64_t min_bytes = set.MinBytes(pair.regex);
  if (shortest != pair.language.end()) {
    const auto index = static_cast<std::size_t>(shortest - pair.language.begin());
    ASSERT_EQ(min_bytes, Strings()[index].size());
  } else {
    ASSERT_GT(min_bytes, kLength);
    ASSERT_EQ(min_bytes == ~std::uint64_t{0}, set.IsNothing(pair.regex));
  }
}

TEST(RegexSetModelTest, RandomTermsHaveTheStringsOfTheirDefinition) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Fuel fuel(kFuel);
    RegexSet set(fuel);
    RandomTerms terms(set, seed);
    const Pair pair = terms.Make(4);
    SCOPED_TRACE(seed);
    ExpectSameStrings(set, pair);
    ExpectSameLength(set, pair);
    if (testing::Test::HasFatalFailure()) return;
  }
}

// Calls visit(x's residual, y's residual) for all strings of up to `length` letters.
template <typename Visit>
void WalkBoth(RegexSet& set, RegexId x, RegexId y, std::size_t length, const Visit& visit) {
  visit(x, y);
  for (std::uint8_t letter = 'a'; length > 0 && letter <= 'c'; ++letter) {
    WalkBoth(set, set.Derive(x, letter), set.Derive(y, letter), length - 1, visit);
  }
}

TEST(RegexSetModelTest, ClampedTermsAreAlikeForThatManyBytes) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Fuel fuel(kFuel);
    RegexSet set(fuel);
    const RegexId regex = RandomTerms(set, seed).Make(4).regex;
    for (const std::uint32_t num_bytes : {0u, 1u, 2u, 4u}) {
      const RegexId clamped = set.Clamp(regex, num_bytes);
      WalkBoth(set, regex, clamped, num_bytes, [&](RegexId x, RegexId y) {
        ASSERT_EQ(set.nullable(x), set.nullable(y)) << seed;
        ASSERT_EQ(set.IsNothing(x), set.IsNothing(y)) << seed;
      });
    }
  }
}

TEST(RegexSetModelTest, HashesDependOnTheTermAlone) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Fuel fuel(kFuel);
    RegexSet set(fuel), other_set(fuel);
    RandomTerms(other_set, seed + 1).Make(4);  // other terms have the ids
    const RegexId regex = RandomTerms(set, seed).Make(4).regex;
    const RegexId same = RandomTerms(other_set, seed).Make(4).regex;
    ASSERT_EQ(set.hash(regex), other_set.hash(same)) << seed;
    WalkBoth(set, regex, regex, 3, [&](RegexId x, RegexId) {
      ASSERT_EQ(set.hash(x) == set.hash(regex), x == regex) << seed;
    });
  }
}

TEST(RegexSetModelTest, InfiniteEverywhereIsTrueOfInfiniteLanguagesOnly) {
  int num_true = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    Fuel fuel(kFuel);
    RegexSet set(fuel);
    const RegexId regex = RandomTerms(set, seed).Make(3).regex;
    if (!set.IsInfiniteEverywhere(regex)) continue;
    ++num_true;
    const RegexId long_texts = set.Repeat(set.Bytes(ByteSet::All()), 50, kUnbounded);
    ASSERT_FALSE(set.IsNothing(set.And(regex, long_texts))) << seed;
    WalkBoth(set, regex, regex, 4, [&](RegexId x, RegexId) {
      const bool ended = set.FirstBytes(x).empty();
      ASSERT_TRUE(ended || !set.IsNothing(set.And(x, long_texts))) << seed;
    });
  }
  EXPECT_GT(num_true, 50);
}

TEST(RegexSetModelTest, WithoutFuelLanguagesAreSmallerAndNeverLarger) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Fuel fuel(seed % 200);
    RegexSet set(fuel);
    const Pair pair = RandomTerms(set, seed).Make(3);
    ASSERT_TRUE(!fuel.exhausted() || pair.regex == kNothing) << seed;
    for (std::size_t s = 0; s < Strings().size(); ++s) {
      const bool matches = set.Matches(pair.regex, Strings()[s]);
      ASSERT_TRUE(fuel.exhausted() ? !matches || pair.language[s] : matches == pair.language[s])
          << seed << " '" << Strings()[s] << "'";
    }
  }
}

}  // namespace
}  // namespace espalier
