#include "grammar/regex/text_regex.h"

#include <gtest/gtest.h>

#include <random>

#include "kernels/base/utf8.h"

namespace espalier {
namespace {

class TextRegexTest : public testing::Test {
 protected:
  Fuel fuel_{100'000'000};
  RegexSet set_{fuel_};
  TextRegex utf8_{set_, Spelling::kUtf8};
  TextRegex json_{set_, Spelling::kJsonString};
  std::mt19937 random_{7};

  std::size_t Pick(std::size_t n) { return random_() % n; }

  char32_t RandomChar() {
    static const char32_t kEdges[] = {0,      0x1F,    0x20,    '"',      '\\',  '/',    'a',
                                      '\n',   0x7F,    0x80,    0x7FF,    0x800, 0xD7FF, 0xE000,
                                      0xFFFF, 0x10000, 0x1F600, 0x10FFFF, '\t',  0x08,   0x0C};
    if (Pick(2) == 0) return kEdges[Pick(std::size(kEdges))];
    const char32_t c = static_cast<char32_t>(Pick(Pick(2) == 0 ? 0x3000 : 0x110000));
    return c >= 0xD800 && c < 0xE000 ? U'x' : c;
  }

  std::string Unit(char32_t unit) {
    std::string text = "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) {
      text += (Pick(2) == 0 ? "0123456789ABCDEF" : "0123456789abcdef")[(unit >> shift) & 15];
    }
    return text;
  }

  // One of the spellings of `c`, any.
  std::string SpellAnyhow(char32_t c) {
    if (Pick(2) == 0) return SpellShortest(c, Spelling::kJsonString);
    if (c == '/') return "\\/";
    if (c < 0x10000) return Unit(c);
    return Unit(0xD800 + ((c - 0x10000) >> 10)) + Unit(0xDC00 + ((c - 0x10000) & 0x3FF));
  }
};

TEST_F(TextRegexTest, EveryCodePointAloneIsSpelledBySetsThatHoldIt) {
  const CodePointSet set = CodePointSet::FromRanges({{0, 5},
                                                     {'a', 'c'},
                                                     {0x7F, 0x81},
                                                     {0x7F0, 0x812},
                                                     {0xD000, 0xE001},
                                                     {0xFFF0, 0x1000F},
                                                     {0x1F600, 0x1F64F},
                                                     {0x10FFF0, 0x10FFFF}});
  const RegexId utf8 = utf8_.Char(set), json = json_.Char(set);
  const auto check = [&](char32_t c) {
    const std::string raw = SpellShortest(c, Spelling::kUtf8);
    ASSERT_EQ(DecodeUtf8(raw), std::u32string(1, c));
    EXPECT_EQ(set_.Matches(utf8, raw), set.Contains(c)) << std::hex << std::uint32_t{c};
    EXPECT_EQ(set_.Matches(json, SpellAnyhow(c)), set.Contains(c)) << std::hex << std::uint32_t{c};
  };
  for (char32_t c = 0; c < 0x1100; ++c) check(c);
  for (const CodePointSet::Range& range : set.ranges()) {
    for (int i = -2; i <= 2; ++i) {
      for (const char32_t edge : {range.first, range.last}) {
        const char32_t c = edge + static_cast<char32_t>(i);
        if (c <= CodePointSet::kMax && (c < 0xD800 || c > 0xDFFF)) check(c);
      }
    }
  }
}

TEST_F(TextRegexTest, AnyTextIsExactlyValidUtf8) {
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes;
    for (std::size_t n = Pick(5); n-- > 0;) {
      static const std::uint8_t kBytes[] = {0x41, 0x80, 0xBF, 0xC2, 0xC1, 0xE0, 0xED,
                                            0xA0, 0x9F, 0xF0, 0x90, 0xF4, 0x8F, 0xFF};
      bytes += static_cast<char>(kBytes[Pick(std::size(kBytes))]);
    }
    ASSERT_EQ(set_.Matches(utf8_.AnyText(), bytes), ValidUtf8Prefix(bytes) == bytes.size());
  }
}

