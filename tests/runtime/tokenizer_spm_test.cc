// SentencePiece BPE against the definition done naively, and what becomes of text
// that the vocabulary does not have.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tests/support/tokenizers.h"

namespace espalier {
namespace {

using test::MakeSpm;
using Pieces = std::vector<std::pair<std::string, float>>;

constexpr TokenId kUnknown = 0;
constexpr TokenId kFirstByte = 3;
constexpr TokenId kFirstPiece = 259;

std::vector<std::string> NaiveSpm(const Pieces& pieces, std::string_view text) {
  std::vector<std::string> symbols;
  for (const char c : text) symbols.emplace_back(1, c);
  for (;;) {
    float best_score = -std::numeric_limits<float>::infinity();
    std::size_t best = symbols.size();
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
      for (const auto& [piece, score] : pieces) {
        if (piece == symbols[i] + symbols[i + 1] && score > best_score) {
          best_score = score;
          best = i;
        }
      }
    }
    if (best == symbols.size()) return symbols;
    symbols[best] += symbols[best + 1];
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
}

TEST(SpmTokenizer, MergesAsTheDefinitionSays) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    Pieces pieces = {{"a", 0}, {"b", 0}};  // "c" is known inside pieces only
    for (int i = 0; i < 10; ++i) {
      std::string text;
      for (std::size_t size = 2 + random() % 4; text.size() < size;) text += "abc"[random() % 3];
      const auto same = [&](const auto& piece) { return piece.first == text; };
      if (std::find_if(pieces.begin(), pieces.end(), same) != pieces.end()) continue;
      pieces.emplace_back(text, -static_cast<float>(random() % 4));  // ties are likely
    }
    const auto tokenizer = MakeSpm({.pieces = pieces, .add_space_prefix = false});
    for (int i = 0; i < 20; ++i) {
      std::string text;
      for (std::size_t size = random() % 20; text.size() < size;) text += "abc"[random() % 3];
      std::vector<std::string> symbols;
      for (const TokenId token : tokenizer->Encode(text, SpecialTokens::kParse)) {
        symbols.emplace_back(tokenizer->vocabulary()->bytes(token));
      }
      ASSERT_EQ(symbols, NaiveSpm(pieces, text)) << text;
    }
  }
}

TEST(SpmTokenizer, SpacePrefixStandsBeforeEachRunOfText) {
  const auto tokenizer = MakeSpm({.pieces = {{"\u2581a", -1}, {"\u2581", 0}, {"a", 0}}});
  const TokenId space_a = kFirstPiece;
  EXPECT_EQ(tokenizer->Encode("a a</s>a", SpecialTokens::kParse),
            (std::vector<TokenId>{space_a, space_a, 2, space_a}));
  EXPECT_TRUE(tokenizer->Encode("", SpecialTokens::kParse).empty());
  EXPECT_EQ(tokenizer->Decode(std::vector<TokenId>{space_a, space_a}, SpecialTokens::kParse),
            " a a");
}

TEST(SpmTokenizer, UnknownCharactersBecomeTheirBytes) {
  const auto tokenizer = MakeSpm({.pieces = {{"a", 0}}, .add_space_prefix = false});
  EXPECT_EQ(
      tokenizer->Encode("a\u00E9\xFF", SpecialTokens::kParse),
      (std::vector<TokenId>{kFirstPiece, kFirstByte + 0xC3, kFirstByte + 0xA9, kFirstByte + 0xFF}));
}

TEST(SpmTokenizer, WithoutByteTokensTheUnknownTokenStandsIn) {
  const auto tokenizer =
      MakeSpm({.pieces = {{"a", 0}}, .add_space_prefix = false, .byte_fallback = false});
  EXPECT_EQ(tokenizer->Encode("a\u00E9a", SpecialTokens::kParse),
            (std::vector<TokenId>{3, kUnknown, 3}));
  EXPECT_EQ(tokenizer->vocabulary()->bytes(kUnknown), "");
}

TEST(SpmTokenizer, NamesOfByteTokensInATextAreText) {
  const auto tokenizer = MakeSpm(
      {.pieces = {{"<0x", -1}, {"<0", -1}, {"0A", -1}, {"0A>", -1}}, .add_space_prefix = false});
  const auto tokens = tokenizer->Encode("<0x0A>", SpecialTokens::kParse);
  EXPECT_GT(tokens.size(), 1u);
  EXPECT_EQ(tokenizer->Decode(tokens, SpecialTokens::kParse), "<0x0A>");
}

TEST(SpmTokenizer, AnyBytesComeBack) {
  std::mt19937 random(4);
  const Pieces pieces = {{"\u2581", -1}, {"\u2581a", -2}, {"aa", -3}, {"\u4F60\u597D", -4}};
  const auto plain = MakeSpm({.pieces = pieces, .add_space_prefix = false});
  const auto prefixed = MakeSpm({.pieces = pieces});
  for (int i = 0; i < 5000; ++i) {
    std::string text;
    for (std::size_t size = 1 + random() % 30; text.size() < size;) {
      text += random() % 2 == 0 ? static_cast<char>(random()) : "a \n\xE4\xBD\xA0"[random() % 6];
    }
    if (text.find("\u2581") != std::string::npos) continue;
    const auto kind = SpecialTokens::kAsText;
    ASSERT_EQ(plain->Decode(plain->Encode(text, kind), kind), text);
    ASSERT_EQ(prefixed->Decode(prefixed->Encode(text, kind), kind), " " + text);
  }
}

TEST(SpmTokenizer, LongRunsComeBack) {
  const auto tokenizer = MakeSpm(
      {.pieces = {{"aa", -1}, {"aaaa", -2}, {"\u2581\u2581", -3}}, .add_space_prefix = false});
  for (const char c : {'a', ' ', '\xFF'}) {
    const std::string text(1 << 20, c);
    EXPECT_EQ(
        tokenizer->Decode(tokenizer->Encode(text, SpecialTokens::kParse), SpecialTokens::kParse),
        text);
  }
}

TEST(SpmTokenizer, ScoresMustBeNumbersOnePerToken) {
  const auto build = [](std::vector<float> scores) {
    TokenizerSource source;
    test::AddToken("a", TokenKind::kNormal, source);
    return BuildSpmTokenizer(std::move(source), {.scores = std::move(scores)}).status();
  };
  EXPECT_TRUE(build({1.0f}).ok());
  EXPECT_TRUE(build({-std::numeric_limits<float>::infinity()}).ok());
  EXPECT_EQ(build({}).code(), Code::kDataLoss);
  EXPECT_EQ(build({1.0f, 2.0f}).code(), Code::kDataLoss);
  EXPECT_EQ(build({std::nanf("")}).code(), Code::kDataLoss);
}

}  // namespace
}  // namespace espalier
