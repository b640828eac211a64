// Loading from GGUF metadata: what is read, and that broken or unknown files are
// refused by naming what is wrong.
#include <gtest/gtest.h>

#include <functional>

#include "runtime/model/gguf_writer.h"
#include "runtime/tokenizer/load.h"
#include "tests/support/tokenizers.h"

namespace espalier {
namespace {

using ::testing::AssertionResult;

// What the writer is told; tests change one thing at a time.
struct Keys {
  std::string model = "gpt2";
  std::string pre = "gpt-2";
  std::vector<std::string> tokens = {"a", "b", "\u0120", "ab", "<x>", "<|im_end|>", "<u>"};
  std::vector<std::int32_t> types = {1, 1, 1, 1, 3, 1, 4};
  std::vector<std::string> merges = {"a b"};
  std::vector<float> scores;
  std::vector<std::pair<std::string, std::uint32_t>> ids = {{"eos", 4}};
  std::function<void(GgufWriter&)> more = [](GgufWriter&) {};
};

Result<std::shared_ptr<const Tokenizer>> Load(const Keys& keys) {
  GgufWriter writer;
  if (!keys.model.empty()) writer.SetString("tokenizer.ggml.model", keys.model);
  if (!keys.pre.empty()) writer.SetString("tokenizer.ggml.pre", keys.pre);
  writer.SetStrings("tokenizer.ggml.tokens", keys.tokens);
  if (!keys.types.empty()) writer.SetInts("tokenizer.ggml.token_type", keys.types);
  writer.SetStrings("tokenizer.ggml.merges", keys.merges);
  if (!keys.scores.empty()) writer.SetFloats("tokenizer.ggml.scores", keys.scores);
  for (const auto& [role, id] : keys.ids) {
    writer.SetInt("tokenizer.ggml." + role + "_token_id", id);
  }
  keys.more(writer);
  auto gguf = Gguf::FromMemory(writer.Finish());
  EXPECT_TRUE(gguf.ok()) << gguf.status().message();
  return TokenizerFromGguf(**gguf);
}

void ExpectRefused(const Keys& keys, Code code, const std::string& named) {
  const Status status = Load(keys).status();
  EXPECT_EQ(status.code(), code) << named << ": " << status.message();
  EXPECT_NE(status.message().find(named), std::string::npos)
      << "\"" << status.message() << "\" does not name " << named;
}

TEST(TokenizerFromGguf, ReadsABytePairVocabulary) {
  auto loaded = Load({});
  ASSERT_TRUE(loaded.ok()) << loaded.status().message();
  const Tokenizer& tokenizer = **loaded;
  EXPECT_EQ(tokenizer.Encode("ab a<x>", SpecialTokens::kParse), (std::vector<TokenId>{3, 2, 0, 4}));
  EXPECT_EQ(tokenizer.Name(2), " ");
  EXPECT_EQ(tokenizer.special().eos, 4);
  EXPECT_EQ(tokenizer.special().bos, std::nullopt);
  // <|im_end|> is of type normal in the file, and ends answers all the same.
  EXPECT_EQ(tokenizer.vocabulary()->end_tokens(), (std::vector<TokenId>{4, 5}));
  EXPECT_EQ(tokenizer.vocabulary()->bytes(5), "");
  EXPECT_EQ(tokenizer.Encode("<|im_end|>", SpecialTokens::kParse), std::vector<TokenId>{5});
}

TEST(TokenizerFromGguf, Llama3TakesWholePiecesAndWantsBos) {
  auto loaded = Load({.pre = "llama-bpe", .merges = {}, .ids = {{"bos", 4}}});
  ASSERT_TRUE(loaded.ok()) << loaded.status().message();
  EXPECT_EQ((*loaded)->Encode("ab", SpecialTokens::kParse), std::vector<TokenId>{3});
  EXPECT_TRUE((*loaded)->special().add_bos);
  auto without = Load({.pre = "llama-bpe", .ids = {{"bos", 4}}, .more = [](GgufWriter& w) {
                         w.SetBool("tokenizer.ggml.add_bos_token", false);
                       }});
  ASSERT_TRUE(without.ok());
  EXPECT_FALSE((*without)->special().add_bos);
}

TEST(TokenizerFromGguf, ReadsASentencePieceVocabulary) {
  auto loaded = Load({.model = "llama",
                      .pre = "",
                      .tokens = {"<unk>", "<s>", "</s>", "<0x0A>", "\u2581", "a", "\u2581a"},
                      .types = {2, 3, 3, 6, 1, 1, 1},
                      .scores = {0, 0, 0, 0, -1, -2, -3},
                      .ids = {}});
  ASSERT_TRUE(loaded.ok()) << loaded.status().message();
  EXPECT_EQ((*loaded)->Encode("a\n?", SpecialTokens::kParse), (std::vector<TokenId>{6, 3, 0}));
  EXPECT_EQ((*loaded)->special().bos, 1);
  EXPECT_EQ((*loaded)->vocabulary()->end_tokens(), std::vector<TokenId>{2});
  EXPECT_TRUE((*loaded)->special().add_bos);
}

TEST(TokenizerFromGguf, UnknownKindsAreRefusedByName) {
  ExpectRefused({.model = "bert"}, Code::kUnsupported, "bert");
  ExpectRefused({.model = ""}, Code::kDataLoss, "tokenizer.ggml.model");
  ExpectRefused({.pre = "tekken"}, Code::kUnsupported, "tekken");
  ExpectRefused({.pre = "default"}, Code::kUnsupported, "default");
  ExpectRefused({.pre = ""}, Code::kUnsupported, "tokenizer.ggml.pre");
}

TEST(TokenizerFromGguf, BrokenVocabulariesAreRefused) {
  ExpectRefused({.tokens = {}, .types = {}, .merges = {}, .ids = {}}, Code::kDataLoss, "empty");
  ExpectRefused({.types = {1, 1}}, Code::kDataLoss, "token_type");
  ExpectRefused({.types = {1, 1, 1, 1, 3, 1, 7}}, Code::kDataLoss, "token_type");
  ExpectRefused({.types = {1, 1, 1, 1, 3, 1, -1}}, Code::kDataLoss, "token_type");
  ExpectRefused({.types = {1, 1, 1, 1, 3, 1, 6}}, Code::kDataLoss, "token 6");
  ExpectRefused({.tokens = {"a", "b", "a", "ab", "<x>", "", ""}}, Code::kDataLoss, "0 and 2");
  ExpectRefused({.ids = {{"eos", 7}}}, Code::kDataLoss, "eos_token_id");
  ExpectRefused({.ids = {{"bos", 0xFFFFFFFF}}}, Code::kDataLoss, "bos_token_id");
}

TEST(TokenizerFromGguf, BrokenMergesAreRefused) {
  ExpectRefused({.merges = {"a b", "ab"}}, Code::kDataLoss, "merges");
  ExpectRefused({.merges = {"a z"}}, Code::kDataLoss, "\"z\"");
  ExpectRefused({.merges = {"b a"}}, Code::kDataLoss, "\"ba\"");
  ExpectRefused({.merges = {" a"}}, Code::kDataLoss, "merge 0");
  ExpectRefused({.merges = {"a \xFF\xFE"}}, Code::kDataLoss, "\uFFFD\uFFFD");
}

TEST(TokenizerFromGguf, BrokenScoresAreRefused) {
  Keys keys{.model = "llama", .pre = "", .ids = {}};
  ExpectRefused(keys, Code::kDataLoss, "scores");
  keys.scores = {1, 2};
  ExpectRefused(keys, Code::kDataLoss, "2 scores");
}

TEST(TokenizerFromGguf, OddTokensAreKeptWithoutHarm) {
  // Not UTF-8, not in the byte-level alphabet, empty, of no type.
  auto loaded = Load({.tokens = {"a", "\xFF\xC3", "two words", "", "x", "", "b"},
                      .types = {1, 1, 1, 1, 0, 5, 1},
                      .merges = {}});
  ASSERT_TRUE(loaded.ok()) << loaded.status().message();
  const Tokenizer& tokenizer = **loaded;
  EXPECT_EQ(tokenizer.vocabulary()->bytes(1), "\xFF\xC3");
  EXPECT_EQ(tokenizer.vocabulary()->bytes(2), "two words");
  EXPECT_EQ(tokenizer.vocabulary()->bytes(3), "");
  EXPECT_EQ(tokenizer.vocabulary()->bytes(4), "");
  // x and what else has no token of its byte add nothing.
  EXPECT_EQ(tokenizer.Encode("axb?", SpecialTokens::kParse), (std::vector<TokenId>{0, 6}));
}

}  // namespace
}  // namespace espalier
