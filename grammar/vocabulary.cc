#include "grammar/vocabulary.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "grammar/split_cache.h"
#include "grammar/token_trie.h"
#include "grammar/vocabulary_slices.h"

namespace espalier {

namespace {

bool HasCodeByte(std::string_view bytes) {
  return std::ranges::any_of(
      bytes, [](char byte) { return static_cast<std::uint8_t>(byte) >= NamedTokens::kFirstDigit; });
}

}  // namespace

Vocabulary::Vocabulary(std::vector<std::string> bytes, std::vector<TokenId> end_tokens,
                       std::vector<NamedToken> special)
    : bytes_(std::move(bytes)),
      end_tokens_(std::move(end_tokens)),
      special_(Askable(std::move(special))),
      spellings_(Spellings()),
      splits_(std::make_unique<SplitCache>()) {}

Vocabulary::~Vocabulary() = default;

std::vector<NamedToken> Vocabulary::Askable(std::vector<NamedToken> special) const {
  std::erase_if(special, [this](const NamedToken& named) {
    const auto index = static_cast<std::size_t>(named.token);
    return index >= bytes_.size() || !bytes_[index].empty() || is_end_token(named.token) ||
           HasCodeByte(named.name);
  });
  return special;
}

std::vector<std::string_view> Vocabulary::Spellings() const {
  std::vector<std::string_view> spellings(bytes_.begin(), bytes_.end());
  for (std::string_view& spelling : spellings) {
    if (HasCodeByte(spelling)) spelling = {};
  }
  for (std::size_t i = 0; i < special_.tokens().size(); ++i) {
    spellings[static_cast<std::size_t>(special_.tokens()[i].token)] = special_.code(i);
  }
  return spellings;
}

bool Vocabulary::is_end_token(TokenId token) const {
  return std::find(end_tokens_.begin(), end_tokens_.end(), token) != end_tokens_.end();
}

const TokenTrie& Vocabulary::trie() const {
  std::call_once(trie_once_, [this] { trie_ = std::make_unique<const TokenTrie>(*this); });
  return *trie_;
}

const VocabularySlices& Vocabulary::slices() const {
  std::call_once(slices_once_,
                 [this] { slices_ = std::make_unique<const VocabularySlices>(*this); });
  return *slices_;
}

}  // namespace espalier
