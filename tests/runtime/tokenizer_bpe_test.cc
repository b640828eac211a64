// Merging against the definition done naively, losslessness, special tokens, and
// texts that cost the square of their length when merging is done wrong.
#include <gtest/gtest.h>

#include <random>

#include "tests/support/tokenizers.h"

namespace espalier {
namespace {

using test::ByteMerges;
using test::MakeBpe;

constexpr TokenId kFirstMerge = 256;

// The definition: while any pair is in the list, merge the leftmost of least rank.
std::vector<std::string> NaiveBpe(const ByteMerges& merges, std::string_view text) {
  std::vector<std::string> symbols;
  for (const char c : text) symbols.emplace_back(1, c);
  for (;;) {
    std::size_t best_rank = merges.size();
    std::size_t best = 0;
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
      const std::pair pair(symbols[i], symbols[i + 1]);
      // The last of equal merges counts.
      for (std::size_t rank = merges.size(); rank-- > 0;) {
        if (merges[rank] != pair) continue;
        if (rank < best_rank) best_rank = rank, best = i;
        break;
      }
    }
    if (best_rank == merges.size()) return symbols;
    symbols[best] += symbols[best + 1];
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
}

// Each merge joins two of the symbols made so far.
ByteMerges RandomMerges(std::mt19937& random, std::string_view alphabet, int count) {
  std::vector<std::string> symbols;
  for (const char c : alphabet) symbols.emplace_back(1, c);
  ByteMerges merges;
  for (int i = 0; i < count; ++i) {
    const std::string left = symbols[random() % symbols.size()];
    const std::string right = symbols[random() % symbols.size()];
    merges.emplace_back(left, right);
    symbols.push_back(left + right);
  }
  return merges;
}

TEST(BpeTokenizer, MergesAsTheDefinitionSays) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const ByteMerges merges = RandomMerges(random, "abc", 1 + static_cast<int>(random() % 12));
    const auto tokenizer = MakeBpe({.merges = merges});
    for (int i = 0; i < 20; ++i) {
      std::string text;
      for (std::size_t size = random() % 24; text.size() < size;) text += "abcd"[random() % 4];
      std::vector<std::string> symbols;
      for (const TokenId token : tokenizer->Encode(text, SpecialTokens::kParse)) {
        symbols.emplace_back(tokenizer->vocabulary()->bytes(token));
      }
      ASSERT_EQ(symbols, NaiveBpe(merges, text)) << text;
    }
  }
}

TEST(BpeTokenizer, AnyBytesComeBack) {
  std::mt19937 random(2);
  const std::vector<Pretokenizer> all = {Pretokenizer::kWhole, Pretokenizer::kGpt2,
                                         Pretokenizer::kSmollm, Pretokenizer::kLlama3,
                                         Pretokenizer::kQwen2};
  for (const Pretokenizer pretokenizer : all) {
    const auto tokenizer = MakeBpe({.merges = {{"\xE4", "\xBD"}, {" ", "a"}, {"a", "a"}},
                                    .pretokenizer = pretokenizer,
                                    .user_defined = {"aa\n"}});
    for (int i = 0; i < 2000; ++i) {
      std::string text;
      for (std::size_t size = random() % 30; text.size() < size;) {
        text += random() % 2 == 0 ? static_cast<char>(random()) : "a \n'1\xE4\xBD"[random() % 7];
      }
      for (const auto special : {SpecialTokens::kParse, SpecialTokens::kAsText}) {
        ASSERT_EQ(tokenizer->Decode(tokenizer->Encode(text, special), special), text);
      }
    }
  }
}

