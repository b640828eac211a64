#include "grammar/vocabulary_slices.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>

#include "grammar/vocabulary.h"
#include "kernels/base/utf8.h"

namespace espalier {
namespace {

bool IsPlainByte(char c) { return static_cast<std::uint8_t>(c) >= 0x20 && c != '"' && c != '\\'; }

// What `\s` of ECMA-262 matches beyond ASCII, U+2028 and U+2029 among it.
bool HasUnicodeSpace(std::string_view text) {
  constexpr std::string_view kSpaces[] = {"\xC2\xA0",     "\xE1\x9A\x80", "\xE2\x80\xA8",
                                          "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\x9F",
                                          "\xE3\x80\x80", "\xEF\xBB\xBF"};
  if (std::ranges::any_of(kSpaces, [&](auto space) { return text.find(space) != text.npos; })) {
    return true;
  }
  // U+2000 to U+200A
  for (std::size_t at = 0; (at = text.find("\xE2\x80", at)) != text.npos; ++at) {
    if (at + 2 < text.size() && static_cast<std::uint8_t>(text[at + 2]) <= 0x8A) return true;
  }
  return false;
}

// The number of code points of plain text; empty if `text` is not plain.
std::optional<std::size_t> PlainChars(std::string_view text) {
  if (!std::ranges::all_of(text, IsPlainByte) || HasUnicodeSpace(text)) return std::nullopt;
  if (ValidUtf8Prefix(text) != text.size()) return std::nullopt;
  return static_cast<std::size_t>(NumCodePoints(text));
}

bool IsShort(std::string_view bytes) { return bytes.size() <= VocabularySlices::kMaxShortBytes; }

// A mask of nothing.
std::vector<std::uint32_t> Words(const Vocabulary& vocabulary) {
  return std::vector<std::uint32_t>((vocabulary.size() + 31) / 32);
}

void SetBit(TokenId token, std::vector<std::uint32_t>* words) {
  (*words)[static_cast<std::size_t>(token) / 32] |= 1u << (token % 32);
}

template <typename Predicate>
std::vector<TokenId> TokensThat(const Vocabulary& vocabulary, Predicate predicate) {
  std::vector<TokenId> tokens;
  for (TokenId token : vocabulary.trie().tokens()) {
    if (predicate(vocabulary.spelling(token))) tokens.push_back(token);
  }
  return tokens;
}

}  // namespace

VocabularySlices::VocabularySlices(const Vocabulary& vocabulary)
    : plain_(kMaxChars + 1, Words(vocabulary)),
      rest_(vocabulary, TokensThat(vocabulary,
                                   [](std::string_view bytes) {
                                     return IsShort(bytes) && !PlainChars(bytes).has_value();
                                   })),
      long_tokens_(vocabulary, TokensThat(vocabulary, std::not_fn(IsShort))) {
  static_assert(kMaxShortBytes <= kMaxChars);
  for (TokenId token : vocabulary.trie().tokens()) {
    const std::optional<std::size_t> chars = PlainChars(vocabulary.spelling(token));
    if (!chars.has_value() || !IsShort(vocabulary.spelling(token))) continue;
    for (std::size_t n = *chars; n <= kMaxChars; ++n) SetBit(token, &plain_[n]);
  }
  NoteKinds(vocabulary);
}

ByteSet VocabularySlices::KindsOf(std::string_view bytes) {
  if (!PlainChars(bytes).has_value()) return ByteSet::Of(kNotPlain);
  ByteSet kinds;
  for (const char c : bytes)
    kinds |= ByteSet::Of(std::min(static_cast<std::uint8_t>(c), kBeyondAscii));
  return kinds;
}

void VocabularySlices::NoteKinds(const Vocabulary& vocabulary) {
  const TokenTrie& trie = vocabulary.trie();
  const auto nodes = trie.nodes();
  with_kind_.resize(kBeyondAscii + 1);
  for (std::size_t kind = 0; kind <= kBeyondAscii; ++kind) {
    if (PlainKinds().contains(static_cast<std::uint8_t>(kind)))
      with_kind_[kind] = Words(vocabulary);
  }
  kinds_below_.resize(nodes.size());
  for (std::size_t i = nodes.size(); i > 0; --i) {  // children stand behind their parents
    const TokenTrie::Node& node = nodes[i - 1];
    ByteSet& kinds = kinds_below_[i - 1];
    for (const TokenId token : trie.TokensAt(i - 1)) {
      if (!IsShort(vocabulary.spelling(token))) break;
      const ByteSet own = KindsOf(vocabulary.spelling(token));
      kinds |= own;
      for (std::size_t kind = 0x20; kind <= kBeyondAscii; ++kind) {
        if (own.contains(static_cast<std::uint8_t>(kind))) SetBit(token, &with_kind_[kind]);
      }
    }
    for (std::size_t child = i; child < node.subtree_end; child = nodes[child].subtree_end) {
      kinds |= kinds_below_[child];
    }
  }
}

void VocabularySlices::Remove(const ByteSet& kinds, std::span<std::uint32_t> words) const {
  for (std::size_t kind = 0; kind < with_kind_.size(); ++kind) {
    if (!kinds.contains(static_cast<std::uint8_t>(kind)) || with_kind_[kind].empty()) continue;
    for (std::size_t i = 0; i < words.size(); ++i) words[i] &= ~with_kind_[kind][i];
  }
}

}  // namespace espalier
