#include "grammar/vocabulary.h"

#include <algorithm>
#include <utility>

#include "grammar/split_cache.h"
#include "grammar/token_trie.h"
#include "grammar/vocabulary_slices.h"

namespace espalier {

Vocabulary::Vocabulary(std::vector<std::string> bytes, std::vector<TokenId> end_tokens)
    : bytes_(std::move(bytes)),
      end_tokens_(std::move(end_tokens)),
      splits_(std::make_unique<SplitCache>()) {}

Vocabulary::~Vocabulary() = default;

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