TEST(BpeTokenizer, ControlTokensAreParsedOnlyOnRequest) {
  const auto tokenizer = MakeBpe({.user_defined = {"<think>"}});
  const TokenId end = kFirstMerge;
  const TokenId think = kFirstMerge + 1;
  EXPECT_EQ(tokenizer->Encode("a<|end|><think>", SpecialTokens::kParse),
            (std::vector<TokenId>{'a', end, think}));
  const std::vector<TokenId> as_text = tokenizer->Encode("<|end|><think>", SpecialTokens::kAsText);
  EXPECT_EQ(as_text, (std::vector<TokenId>{'<', '|', 'e', 'n', 'd', '|', '>', think}));
  EXPECT_EQ(tokenizer->Decode(std::vector<TokenId>{end, 'x', think}, SpecialTokens::kAsText),
            "x<think>");
  EXPECT_EQ(tokenizer->Decode(std::vector<TokenId>{end, 'x'}, SpecialTokens::kParse), "<|end|>x");
  EXPECT_EQ(tokenizer->vocabulary()->end_tokens(), std::vector<TokenId>{end});
  EXPECT_EQ(tokenizer->vocabulary()->bytes(end), "");
}

TEST(BpeTokenizer, IgnoreMergesTakesAWholePieceAtOnce) {
  // "abc" is a token that no order of merges reaches: "ab" is never made.
  const ByteMerges merges = {{"b", "c"}, {"a", "b"}, {"ab", "c"}};
  const TokenId bc = kFirstMerge;
  const TokenId abc = kFirstMerge + 2;
  const auto by_merges = MakeBpe({.merges = merges, .pretokenizer = Pretokenizer::kLlama3});
  EXPECT_EQ(by_merges->Encode("abc", SpecialTokens::kParse), (std::vector<TokenId>{'a', bc}));
  const auto ignoring =
      MakeBpe({.merges = merges, .pretokenizer = Pretokenizer::kLlama3, .ignore_merges = true});
  EXPECT_EQ(ignoring->Encode("abc", SpecialTokens::kParse), std::vector<TokenId>{abc});
  EXPECT_EQ(ignoring->Encode("abca", SpecialTokens::kParse), (std::vector<TokenId>{'a', bc, 'a'}));
}

TEST(BpeTokenizer, WholePiecesAreNeverControlTokens) {
  const auto tokenizer =
      MakeBpe({.pretokenizer = Pretokenizer::kLlama3, .ignore_merges = true, .control = {"stop"}});
  EXPECT_EQ(tokenizer->Encode("stop", SpecialTokens::kAsText),
            (std::vector<TokenId>{'s', 't', 'o', 'p'}));
}

TEST(BpeTokenizer, IdsOutOfRangeAddNothing) {
  const auto tokenizer = MakeBpe({});
  const auto size = static_cast<TokenId>(tokenizer->vocab_size());
  EXPECT_EQ(tokenizer->Decode(std::vector<TokenId>{-1, 'a', size, 1 << 30}, SpecialTokens::kParse),
            "a");
  EXPECT_EQ(tokenizer->Name(-1), "");
  EXPECT_EQ(tokenizer->Name(size), "");
  EXPECT_EQ(tokenizer->Name(size - 1), "<|end|>");
}

// Each would take minutes with a merge loop that scans; this takes a second or so.
TEST(BpeTokenizer, LongRunsComeBack) {
  const auto tokenizer = MakeBpe({.merges = {{"a", "a"}, {"aa", "aa"}, {" ", " "}, {"  ", "  "}},
                                  .pretokenizer = Pretokenizer::kQwen2});
  constexpr std::size_t kSize = 1 << 20;
  for (const char c : {'a', ' ', '\n', '.', '1', '\xFF'}) {
    const std::string text(kSize, c);
    EXPECT_EQ(
        tokenizer->Decode(tokenizer->Encode(text, SpecialTokens::kParse), SpecialTokens::kParse),
        text);
  }
  EXPECT_EQ(tokenizer->Encode(std::string(kSize, 'a'), SpecialTokens::kParse).size(), kSize / 4);
}

TEST(BpeTokenizer, PiecesBeyondTheLimitComeBack) {
  const auto tokenizer = MakeBpe({.merges = {{"a", "a"}}});
  const std::string text(SymbolChain::kMaxSize + 3, 'a');
  const auto tokens = tokenizer->Encode(text, SpecialTokens::kParse);
  EXPECT_EQ(tokens.size(), SymbolChain::kMaxSize / 2 + 2);
  EXPECT_EQ(tokenizer->Decode(tokens, SpecialTokens::kParse), text);
}

}  // namespace
}  // namespace espalier
