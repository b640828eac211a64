// NextTokens: what one row of logits says about the next token, in double.
//
// Thread safety: thread-compatible.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/base/types.h"

namespace espalier {

class NextTokens {
 public:
  // REQUIRES: logits is not empty. Keeps the memory of earlier calls.
  void Set(std::span<const float> logits);

  double logprob(TokenId token) const { return logprobs_[static_cast<std::size_t>(token)]; }
  double Entropy() const;  // nats

  // The `count` likeliest tokens, ties by lower id; valid until the next call.
  std::span<const TokenId> Top(std::size_t count);

 private:
  std::vector<double> logprobs_;  // [vocab_size]
  std::vector<TokenId> order_;    // scratch of Top
};

}  // namespace espalier
