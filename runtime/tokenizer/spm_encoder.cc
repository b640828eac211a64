#include "runtime/tokenizer/spm_encoder.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include <fmt/format.h>
#include "kernels/base/utf8.h"

namespace espalier {
namespace {

constexpr std::string_view kSpaceMark = "\xE2\x96\x81";  // U+2581

std::string MarkSpaces(std::string_view text) {
  std::string marked;
  marked.reserve(text.size());
  for (const char c : text) {
    if (c == ' ') {
      marked.append(kSpaceMark);
    } else {
      marked.push_back(c);
    }
  }
  return marked;
}

}  // namespace

SpmEncoder::SpmEncoder(const TokenList& tokens, const SpmRules& rules)
    : index_(tokens.size()),
      unknown_(tokens.special().unknown),
      add_space_prefix_(rules.add_space_prefix) {
  byte_tokens_.fill(kNoToken);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto token = static_cast<TokenId>(i);
    const std::string& name = tokens.name(token);
    const TokenKind kind = tokens.kind(token);
    if (kind == TokenKind::kByte) {
      byte_tokens_[static_cast<std::uint8_t>(tokens.bytes(token).front())] = token;
    } else if (!name.empty() && (kind == TokenKind::kNormal || kind == TokenKind::kUserDefined)) {
      index_.Add(name, token);
      max_name_size_ = std::max(max_name_size_, name.size());
    }
  }
  RankByScore(rules.scores);
}

Result<std::unique_ptr<SpmEncoder>> SpmEncoder::Create(const TokenList& tokens,
                                                       const SpmRules& rules) {
  if (rules.scores.size() != tokens.size()) {
    return Status(Code::kDataLoss, fmt::format("tokenizer: {} scores for {} tokens",
                                               rules.scores.size(), tokens.size()));
  }
  for (std::size_t i = 0; i < rules.scores.size(); ++i) {
    if (std::isnan(rules.scores[i])) {
      return Status(Code::kDataLoss, fmt::format("tokenizer: the score of token {} is NaN", i));
    }
  }
  return std::unique_ptr<SpmEncoder>(new SpmEncoder(tokens, rules));
}

void SpmEncoder::RankByScore(const std::vector<float>& scores) {
  std::vector<std::uint32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return scores[a] > scores[b]; });
  ranks_.resize(scores.size());
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && scores[order[i]] != scores[order[i - 1]]) ++rank;
    ranks_[order[i]] = rank;
  }
}

void SpmEncoder::Encode(std::string_view text, std::vector<TokenId>& out) const {
  if (text.empty()) return;
  std::string marked;
  if (add_space_prefix_) marked = kSpaceMark;
  marked += MarkSpaces(text);
  SymbolChain chain;
  const std::string_view all = marked;
  for (std::size_t pos = 0; pos < all.size(); pos += SymbolChain::kMaxSize) {
    EncodePiece(all.substr(pos, SymbolChain::kMaxSize), chain, out);
  }
}

void SpmEncoder::EncodePiece(std::string_view piece, SymbolChain& chain,
                             std::vector<TokenId>& out) const {
  chain.Clear();
  for (std::uint32_t pos = 0; pos < piece.size();) {
    const std::uint8_t size = ReadUtf8(piece, pos).size;
    chain.Append(index_.Find(piece.substr(pos, size)).value_or(kNoToken), pos);
    pos += size;
  }
  const auto size = static_cast<std::uint32_t>(piece.size());
  chain.MergeAll(size, [&](TokenId, TokenId, std::uint32_t start, std::uint32_t end) {
    return FindMerge(piece.substr(start, end - start));
  });
  chain.ForEach(size, [&](TokenId token, std::uint32_t start, std::uint32_t end) {
    if (token != kNoToken) {
      out.push_back(token);
    } else {
      AppendBytes(piece.substr(start, end - start), out);
    }
  });
}

Merge SpmEncoder::FindMerge(std::string_view joined) const {
  if (joined.size() > max_name_size_) return {};
  const std::optional<TokenId> token = index_.Find(joined);
  if (!token) return {};
  return {.rank = ranks_[static_cast<std::size_t>(*token)], .token = *token};
}

void SpmEncoder::AppendBytes(std::string_view bytes, std::vector<TokenId>& out) const {
  const bool has_all = std::all_of(bytes.begin(), bytes.end(), [&](char c) {
    return byte_tokens_[static_cast<std::uint8_t>(c)] != kNoToken;
  });
  if (has_all) {
    for (const char c : bytes) out.push_back(byte_tokens_[static_cast<std::uint8_t>(c)]);
  } else if (unknown_) {
    out.push_back(*unknown_);
  }
}

}  // namespace espalier
