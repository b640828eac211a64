// Prompts tokenized piece by piece, against the whole text at once.
#include "runtime/local/prompt_pieces.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "runtime/local/model_file.h"
#include "runtime/tokenizer/load.h"
#include "tests/support/paths.h"

namespace espalier {
namespace {

std::shared_ptr<const Tokenizer> TokenizerOf(const std::string& model) {
  auto gguf = OpenModelFile(model);
  EXPECT_TRUE(gguf.ok()) << gguf.status().message();
  auto tokenizer = TokenizerFromGguf(**gguf);
  EXPECT_TRUE(tokenizer.ok()) << tokenizer.status().message();
  return *tokenizer;
}

// Fragments that merge, split and swallow at their ends.
std::string RandomText(std::mt19937& random, std::size_t num_fragments) {
  static constexpr std::string_view kFragments[] = {
      " ",     "  ",      "\n",           "\n\n",  " the", "word", "don't", "'",    "re",
      "s",     "1",       "2024",         "é",     "日本", "...",  "!?",    "-",    "<|im_start|>",
      "<|im_", "start|>", "<|im_end|>\n", " user", "\t",   "A",    "bc",    " 'll", "\r\n"};
  std::string text;
  for (std::size_t i = 0; i < num_fragments; ++i) {
    text += kFragments[random() % std::size(kFragments)];
  }
  return text;
}

void ExpectPiecesGiveTheWhole(const Tokenizer& tokenizer, unsigned seed) {
  std::mt19937 random(seed);
  for (int round = 0; round < 400; ++round) {
    Prompt prompt;
    std::string text;
    for (std::size_t piece = 0; piece <= random() % 8; ++piece) {
      const std::string more = RandomText(random, 1 + random() % 6);
      const Prompt sealed = prompt;  // shared, so that what follows is a piece of its own
      prompt.Append(more);
      text += more;
      if (random() % 2 == 0) continue;
      ASSERT_EQ(EncodePieces(tokenizer, prompt), EncodePrompt(tokenizer, text)) << text;
    }
    ASSERT_EQ(EncodePieces(tokenizer, prompt), EncodePrompt(tokenizer, text)) << text;
  }
}

TEST(PromptPiecesTest, GiveTheTokensOfTheWholeText) {
  ExpectPiecesGiveTheWhole(*TokenizerOf("tiny"), 1);
  ESP_NEEDS_MODEL();
  ExpectPiecesGiveTheWhole(*TokenizerOf(""), 2);
}

TEST(PromptPiecesTest, WhatWasGeneratedKeepsItsTokens) {
  ESP_NEEDS_MODEL();
  const auto tokenizer = TokenizerOf("");
  const auto tokens = [&](std::string_view text) { return EncodePrompt(*tokenizer, text); };
  std::vector<TokenId> odd = tokens("He");  // not as "Hello" is tokenized
  for (const TokenId token : tokens("llo")) odd.push_back(token);
  ASSERT_NE(odd, tokens("Hello"));
  Prompt prompt("Say it: ");
  prompt.AppendGenerated("Hello", odd);
  prompt.Append(" world");
  std::vector<TokenId> expected = tokens("Say it: ");
  expected.insert(expected.end(), odd.begin(), odd.end());
  for (const TokenId token : tokens(" world")) expected.push_back(token);
  EXPECT_EQ(EncodePieces(*tokenizer, prompt), expected);
}

TEST(PromptPiecesTest, AStopInsideATokenCutsIt) {
  ESP_NEEDS_MODEL();
  const auto tokenizer = TokenizerOf("");
  std::vector<TokenId> generated = EncodePrompt(*tokenizer, "one two");
  generated.push_back(*tokenizer->special().eos);
  Prompt prompt("Count: ");
  prompt.AppendGenerated("one tw", generated);  // "o" was the stop
  prompt.Append("enty");
  std::vector<TokenId> expected = EncodePrompt(*tokenizer, "Count: ");
  for (const TokenId token : EncodePrompt(*tokenizer, "one")) expected.push_back(token);
  for (const TokenId token : EncodePrompt(*tokenizer, " twenty")) expected.push_back(token);
  EXPECT_EQ(EncodePieces(*tokenizer, prompt), expected);
}

TEST(PromptPiecesTest, NothingIsTokenizedTwice) {
  class Counting final : public Tokenizer {
   public:
    explicit Counting(std::shared_ptr<const Tokenizer> tokenizer)
        : tokenizer_(std::move(tokenizer)) {}
    std::vector<TokenId> Encode(std::string_view text, SpecialTokens special) const override {
      num_bytes += text.size();
      return tokenizer_->Encode(text, special);
    }
    std::size_t StableCut(std::string_view text) const override {
      return tokenizer_->StableCut(text);
    }
    std::string Decode(std::span<const TokenId> tokens, SpecialTokens special) const override {
      return tokenizer_->Decode(tokens, special);
    }
    std::string_view Name(TokenId token) const override { return tokenizer_->Name(token); }
    const SpecialTokenIds& special() const override { return tokenizer_->special(); }
    std::shared_ptr<const Vocabulary> vocabulary() const override {
      return tokenizer_->vocabulary();
    }
    mutable std::size_t num_bytes = 0;

   private:
    const std::shared_ptr<const Tokenizer> tokenizer_;
  };
  ESP_NEEDS_MODEL();
  const Counting tokenizer(TokenizerOf(""));
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "some words ";
  const Prompt parent(text);
  for (int fork = 0; fork < 20; ++fork) {
    Prompt child = parent;
    child.Append("and then");
    EncodePieces(tokenizer, child);
  }
  EXPECT_LT(tokenizer.num_bytes, text.size() + 20 * 40);
}

TEST(PromptPiecesTest, BadTextIsNamedByItsPlace) {
  Prompt prompt("abc");
  const Prompt shared = prompt;
  prompt.Append("d\xFF");
  EXPECT_NE(CheckPieces(prompt, "gen").message().find("byte 4"), std::string::npos);
  EXPECT_TRUE(CheckPieces(shared, "gen").ok());
}

}  // namespace
}  // namespace espalier
