#include "grammar/regex/code_point_set.h"

#include <gtest/gtest.h>

#include <bitset>
#include <random>

#include "grammar/regex/unicode_property.h"

namespace espalier {
namespace {

constexpr std::size_t kSize = 64;  // the model looks at the first code points only
using Model = std::bitset<kSize>;

Model ToModel(const CodePointSet& set) {
  Model model;
  for (char32_t c = 0; c < kSize; ++c) model[c] = set.Contains(c);
  return model;
}

void ExpectNormal(const CodePointSet& set) {
  for (std::size_t i = 0; i < set.ranges().size(); ++i) {
    EXPECT_LE(set.ranges()[i].first, set.ranges()[i].last);
    if (i > 0) {
      EXPECT_GT(set.ranges()[i].first, set.ranges()[i - 1].last + 1);
    }
  }
}

TEST(CodePointSet, OperationsAgreeWithBits) {
  std::mt19937 random(3);
  const auto any_set = [&] {
    std::vector<CodePointSet::Range> ranges;
    for (std::size_t n = random() % 6; n-- > 0;) {
      const auto first = static_cast<char32_t>(random() % kSize);
      ranges.push_back({first, first + static_cast<char32_t>(random() % 9)});
    }
    return CodePointSet::FromRanges(ranges);
  };
  for (int i = 0; i < 2'000; ++i) {
    const CodePointSet a = any_set(), b = any_set();
    EXPECT_EQ(ToModel(a.Union(b)), ToModel(a) | ToModel(b));
    EXPECT_EQ(ToModel(a.Intersect(b)), ToModel(a) & ToModel(b));
    EXPECT_EQ(ToModel(a.Complement()), ~ToModel(a));
    EXPECT_EQ(a.Complement().Complement(), a);
    ExpectNormal(a.Union(b));
    ExpectNormal(a.Complement());
  }
}

TEST(CodePointSet, TheWholeRangeHasAnEmptyComplement) {
  EXPECT_TRUE(CodePointSet::All().Complement().empty());
  EXPECT_EQ(CodePointSet().Complement(), CodePointSet::All());
}

TEST(CodePointSet, CaseFoldsToAllVariants) {
  const CodePointSet k = CodePointSet::Of('k').FoldCase();
  EXPECT_EQ(k, CodePointSet::FromRanges({{'K', 'K'}, {'k', 'k'}, {0x212A, 0x212A}}));
  EXPECT_TRUE(CodePointSet::Of(0x3C3).FoldCase().Contains(0x3C2));  // both lower sigmas
  EXPECT_TRUE(CodePointSet::Of(0x1E9E).FoldCase().Contains(0xDF));  // sharp s
  EXPECT_EQ(CodePointSet::Of(0x131).FoldCase(), CodePointSet::Of(0x131));
  EXPECT_EQ(CodePointSet::Of('1').FoldCase(), CodePointSet::Of('1'));
}

TEST(UnicodeProperty, KnowsCategoriesScriptsAndBinaryProperties) {
  struct Row {
    const char* name;
    char32_t member, other;
  };
  for (const Row& row :
       {Row{"L", 'a', '1'}, Row{"Lu", 'A', 'a'}, Row{"Uppercase_Letter", 'A', 'a'},
        Row{"gc=Nd", 0x663, 'a'}, Row{"Script=Han", 0x4E2D, 'a'}, Row{"sc=Grek", 0x3B1, 'a'},
        Row{"Alphabetic", 0x345, '1'}, Row{"ASCII", 'a', 0x80}, Row{"White_Space", 0x85, 'a'},
        Row{"Lowercase", 0xAA, 'A'}, Row{"punct", '!', 'a'}}) {
    const auto set = UnicodeProperty(row.name);
    ASSERT_TRUE(set.has_value()) << row.name;
    EXPECT_TRUE(set->Contains(row.member)) << row.name;
    EXPECT_FALSE(set->Contains(row.other)) << row.name;
  }
  for (const char* unknown : {"", "lu", "Han", "Script=Klingon", "gc=Any", "Emoji_", "L=u"}) {
    EXPECT_FALSE(UnicodeProperty(unknown).has_value()) << unknown;
  }
}

}  // namespace
}  // namespace espalier
