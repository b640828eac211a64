#include "runtime/engine/speller.h"

#include <algorithm>
namespace espalier {
namespace {

// The last tokens of an output, from behind any token without bytes: that is a control
// token, and text does not merge with it.
std::span<const TokenId> TextTokens(std::span<const TokenId> tokens, const Vocabulary& vocabulary,
                                    std::size_t most) {
  std::size_t num = 0;
  while (num < std::min(most, tokens.size())) {
    const TokenId token = tokens[tokens.size() - 1 - num];
    if (vocabulary.is_end_token(token) || vocabulary.bytes(token).empty()) break;
    ++num;
  }
  return tokens.last(num);
}

// Where the last `size` bytes of `tokens` begin; nothing if inside a token.
std::optional<std::size_t> StartOfLast(std::size_t size, std::span<const TokenId> tokens,
                                       const Vocabulary& vocabulary) {
  std::size_t start = tokens.size();
  while (size > 0 && start > 0) {
    const std::size_t num_bytes = vocabulary.bytes(tokens[start - 1]).size();
    if (num_bytes == 0 || num_bytes > size) return std::nullopt;
    size -= num_bytes;
    --start;
  }
  return size == 0 ? std::optional(start) : std::nullopt;
}

std::string BytesOf(std::span<const TokenId> tokens, const Vocabulary& vocabulary) {
  std::string bytes;
  for (const TokenId token : tokens) bytes += vocabulary.bytes(token);
  return bytes;
}

// The text that `bytes` begin with, up to a code.
std::string_view FirstText(std::string_view bytes) {
  return bytes.substr(0, bytes.find(static_cast<char>(NamedTokens::kLead)));
}

}  // namespace

Speller::Speller(std::shared_ptr<const Tokenizer> tokenizer)
    : tokenizer_(std::move(tokenizer)), vocabulary_(tokenizer_->vocabulary()) {
  for (std::size_t i = 0; i < vocabulary_->size(); ++i) {
    const auto token = static_cast<TokenId>(i);
    const std::string_view bytes = vocabulary_->bytes(token);
    if (bytes.size() != 1 || bytes != vocabulary_->spelling(token)) continue;
    if (vocabulary_->is_end_token(token)) continue;
    std::optional<TokenId>& of_byte = byte_tokens_[static_cast<unsigned char>(bytes[0])];
    if (!of_byte) of_byte = token;
  }
  for (const std::optional<TokenId>& token : byte_tokens_) {
    if (token) least_tokens_.push_back(*token);
  }
  for (const NamedToken& special : vocabulary_->special().tokens()) {
    least_tokens_.push_back(special.token);
  }
}

std::optional<TokenId> Speller::FirstLeast(std::string_view bytes) const {
  if (bytes.empty()) return std::nullopt;
  if (const NamedToken* special = vocabulary_->special().FirstIn(bytes)) return special->token;
  return byte_tokens_[static_cast<unsigned char>(bytes.front())];
}

std::optional<std::vector<TokenId>> Speller::After(std::span<const TokenId> tokens,
                                                   std::string_view bytes) const {
  tokens = tokens.last(std::min(tokens.size(), kMostBefore));
  std::vector<TokenId> all(tokens.begin(), tokens.end());
  while (!bytes.empty()) {
    if (const NamedToken* special = vocabulary_->special().FirstIn(bytes)) {
      all.push_back(special->token);
      bytes.remove_prefix(vocabulary_->spelling(special->token).size());
      continue;
    }
    const std::string_view text = FirstText(bytes);
    if (text.empty()) break;
    const auto spelled = TextAfter(all, text);
    if (!spelled) return std::nullopt;
    all.insert(all.end(), spelled->begin(), spelled->end());
    bytes.remove_prefix(text.size());
  }
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(tokens.size()));
  return all;
}

std::optional<std::vector<TokenId>> Speller::TextAfter(std::span<const TokenId> tokens,
                                                       std::string_view text) const {
  const std::span<const TokenId> before = TextTokens(tokens, *vocabulary_, kMostBefore);
  const std::string whole = BytesOf(before, *vocabulary_) + std::string(text);
  const std::vector<TokenId> spelled = tokenizer_->Encode(whole, SpecialTokens::kAsText);
  const std::optional<std::size_t> start = StartOfLast(text.size(), spelled, *vocabulary_);
  const std::span<const TokenId> kept = before.last(std::min(before.size(), kMostKept));
  if (!start || *start < kept.size()) return std::nullopt;
  const auto seam = spelled.begin() + static_cast<std::ptrdiff_t>(*start);
  const auto kept_as = seam - static_cast<std::ptrdiff_t>(kept.size());
  if (!std::equal(kept.begin(), kept.end(), kept_as)) return std::nullopt;
  std::vector<TokenId> result(seam, spelled.end());
  if (BytesOf(result, *vocabulary_) != text) return std::nullopt;
  return result;
}

std::vector<TokenId> Speller::AfterAnyway(std::span<const TokenId> tokens,
                                          std::string_view bytes) const {
  if (auto spelled = After(tokens, bytes)) return *std::move(spelled);
  if (auto spelled = After({}, bytes)) return *std::move(spelled);
  std::vector<TokenId> spelled;
  while (!bytes.empty()) {
    const auto token = FirstLeast(bytes);
    if (token) spelled.push_back(*token);
    bytes.remove_prefix(token ? vocabulary_->spelling(*token).size() : 1);
  }
  return spelled;
}

}  // namespace espalier
