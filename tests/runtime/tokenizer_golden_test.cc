// Equal to the `tokenizers` package on the golden texts of the default model.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "runtime/tokenizer/load.h"
#include "tests/support/paths.h"

namespace espalier {
namespace {

std::shared_ptr<const Tokenizer> LoadDefault() {
  auto gguf = Gguf::Open(test::DefaultModelPath());
  EXPECT_TRUE(gguf.ok()) << gguf.status().message();
  auto tokenizer = TokenizerFromGguf(**gguf);
  EXPECT_TRUE(tokenizer.ok()) << tokenizer.status().message();
  return *tokenizer;
}

TEST(TokenizerGolden, EncodesAndDecodesAsTheReference) {
  ESP_NEEDS_MODEL();
  ESP_NEEDS_SHARED("golden/smollm2-135m/tokenize.jsonl");
  const auto tokenizer = LoadDefault();
  std::ifstream file(test::SharedPath("golden/smollm2-135m/tokenize.jsonl"));
  int num_lines = 0;
  for (std::string line; std::getline(file, line); ++num_lines) {
    const auto row = nlohmann::json::parse(line);
    const auto text = row["text"].get<std::string>();
    const auto ids = row["ids"].get<std::vector<TokenId>>();
    EXPECT_EQ(tokenizer->Encode(text, SpecialTokens::kParse), ids) << text;
    EXPECT_EQ(tokenizer->Decode(ids, SpecialTokens::kParse), row["decoded"]) << text;
  }
  EXPECT_EQ(num_lines, 50);
}

TEST(TokenizerGolden, DefaultModelHasItsRolesAndEndTokens) {
  ESP_NEEDS_MODEL();
  const auto tokenizer = LoadDefault();
  EXPECT_EQ(tokenizer->vocab_size(), 49152u);
  EXPECT_EQ(tokenizer->special().bos, 1);
  EXPECT_EQ(tokenizer->special().eos, 2);
  EXPECT_FALSE(tokenizer->special().add_bos);
  EXPECT_EQ(tokenizer->vocabulary()->end_tokens(), (std::vector<TokenId>{0, 2}));
  EXPECT_EQ(tokenizer->Name(2), "<|im_end|>");
  EXPECT_EQ(tokenizer->vocabulary()->bytes(2), "");
  EXPECT_EQ(tokenizer->Encode("<|im_end|>", SpecialTokens::kParse), std::vector<TokenId>{2});
  const auto as_text = tokenizer->Encode("<|im_end|>", SpecialTokens::kAsText);
  EXPECT_GT(as_text.size(), 1u);
  EXPECT_EQ(tokenizer->Decode(as_text, SpecialTokens::kAsText), "<|im_end|>");
}

}  // namespace
}  // namespace espalier
