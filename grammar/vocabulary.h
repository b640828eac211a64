// Vocabulary: what each token stands for, as bytes. The one thing that grammar/
// and the engine's stop checker know of a tokenizer.
//
// A token has bytes, which it adds to a text, and a spelling, which is what grammars read. The
// two differ only for special tokens: they have no bytes, and are spelled as codes that are
// in no text (named_tokens.h); and for tokens with bytes that are in no UTF-8 text: they have
// no spelling, so that they are never taken for codes.
//
// Thread safety: immutable; the trie and the slices are built by the first caller that
// wants them, and the others wait for it.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/named_tokens.h"
#include "kernels/base/types.h"

namespace espalier {

class SplitCache;
class TokenTrie;
class VocabularySlices;

class Vocabulary {
 public:
  // bytes[t]: the bytes that token t adds to a text; empty for control tokens. end_tokens:
  // those that end an output. special: the control tokens that grammars may ask for by name;
  // of them, those that have bytes, end an output, are out of range or whose name holds bytes
  // that are in no UTF-8 text are left out.
  Vocabulary(std::vector<std::string> bytes, std::vector<TokenId> end_tokens,
             std::vector<NamedToken> special = {});
  ~Vocabulary();
  Vocabulary(const Vocabulary&) = delete;
  Vocabulary& operator=(const Vocabulary&) = delete;

  std::size_t size() const { return bytes_.size(); }
  // REQUIRES: 0 <= token < size()
  std::string_view bytes(TokenId token) const { return bytes_[static_cast<std::size_t>(token)]; }
  // What grammars read; empty if none takes the token.
  std::string_view spelling(TokenId token) const {
    return spellings_[static_cast<std::size_t>(token)];
  }
  const NamedTokens& special() const { return special_; }
  const std::vector<TokenId>& end_tokens() const { return end_tokens_; }
  bool is_end_token(TokenId token) const;

  // The tokens that a grammar can match: all but end tokens and those without a spelling.
  const TokenTrie& trie() const;
  const VocabularySlices& slices() const;
  // What all grammars of this vocabulary learn of it.
  SplitCache& splits() const { return *splits_; }

 private:
  std::vector<NamedToken> Askable(std::vector<NamedToken> special) const;
  std::vector<std::string_view> Spellings() const;

  const std::vector<std::string> bytes_;
  const std::vector<TokenId> end_tokens_;
  const NamedTokens special_;
  const std::vector<std::string_view> spellings_;  // [tokens]
  mutable std::once_flag trie_once_;
  mutable std::unique_ptr<const TokenTrie> trie_;
  mutable std::once_flag slices_once_;
  mutable std::unique_ptr<const VocabularySlices> slices_;
  const std::unique_ptr<SplitCache> splits_;
};

}  // namespace espalier
