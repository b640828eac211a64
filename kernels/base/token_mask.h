// TokenMask: which tokens may come next. Bit i of the mask is set iff token i
// is allowed. grammar/ fills masks, kernels/ applies them to logits; this is
// the one layout both agree on.
//
// Thread safety: thread-compatible.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/base/check.h"
#include "kernels/base/types.h"

namespace espalier {

class TokenMask {
 public:
  explicit TokenMask(std::size_t vocab_size)
      : vocab_size_(vocab_size), words_((vocab_size + 31) / 32, 0) {}

  // Allows nothing.
  void Clear() { std::fill(words_.begin(), words_.end(), 0u); }

  void Allow(TokenId token) {
    ESP_DCHECK(token >= 0 && static_cast<std::size_t>(token) < vocab_size_);
    words_[static_cast<std::size_t>(token) / 32] |= 1u << (token % 32);
  }
  // Allows the tokens of `words`, laid out as words(). REQUIRES: no more words than that.
  void Allow(std::span<const std::uint32_t> words) {
    ESP_DCHECK(words.size() <= words_.size());
    for (std::size_t i = 0; i < words.size(); ++i) words_[i] |= words[i];
  }
  bool Allows(TokenId token) const {
    ESP_DCHECK(token >= 0 && static_cast<std::size_t>(token) < vocab_size_);
    return ((words_[static_cast<std::size_t>(token) / 32] >> (token % 32)) & 1u) != 0;
  }

  // Word w holds tokens 32w .. 32w + 31, lowest bit first; bits past vocab_size are zero.
  std::span<const std::uint32_t> words() const { return words_; }
  std::size_t vocab_size() const { return vocab_size_; }

 private:
  std::size_t vocab_size_;
  std::vector<std::uint32_t> words_;
};

}  // namespace espalier
