// All short strings over one character of each class, against the published
// patterns run by std::regex (which has the look-ahead, but ASCII only).
#include <gtest/gtest.h>

#include <regex>

#include "runtime/tokenizer/pretokenizer.h"

namespace espalier {
namespace {

using Pieces = std::vector<std::string>;

Pieces Split(Pretokenizer pretokenizer, std::string_view text) {
  Pieces pieces;
  for (std::size_t pos = 0; pos < text.size();) {
    const std::size_t end = PieceEnd(pretokenizer, text, pos);
    EXPECT_GT(end, pos);
    EXPECT_LE(end, text.size());
    if (end <= pos) break;
    pieces.emplace_back(text.substr(pos, end - pos));
    pos = end;
  }
  return pieces;
}

// The pattern with \p{L} and \p{N} as what ASCII has of them.
std::regex Ascii(std::string pattern) {
  const auto replace_all = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = pattern.find(from, at)) != std::string::npos;) {
      pattern.replace(at, from.size(), to);
    }
  };
  replace_all("\\p{L}\\p{N}]", "A-Za-z0-9]");
  replace_all("\\p{L}", "[A-Za-z]");
  replace_all("\\p{N}", "[0-9]");
  return std::regex(pattern, std::regex::optimize);
}

const std::string kGpt2 =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
const std::string kTail = R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
const std::string kHead =
    R"('[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD]|[^\r\n\p{L}\p{N}]?\p{L}+|)";

Pieces Matches(const std::regex& regex, const std::string& text) {
  Pieces pieces;
  for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it) {
    pieces.push_back(it->str());
  }
  return pieces;
}

// Each number alone, the rest by `regex`.
Pieces DigitsThenMatches(const std::regex& regex, const std::string& text) {
  Pieces pieces;
  for (const std::string& part : Matches(std::regex("[0-9]|[^0-9]+"), text)) {
    const Pieces inner = Matches(regex, part);
    pieces.insert(pieces.end(), inner.begin(), inner.end());
  }
  return pieces;
}

template <typename Visit>
void ForEachText(std::string_view alphabet, std::size_t max_size, const Visit& visit) {
  std::vector<std::string> texts = {""};
  for (std::size_t size = 1; size <= max_size; ++size) {
    std::vector<std::string> longer;
    for (const std::string& text : texts) {
      for (const char c : alphabet) longer.push_back(text + c);
    }
    for (const std::string& text : longer) visit(text);
    texts = std::move(longer);
  }
}

constexpr std::string_view kAlphabet = "as1.' \t\n";

TEST(Pretokenizer, Gpt2EqualsItsPatternOnAllShortTexts) {
  const std::regex regex = Ascii(kGpt2);
  ForEachText(kAlphabet, 5, [&](const std::string& text) {
    ASSERT_EQ(Split(Pretokenizer::kGpt2, text), Matches(regex, text)) << text;
  });
}

TEST(Pretokenizer, SmollmEqualsItsTwoPatternsOnAllShortTexts) {
  const std::regex regex = Ascii(kGpt2);
  ForEachText(kAlphabet, 4, [&](const std::string& text) {
    ASSERT_EQ(Split(Pretokenizer::kSmollm, text), DigitsThenMatches(regex, text)) << text;
  });
}

TEST(Pretokenizer, Llama3EqualsItsPatternOnAllShortTexts) {
  const std::regex regex = Ascii(kHead + R"(\p{N}{1,3})" + kTail);
  ForEachText("aL1.' \t\n", 5, [&](const std::string& text) {
    ASSERT_EQ(Split(Pretokenizer::kLlama3, text), Matches(regex, text)) << text;
  });
}

TEST(Pretokenizer, Qwen2EqualsItsPatternOnAllShortTexts) {
  const std::regex regex = Ascii(kHead + R"(\p{N})" + kTail);
  ForEachText("as1.' \t\r", 5, [&](const std::string& text) {
    ASSERT_EQ(Split(Pretokenizer::kQwen2, text), Matches(regex, text)) << text;
  });
}

TEST(Pretokenizer, ContractionsFoldCaseOnlyWherePatternsSaySo) {
  EXPECT_EQ(Split(Pretokenizer::kGpt2, "I'LL"), (Pieces{"I", "'", "LL"}));
  EXPECT_EQ(Split(Pretokenizer::kLlama3, "I'LLx"), (Pieces{"I", "'LL", "x"}));
  // U+017F folds to s; the Kelvin sign and other letters have no part in this.
  EXPECT_EQ(Split(Pretokenizer::kLlama3, "a'\u017Fb"), (Pieces{"a", "'\u017F", "b"}));
  EXPECT_EQ(Split(Pretokenizer::kGpt2, "a'\u017F"), (Pieces{"a", "'", "\u017F"}));
}

TEST(Pretokenizer, ClassesAreUnicodes) {
  // Ideographic space, letters of three scripts, numbers of three categories.
  EXPECT_EQ(Split(Pretokenizer::kGpt2, "\u3000\u4F60\u00E9\u0416\u0664\u2167\u00BD"),
            (Pieces{"\u3000", "\u4F60\u00E9\u0416", "\u0664\u2167\u00BD"}));
  // NEL and line separator are white space; U+180E and U+200B are not.
  EXPECT_EQ(Split(Pretokenizer::kGpt2, "\u0085\u2028"), (Pieces{"\u0085\u2028"}));
  EXPECT_EQ(Split(Pretokenizer::kGpt2, "\u180E\u200B"), (Pieces{"\u180E\u200B"}));
  EXPECT_EQ(Split(Pretokenizer::kLlama3, "\u0661\u0662\u0663\u0664"),
            (Pieces{"\u0661\u0662\u0663", "\u0664"}));
}

TEST(Pretokenizer, IllFormedBytesAreNoLettersAndAreKept) {
  EXPECT_EQ(Split(Pretokenizer::kGpt2, "a\xFF\xC3z"), (Pieces{"a", "\xFF\xC3", "z"}));
  EXPECT_EQ(Split(Pretokenizer::kLlama3, "\xE4\xBD"), (Pieces{"\xE4\xBD"}));
}

TEST(Pretokenizer, NamesAreKnownExactlyOrNotAtAll) {
  EXPECT_EQ(FindPretokenizer("smollm"), Pretokenizer::kSmollm);
  EXPECT_EQ(FindPretokenizer("llama-v3"), Pretokenizer::kLlama3);
  for (const char* name : {"", "default", "gpt2", "GPT-2", "llama", "qwen", "tekken"}) {
    EXPECT_EQ(FindPretokenizer(name), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace espalier
