// Loading a tokenizer.json: the forms that files use, and what is refused.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "runtime/tokenizer/load.h"
#include "tests/support/paths.h"
#include "tests/support/tokenizers.h"

namespace espalier {
namespace {

using nlohmann::json;

// A complete file; tests change one thing at a time.
json Minimal() {
  json file = json::parse(R"({
    "added_tokens": [{"id": 4, "content": "<x>", "special": true, "normalized": false}],
    "normalizer": null,
    "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false},
    "post_processor": {"type": "ByteLevel"},
    "decoder": {"type": "ByteLevel"},
    "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}
  })");
  file["model"]["vocab"]["\u0120"] = 3;
  return file;
}

std::shared_ptr<const Tokenizer> MustLoad(const json& file) {
  auto tokenizer = TokenizerFromJson(file.dump());
  EXPECT_TRUE(tokenizer.ok()) << tokenizer.status().message();
  return tokenizer.ok() ? *tokenizer : nullptr;
}

std::vector<TokenId> Encode(const json& file, std::string_view text) {
  const auto tokenizer = MustLoad(file);
  return tokenizer ? tokenizer->Encode(text, SpecialTokens::kParse) : std::vector<TokenId>();
}

// `pointer` set to `value` makes the file refused, by a message with `named` in it.
void ExpectRefused(const char* pointer, const json& value, Code code, const std::string& named) {
  json file = Minimal();
  file[json::json_pointer(pointer)] = value;
  const Status status = TokenizerFromJson(file.dump()).status();
  EXPECT_EQ(status.code(), code) << pointer << ": " << status.message();
  EXPECT_NE(status.message().find(named), std::string::npos)
      << pointer << ": \"" << status.message() << "\" does not name " << named;
}

TEST(TokenizerFromJson, ReadsBothFormsOfMerges) {
  EXPECT_EQ(Encode(Minimal(), "ab a<x>"), (std::vector<TokenId>{2, 3, 0, 4}));
  json pairs = Minimal();
  pairs["model"]["merges"] = json::array({json::array({"a", "b"})});
  EXPECT_EQ(Encode(pairs, "ab a<x>"), (std::vector<TokenId>{2, 3, 0, 4}));
}

TEST(TokenizerFromJson, NoMergeMakesAControlTokenOfText) {
  json file = Minimal();
  file["added_tokens"].push_back({{"id", 2}, {"content", "ab"}, {"special", true}});
  const auto tokenizer = MustLoad(file);
  EXPECT_EQ(tokenizer->Encode("ab", SpecialTokens::kParse), (std::vector<TokenId>{2}));
  EXPECT_EQ(tokenizer->Encode("ab", SpecialTokens::kAsText), (std::vector<TokenId>{0, 1}));
}

TEST(TokenizerFromJson, GapsBetweenIdsAreUnusedTokens) {
  json file = Minimal();
  file["added_tokens"][0]["id"] = 9;
  const auto tokenizer = MustLoad(file);
  EXPECT_EQ(tokenizer->vocab_size(), 10u);
  EXPECT_EQ(tokenizer->vocabulary()->bytes(7), "");
}

TEST(TokenizerFromJson, NormalizedTokensAreFoundAfterTheNormalizer) {
  json file = Minimal();
  file["normalizer"] = {{"type", "NFC"}};
  file["added_tokens"][0] = {{"id", 4}, {"content", "e\u0301"}, {"normalized", true}};
  file["added_tokens"][1] = {{"id", 5}, {"content", "o\u0301"}, {"normalized", false}};
  EXPECT_EQ(Encode(file, "a\u00E9e\u0301o\u0301\u00F3"), (std::vector<TokenId>{0, 4, 4, 5}));
}

TEST(TokenizerFromJson, AddedTokensKeepTheirFlags) {
  json file = Minimal();
  file["added_tokens"][0]["lstrip"] = true;
  file["added_tokens"][0]["single_word"] = true;
  EXPECT_EQ(Encode(file, "a  <x> a"), (std::vector<TokenId>{0, 4, 3, 0}));
  EXPECT_EQ(Encode(file, "<x>a"), (std::vector<TokenId>{0}));
}

TEST(TokenizerFromJson, TheTemplateNamesBosAndEos) {
  json file = Minimal();
  file["post_processor"] = json::parse(R"({"type": "Sequence", "processors": [
    {"type": "ByteLevel"},
    {"type": "TemplateProcessing", "single": [
      {"SpecialToken": {"id": "<x>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}]}]})");
  const auto tokenizer = MustLoad(file);
  EXPECT_EQ(tokenizer->special().bos, 4);
  EXPECT_TRUE(tokenizer->special().add_bos);
  EXPECT_EQ(tokenizer->special().eos, std::nullopt);
  file["post_processor"]["processors"][1]["single"][0]["SpecialToken"]["id"] = "<y>";
  EXPECT_EQ(TokenizerFromJson(file.dump()).status().code(), Code::kDataLoss);
}

TEST(TokenizerFromJson, WhatIsNotImplementedIsRefusedByName) {
  ExpectRefused("/model/type", "Unigram", Code::kUnsupported, "Unigram");
  ExpectRefused("/model/byte_fallback", true, Code::kUnsupported, "byte_fallback");
  ExpectRefused("/model/dropout", 0.1, Code::kUnsupported, "dropout");
  ExpectRefused("/model/end_of_word_suffix", "</w>", Code::kUnsupported, "end_of_word_suffix");
  ExpectRefused("/normalizer", {{"type", "NFKC"}}, Code::kUnsupported, "NFKC");
  ExpectRefused("/decoder", {{"type", "WordPiece"}}, Code::kUnsupported, "WordPiece");
  ExpectRefused("/post_processor", {{"type", "BertProcessing"}}, Code::kUnsupported, "Bert");
  ExpectRefused("/pre_tokenizer", nullptr, Code::kUnsupported, "pre_tokenizer");
  ExpectRefused("/pre_tokenizer", {{"type", "Metaspace"}}, Code::kUnsupported, "Metaspace");
  ExpectRefused("/pre_tokenizer/add_prefix_space", true, Code::kUnsupported, "add_prefix_space");
  ExpectRefused("/pre_tokenizer", json::parse(R"({"type": "Split", "pattern": {"Regex": "\\w+"}})"),
                Code::kUnsupported, "\\w+");
}

TEST(TokenizerFromJson, BrokenFilesAreRefused) {
  EXPECT_EQ(TokenizerFromJson("").status().code(), Code::kDataLoss);
  EXPECT_EQ(TokenizerFromJson("[]").status().code(), Code::kDataLoss);
  EXPECT_EQ(TokenizerFromJson("{\"model\": \xFF}").status().code(), Code::kDataLoss);
  EXPECT_EQ(TokenizerFromJson(std::string(1 << 20, '[')).status().code(), Code::kDataLoss);
  ExpectRefused("/model", 3, Code::kDataLoss, "model");
  ExpectRefused("/model/vocab", json::array(), Code::kDataLoss, "model/vocab");
  ExpectRefused("/model/vocab/a", -1, Code::kDataLoss, "id");
  ExpectRefused("/model/vocab/a", 1.5, Code::kDataLoss, "id");
  ExpectRefused("/model/vocab/a", 1e300, Code::kDataLoss, "id");
  ExpectRefused("/model/vocab/a", 2000000000, Code::kDataLoss, "id");
  ExpectRefused("/model/vocab/a", 18446744073709551615u, Code::kDataLoss, "id");
  ExpectRefused("/model/vocab/a", 1, Code::kDataLoss, "id 1");
  ExpectRefused("/model/merges", "a b", Code::kDataLoss, "model/merges");
  ExpectRefused("/model/merges/0", "ab", Code::kDataLoss, "model/merges/0");
  ExpectRefused("/model/merges/0", "a z", Code::kDataLoss, "\"z\"");
  ExpectRefused("/model/ignore_merges", 1, Code::kDataLoss, "ignore_merges");
  ExpectRefused("/model/unk_token", "<unk>", Code::kDataLoss, "<unk>");
  ExpectRefused("/added_tokens/0/id", 0, Code::kDataLoss, "id 0");
  ExpectRefused("/added_tokens/0/content", "a", Code::kDataLoss, "same text");
  ExpectRefused("/added_tokens/0", 7, Code::kDataLoss, "id");
}

// Ids made by the `tokenizers` package; tests/conformance/tokenizer.py makes many more.
TEST(TokenizerFromJson, Qwen3EqualsTheReference) {
  ESP_NEEDS_SHARED("data/tokenizers/qwen3/tokenizer.json");
  std::ifstream file(test::SharedPath("data/tokenizers/qwen3/tokenizer.json"));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  auto loaded = TokenizerFromJson(text);
  ASSERT_TRUE(loaded.ok()) << loaded.status().message();
  const Tokenizer& qwen = **loaded;
  EXPECT_EQ(qwen.vocab_size(), 151669u);
  EXPECT_EQ(qwen.vocabulary()->end_tokens(), (std::vector<TokenId>{151643, 151645}));
  const std::vector<std::pair<std::string, std::vector<TokenId>>> golden = {
      {"Hello, world!", {9707, 11, 1879, 0}},
      {"I'LL pay 1234 \u20AC\n\n  now",
       {40, 6, 4086, 2291, 220, 16, 17, 18, 19, 12984, 271, 220, 1431}},
      {"<|im_start|>user\ne\u0301<think>\u4F60\u597D<|im_end|>",
       {151644, 872, 198, 963, 151667, 108386, 151645}},
      {"\U0001F642\uD55C\u1112\u1161\u11AB \t x", {145080, 23573, 23573, 7018, 856}},
  };
  for (const auto& [input, ids] : golden) {
    EXPECT_EQ(qwen.Encode(input, SpecialTokens::kParse), ids) << input;
  }
}

}  // namespace
}  // namespace espalier
