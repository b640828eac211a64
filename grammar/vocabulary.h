// Vocabulary: what each token stands for, as bytes. The one thing that grammar/
// and the engine's stop checker know of a tokenizer.
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

#include "kernels/base/types.h"

namespace espalier {

class SplitCache;
class TokenTrie;
class VocabularySlices;

class Vocabulary {
 public:
  // bytes[t]: the bytes that token t adds to a text; empty for control tokens,
  // which no grammar matches. end_tokens: those that end an output.
  Vocabulary(std::vector<std::string> bytes, std::vector<TokenId> end_tokens);
  ~Vocabulary();
  Vocabulary(const Vocabulary&) = delete;
  Vocabulary& operator=(const Vocabulary&) = delete;

  std::size_t size() const { return bytes_.size(); }
  // REQUIRES: 0 <= token < size()
  std::string_view bytes(TokenId token) const { return bytes_[static_cast<std::size_t>(token)]; }
  const std::vector<TokenId>& end_tokens() const { return end_tokens_; }
  bool is_end_token(TokenId token) const;

  // The tokens that a grammar can match: all but end tokens and those without bytes.
  const TokenTrie& trie() const;
  const VocabularySlices& slices() const;
  // What all grammars of this vocabulary learn of it.
  SplitCache& splits() const { return *splits_; }

 private:
  const std::vector<std::string> bytes_;
  const std::vector<TokenId> end_tokens_;
  mutable std::once_flag trie_once_;
  mutable std::unique_ptr<const TokenTrie> trie_;
  mutable std::once_flag slices_once_;
  mutable std::unique_ptr<const VocabularySlices> slices_;
  const std::unique_ptr<SplitCache> splits_;
};

}  // namespace espalier
