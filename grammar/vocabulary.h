// Vocabulary: what each token stands for, as bytes. The one thing that grammar/
// and the engine's stop checker know of a tokenizer.
//
// Thread safety: immutable.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/types.h"

namespace espalier {

class Vocabulary {
 public:
  // bytes[t]: the bytes that token t adds to a text; empty for control tokens,
  // which no grammar matches. end_tokens: those that end an output.
  Vocabulary(std::vector<std::string> bytes, std::vector<TokenId> end_tokens)
      : bytes_(std::move(bytes)), end_tokens_(std::move(end_tokens)) {}

  std::size_t size() const { return bytes_.size(); }
  // REQUIRES: 0 <= token < size()
  std::string_view bytes(TokenId token) const { return bytes_[static_cast<std::size_t>(token)]; }
  const std::vector<TokenId>& end_tokens() const { return end_tokens_; }

 private:
  std::vector<std::string> bytes_;
  std::vector<TokenId> end_tokens_;
};

}  // namespace espalier
