// SpmEncoder: SentencePiece BPE with byte fallback, as in Llama 2 and Mistral.
//
// A text, its spaces written as U+2581, starts as one symbol a character; neighbours
// whose joined text is a token merge by that token's score, the highest first. A
// character that is no token in the end becomes its bytes' tokens (<0x0A>), or the
// unknown token where the vocabulary has none for them.
//
// Decode gives the text back, after the space that add_space_prefix puts before each
// run of text; a literal U+2581 comes back as a space. Texts over 4 MiB are cut.
//
// Source: Kudo and Richardson 2018 (SentencePiece).
//
// Thread safety: immutable.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "kernels/base/status.h"
#include "runtime/tokenizer/symbol_chain.h"
#include "runtime/tokenizer/text_encoder.h"
#include "runtime/tokenizer/token_index.h"
#include "runtime/tokenizer/token_list.h"

namespace espalier {

// What a model file says of its SentencePiece BPE.
struct SpmRules {
  std::vector<float> scores;  // [num tokens]
  bool add_space_prefix = true;
};

class SpmEncoder final : public TextEncoder {
 public:
  // kDataLoss if scores are missing or not numbers. `tokens` must outlive the encoder.
  static Result<std::unique_ptr<SpmEncoder>> Create(const TokenList& tokens, const SpmRules& rules);

  void Encode(std::string_view text, std::vector<TokenId>& out) const override;

 private:
  SpmEncoder(const TokenList& tokens, const SpmRules& rules);
  void RankByScore(const std::vector<float>& scores);
  void EncodePiece(std::string_view piece, SymbolChain& chain, std::vector<TokenId>& out) const;
  Merge FindMerge(std::string_view joined) const;
  void AppendBytes(std::string_view bytes, std::vector<TokenId>& out) const;

  TokenIndex index_;                      // name -> token: normal and user-defined
  std::size_t max_name_size_ = 0;         // bytes
  std::vector<std::uint32_t> ranks_;      // [num tokens]; equal scores, equal ranks
  std::array<TokenId, 256> byte_tokens_;  // kNoToken: none
  std::optional<TokenId> unknown_;
  bool add_space_prefix_;
};

}  // namespace espalier
