#include "runtime/tokenizer/bpe_encoder.h"

#include <string>

#include <fmt/format.h>
#include "kernels/base/utf8.h"
#include "runtime/tokenizer/byte_level.h"

namespace espalier {

BpeEncoder::BpeEncoder(const TokenList& tokens, const BpeRules& rules)
    : pretokenizer_(rules.pretokenizer), merges_(rules.merges.size()) {
  byte_tokens_.fill(rules.unknown.value_or(kNoToken));
  if (rules.ignore_merges) IndexWholePieces(tokens);
}

Result<std::unique_ptr<BpeEncoder>> BpeEncoder::Create(const TokenList& tokens,
                                                       const BpeRules& rules) {
  TokenIndex index(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto token = static_cast<TokenId>(i);
    if (!tokens.name(token).empty()) index.Add(tokens.name(token), token);
  }
  std::unique_ptr<BpeEncoder> encoder(new BpeEncoder(tokens, rules));
  for (int byte = 0; byte < 256; ++byte) {
    const auto token = index.Find(ByteLevelFromByte(static_cast<std::uint8_t>(byte)));
    if (token && !tokens.bytes(*token).empty()) encoder->byte_tokens_[byte] = *token;
  }
  ESP_RETURN_IF_ERROR(encoder->AddMerges(tokens, index, rules));
  return encoder;
}

Status BpeEncoder::AddMerges(const TokenList& tokens, const TokenIndex& index,
                             const BpeRules& rules) {
  std::string joined;
  for (std::size_t rank = 0; rank < rules.merges.size(); ++rank) {
    const auto [left_name, right_name] = rules.merges[rank];
    joined.assign(left_name).append(right_name);
    const std::optional<TokenId> left = index.Find(left_name);
    const std::optional<TokenId> right = index.Find(right_name);
    const std::optional<TokenId> token = index.Find(joined);
    if (!left || !right || !token) {
      const std::string_view missing = !left ? left_name : !right ? right_name : joined;
      return Status(Code::kDataLoss,
                    fmt::format("tokenizer: merge {} needs the token \"{}\", which the vocabulary "
                                "lacks",
                                rank, Printable(missing)));
    }
    if (tokens.bytes(*token).empty()) continue;  // text must not become a control token
    // Of equal pairs the last counts, as in the library that writes these files.
    merges_(*left, *right) = {.rank = static_cast<std::uint32_t>(rank), .token = *token};
  }
  return Status();
}

void BpeEncoder::IndexWholePieces(const TokenList& tokens) {
  whole_pieces_.emplace(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto token = static_cast<TokenId>(i);
    if (tokens.kind(token) == TokenKind::kNormal && !tokens.bytes(token).empty()) {
      whole_pieces_->Add(tokens.bytes(token), token);
    }
  }
}

void BpeEncoder::Encode(std::string_view text, std::vector<TokenId>& out) const {
  SymbolChain chain;
  for (std::size_t pos = 0; pos < text.size();) {
    const std::size_t end = PieceEnd(pretokenizer_, text, pos);
    for (; pos < end; pos += SymbolChain::kMaxSize) {
      EncodePiece(text.substr(pos, std::min(end - pos, SymbolChain::kMaxSize)), chain, out);
    }
    pos = end;
  }
}

void BpeEncoder::EncodePiece(std::string_view piece, SymbolChain& chain,
                             std::vector<TokenId>& out) const {
  if (whole_pieces_) {
    if (const std::optional<TokenId> token = whole_pieces_->Find(piece)) {
      out.push_back(*token);
      return;
    }
  }
  chain.Clear();
  for (std::uint32_t i = 0; i < piece.size(); ++i) {
    const TokenId token = byte_tokens_[static_cast<std::uint8_t>(piece[i])];
    if (token != kNoToken) chain.Append(token, i);
  }
  const auto size = static_cast<std::uint32_t>(piece.size());
  chain.MergeAll(size, [&](TokenId left, TokenId right, std::uint32_t, std::uint32_t) {
    const Merge* merge = merges_.Find(left, right);
    return merge == nullptr ? Merge() : *merge;
  });
  chain.ForEach(size, [&](TokenId token, std::uint32_t, std::uint32_t) { out.push_back(token); });
}

}  // namespace espalier
