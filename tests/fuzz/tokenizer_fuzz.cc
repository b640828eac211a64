// Any bytes through every tokenizer: what goes in must come out, in whole
// characters, and through the detokenizer in pieces as through it at once.
#include <cstdint>
#include <string_view>

#include "kernels/base/check.h"
#include "runtime/tokenizer/detokenizer.h"
#include "tests/support/tokenizers.h"

namespace espalier {
namespace {

using Made = std::vector<std::shared_ptr<const Tokenizer>>;

const Made& BytePairTokenizers() {
  static const Made made = [] {
    Made all;
    for (const auto pretokenizer :
         {Pretokenizer::kWhole, Pretokenizer::kGpt2, Pretokenizer::kSmollm, Pretokenizer::kLlama3,
          Pretokenizer::kQwen2}) {
      all.push_back(test::MakeBpe({.merges = {{" ", " "}, {"a", "b"}, {"ab", "ab"}, {" ", "ab"}},
                                   .pretokenizer = pretokenizer,
                                   .ignore_merges = pretokenizer == Pretokenizer::kLlama3,
                                   .user_defined = {"<t>", "<tt>", "\n\n"}}));
    }
    return all;
  }();
  return made;
}

void CheckBytePairs(std::string_view text) {
  for (const auto& tokenizer : BytePairTokenizers()) {
    for (const auto special : {SpecialTokens::kParse, SpecialTokens::kAsText}) {
      ESP_CHECK(tokenizer->Decode(tokenizer->Encode(text, special), special) == text);
    }
  }
}

void CheckSentencePiece(std::string_view text) {
  static const auto tokenizer =
      test::MakeSpm({.pieces = {{"\u2581", -1}, {"ab", -2}, {"\u2581ab", -3}, {"abab", -4}},
                     .add_space_prefix = false});
  if (text.find("\u2581") != std::string_view::npos) return;
  const auto special = SpecialTokens::kAsText;
  ESP_CHECK(tokenizer->Decode(tokenizer->Encode(text, special), special) == text);
}

void CheckNormalizing(std::string_view text) {
  static const auto tokenizer =
      test::MakeBpe({.pretokenizer = Pretokenizer::kQwen2, .normalizer = Normalizer::kNfc});
  const auto special = SpecialTokens::kParse;
  const std::string once = tokenizer->Decode(tokenizer->Encode(text, special), special);
  ESP_CHECK(tokenizer->Decode(tokenizer->Encode(once, special), special) == once);
}

void CheckDetokenizer(std::string_view text) {
  Detokenizer whole;
  std::string expected = whole.Feed(text);
  expected += whole.Finish();
  Detokenizer bytewise;
  std::string joined;
  for (const char c : text) joined += bytewise.Feed({&c, 1});
  joined += bytewise.Finish();
  ESP_CHECK(joined == expected);
}

}  // namespace
}  // namespace espalier

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  espalier::CheckBytePairs(text);
  espalier::CheckSentencePiece(text);
  espalier::CheckNormalizing(text);
  espalier::CheckDetokenizer(text);
  return 0;
}
