// BpeEncoder: byte-level byte-pair encoding.
//
// A piece of text (see pretokenizer.h) starts as one token a byte; neighbours merge by
// the rank of their pair in the merge list, the lowest first, until none is left.
//
// A byte that the vocabulary lacks becomes the unknown token where the model has one
// for this, else nothing: so does the library the models are trained with. All else
// comes back from Decode as it was. A merge into a token without bytes (a control token)
// is left out: no text becomes structure. Pieces over 4 MiB are cut.
//
// Source: Sennrich et al. 2016 (BPE), Radford et al. 2019 (on bytes).
//
// Thread safety: immutable.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/base/status.h"
#include "runtime/tokenizer/pair_map.h"
#include "runtime/tokenizer/pretokenizer.h"
#include "runtime/tokenizer/symbol_chain.h"
#include "runtime/tokenizer/text_encoder.h"
#include "runtime/tokenizer/token_index.h"
#include "runtime/tokenizer/token_list.h"

namespace espalier {

// What a model file says of its BPE.
struct BpeRules {
  std::vector<std::pair<std::string_view, std::string_view>> merges;  // names; rank = place
  Pretokenizer pretokenizer = Pretokenizer::kWhole;
  bool ignore_merges = false;      // a piece that is a token becomes it, whatever the merges
  std::optional<TokenId> unknown;  // for bytes that the vocabulary lacks
};

class BpeEncoder final : public TextEncoder {
 public:
  // kDataLoss if a merge names what is no token. `tokens` must outlive the encoder.
  static Result<std::unique_ptr<BpeEncoder>> Create(const TokenList& tokens, const BpeRules& rules);

  void Encode(std::string_view text, std::vector<TokenId>& out) const override;
  bool CutsAtSpaces() const override { return pretokenizer_ != Pretokenizer::kWhole; }

 private:
  BpeEncoder(const TokenList& tokens, const BpeRules& rules);
  Status AddMerges(const TokenList& tokens, const TokenIndex& index, const BpeRules& rules);
  void IndexWholePieces(const TokenList& tokens);
  void EncodePiece(std::string_view piece, SymbolChain& chain, std::vector<TokenId>& out) const;

  Pretokenizer pretokenizer_;
  std::array<TokenId, 256> byte_tokens_;  // kNoToken: the byte adds nothing
  PairMap<Merge> merges_;
  std::optional<TokenIndex> whole_pieces_;  // bytes -> token; only with ignore_merges
};

}  // namespace espalier