TEST_F(TextRegexTest, EverySpellingOfATextIsItsLiteral) {
  for (int i = 0; i < 2'000; ++i) {
    std::string utf8, spelled;
    for (std::size_t n = Pick(6); n-- > 0;) {
      const char32_t c = RandomChar();
      utf8 += SpellShortest(c, Spelling::kUtf8);
      spelled += SpellAnyhow(c);
    }
    ASSERT_TRUE(set_.Matches(utf8_.Literal(utf8), utf8));
    ASSERT_TRUE(set_.Matches(json_.Literal(utf8), spelled)) << spelled;
    ASSERT_TRUE(set_.Matches(json_.AnyText(), spelled)) << spelled;
    ASSERT_FALSE(set_.Matches(json_.Literal(utf8 + "x"), spelled)) << spelled;
    ASSERT_FALSE(set_.Matches(json_.Not(json_.Literal(utf8)), spelled)) << spelled;
  }
}

TEST_F(TextRegexTest, WhatJsonDoesNotAllowInAStringIsNotSpelled) {
  for (const char* wrong :
       {"\x01", "\n", "\"", "\\", "\\a", "\\u12", "\\uD800", "\\uDC00\\uD800", "\\uD83D",
        "\\uD83Dx", "\\uD83D\\u0041", "\\u{41}", "\\x41", "\xED\xA0\x80"}) {
    EXPECT_FALSE(set_.Matches(json_.AnyText(), wrong)) << wrong;
  }
  EXPECT_TRUE(set_.Matches(json_.AnyText(), "\x7F\\ud83D\\uDe00\\/\\b"));
}

TEST_F(TextRegexTest, LengthCountsCodePointsHoweverSpelled) {
  const RegexId three = json_.Length(3, 3);
  EXPECT_TRUE(set_.Matches(three, "a\\uD83D\\uDE00\xE4\xB8\xAD"));
  EXPECT_FALSE(set_.Matches(three, "a\\uD83D\\uDE00"));
  EXPECT_TRUE(set_.Matches(json_.Length(0, 100'000), std::string(1'000, 'x')));
  EXPECT_FALSE(set_.Matches(utf8_.Length(0, 999), std::string(1'000, 'x')));
}

TEST_F(TextRegexTest, LiteralsAreExactlyTheirTexts) {
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> texts;
    for (std::size_t n = Pick(6); n-- > 0;) {
      std::string text;
      for (std::size_t size = Pick(4); size-- > 0;) text += "ab/\n"[Pick(4)];
      texts.push_back(text);
    }
    const RegexId json = json_.Literals(texts), utf8 = utf8_.Literals(texts);
    for (int i = 0; i < 50; ++i) {
      std::string text, spelled;
      for (std::size_t size = Pick(4); size-- > 0;) {
        text += "ab/\n"[Pick(4)];
        spelled += SpellAnyhow(static_cast<char32_t>(text.back()));
      }
      const bool known = std::find(texts.begin(), texts.end(), text) != texts.end();
      ASSERT_EQ(set_.Matches(json, spelled), known) << spelled;
      ASSERT_EQ(set_.Matches(utf8, text), known) << text;
    }
  }
}

TEST_F(TextRegexTest, ManyLiteralsStaySmall) {
  std::vector<std::string> texts;
  for (int i = 0; i < 2'001; ++i) texts.push_back("choice number " + std::to_string(i * 7919));
  const RegexId json = json_.Literals(texts);
  EXPECT_LT(set_.num_terms(), 40'000U);
  EXPECT_TRUE(set_.Matches(json, "choice \\u006eumber 7919"));
  EXPECT_FALSE(set_.Matches(json, "choice number 7918"));
}

TEST_F(TextRegexTest, DeriveLeavesWhatFollowsTheCharacter) {
  for (TextRegex* text : {&utf8_, &json_}) {
    const RegexId rest = text->Derive(text->Literal("\n\xE4\xB8\xAD!"), '\n');
    EXPECT_EQ(rest, text->Literal("\xE4\xB8\xAD!"));
  }
}

}  // namespace
}  // namespace espalier
