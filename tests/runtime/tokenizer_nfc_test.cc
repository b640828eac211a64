#include <gtest/gtest.h>

#include "kernels/base/utf8.h"
#include "runtime/tokenizer/nfc.h"

namespace espalier {
namespace {

// Examples of Unicode Standard Annex #15 and of its test file, by rule.
TEST(Nfc, ComposesAsTheStandardShows) {
  EXPECT_EQ(NormalizeNfc("e\u0301"), "\u00E9");
  EXPECT_EQ(NormalizeNfc("\u212B"), "\u00C5");                // singleton
  EXPECT_EQ(NormalizeNfc("\u0958"), "\u0915\u093C");          // composition exclusion
  EXPECT_EQ(NormalizeNfc("\uFB01"), "\uFB01");                // no compatibility forms
  EXPECT_EQ(NormalizeNfc("\u1E69"), "\u1E69");                // two marks
  EXPECT_EQ(NormalizeNfc("s\u0307\u0323"), "\u1E69");         // ... in either order
  EXPECT_EQ(NormalizeNfc("d\u0307\u0323"), "\u1E0D\u0307");   // a blocked mark stays
  EXPECT_EQ(NormalizeNfc("\u1112\u1161\u11AB"), "\uD55C");    // Hangul
  EXPECT_EQ(NormalizeNfc("\uAC00\u11A7x"), "\uAC00\u11A7x");  // no trailing consonant
  EXPECT_EQ(NormalizeNfc("\u1100\u1161\u11A7\u11A8"), "\uAC00\u11A7\u11A8");
  EXPECT_EQ(NormalizeNfc("\U0001D15E"), "\U0001D157\U0001D165");  // beyond the BMP
  EXPECT_EQ(NormalizeNfc("a\u0315\u0300\u05AE\u0062"), "\u00E0\u05AE\u0315\u0062");
}

TEST(Nfc, TextWithoutMarksStaysAsItIs) {
  for (const char* text : {"", "plain", "\u00E9\u00DF", "\u4F60\u597D", "\U0001F642"}) {
    EXPECT_EQ(NormalizeNfc(text), text);
  }
}

TEST(Nfc, IllFormedBytesStayAndPartTheText) {
  EXPECT_EQ(NormalizeNfc("e\xFF\u0301"), "e\xFF\u0301");
  EXPECT_EQ(NormalizeNfc("e\u0301\xE4\xBD"), "\u00E9\xE4\xBD");
}

TEST(Nfc, IsIdempotentOnEveryCharacterBeforeAMark) {
  for (char32_t code = 0; code < 0x110000; code += code < 0x3000 ? 1 : 7) {
    if (code >= 0xD800 && code < 0xE000) continue;
    std::string text;
    AppendCodePoint(text, code);
    const std::string once = NormalizeNfc(text + "\u0323\u0301");
    ASSERT_EQ(NormalizeNfc(once), once) << std::hex << static_cast<unsigned>(code);
  }
}

// Sorting marks by swapping neighbours would take hours here.
TEST(Nfc, ALongRunOfMarksIsSorted) {
  std::string text = "q", sorted_text = "q";
  constexpr int kNumPairs = 200000;
  for (int i = 0; i < kNumPairs; ++i) text += "\u0301\u0323";
  for (int i = 0; i < kNumPairs; ++i) sorted_text += "\u0323";
  for (int i = 0; i < kNumPairs; ++i) sorted_text += "\u0301";
  EXPECT_TRUE(NormalizeNfc(text) == sorted_text);
}

}  // namespace
}  // namespace espalier
