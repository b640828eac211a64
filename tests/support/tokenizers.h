// Small tokenizers made in memory, for tests that need no file.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/base/check.h"
#include "runtime/tokenizer/build.h"
#include "runtime/tokenizer/byte_level.h"

namespace espalier::test {

inline std::string ByteLevelText(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += ByteLevelFromByte(static_cast<std::uint8_t>(c));
  return text;
}

inline void AddToken(std::string name, TokenKind kind, TokenizerSource& source) {
  source.names.push_back(std::move(name));
  source.kinds.push_back(kind);
}

// Merges of bytes, in rank order.
using ByteMerges = std::vector<std::pair<std::string, std::string>>;

struct SmallBpe {
  ByteMerges merges;
  Pretokenizer pretokenizer = Pretokenizer::kWhole;
  bool ignore_merges = false;
  Normalizer normalizer = Normalizer::kNone;
  std::vector<std::string> control = {"<|end|>"};
  std::vector<std::string> user_defined;
};

// Tokens: byte b is b; 256 + i what merge i gives (where new); then the control and the
// user-defined tokens.
inline std::shared_ptr<const Tokenizer> MakeBpe(const SmallBpe& small) {
  TokenizerSource source{.normalizer = small.normalizer};
  for (int byte = 0; byte < 256; ++byte) {
    AddToken(ByteLevelFromByte(static_cast<std::uint8_t>(byte)), TokenKind::kNormal, source);
  }
  std::vector<std::pair<std::string, std::string>> names;
  for (const auto& [left, right] : small.merges) {
    names.emplace_back(ByteLevelText(left), ByteLevelText(right));
    const std::string joined = names.back().first + names.back().second;
    if (std::find(source.names.begin(), source.names.end(), joined) == source.names.end()) {
      AddToken(joined, TokenKind::kNormal, source);
    }
  }
  for (const std::string& name : small.control) AddToken(name, TokenKind::kControl, source);
  for (const std::string& name : small.user_defined) {
    AddToken(name, TokenKind::kUserDefined, source);
  }
  source.added = AddedTokensByKind(source);
  BpeRules rules{.pretokenizer = small.pretokenizer, .ignore_merges = small.ignore_merges};
  for (const auto& [left, right] : names) rules.merges.emplace_back(left, right);
  auto tokenizer = BuildBpeTokenizer(std::move(source), rules);
  ESP_CHECK(tokenizer.ok()) << tokenizer.status().message();
  return *tokenizer;
}

struct SmallSpm {
  std::vector<std::pair<std::string, float>> pieces;  // text with U+2581, score
  bool add_space_prefix = true;
  bool byte_fallback = true;
};

inline std::string ByteName(int byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  return std::string("<0x") + kDigits[byte >> 4] + kDigits[byte & 15] + ">";
}

// Tokens: 0 <unk>, 1 <s>, 2 </s>, 3 + b byte b (with byte fallback), then the pieces.
inline std::shared_ptr<const Tokenizer> MakeSpm(const SmallSpm& small) {
  TokenizerSource source;
  AddToken("<unk>", TokenKind::kUnknown, source);
  AddToken("<s>", TokenKind::kControl, source);
  AddToken("</s>", TokenKind::kControl, source);
  source.special = {.bos = 1, .eos = 2, .unknown = 0, .add_bos = true};
  for (int byte = 0; small.byte_fallback && byte < 256; ++byte) {
    AddToken(ByteName(byte), TokenKind::kByte, source);
  }
  SpmRules rules{.scores = std::vector<float>(source.names.size(), 0.0f),
                 .add_space_prefix = small.add_space_prefix};
  for (const auto& [text, score] : small.pieces) {
    AddToken(text, TokenKind::kNormal, source);
    rules.scores.push_back(score);
  }
  source.added = AddedTokensByKind(source);
  auto tokenizer = BuildSpmTokenizer(std::move(source), rules);
  ESP_CHECK(tokenizer.ok()) << tokenizer.status().message();
  return *tokenizer;
}

}  // namespace espalier::test
