// Penalties: which tokens one sequence has seen, and what that does to its logits.
//
// For a token seen in the prompt or the output, with `count` of it in the output:
//   1. repetition (Keskar et al. 2019, CTRL, section 4.1): a positive logit is divided
//      by repetition_penalty, another multiplied by it;
//   2. logit -= frequency_penalty * count;
//   3. logit -= presence_penalty where count > 0.
// The last two look at the output only, as SGLang and OpenAI do.
//
// Thread safety: thread-compatible.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "runtime/engine/sampling_params.h"

namespace espalier {

class Penalties {
 public:
  // `params` outlives this object. Where it penalises nothing, nothing is counted.
  explicit Penalties(const SamplingParams& params);

  void AddPrompt(std::span<const TokenId> tokens);
  void AddOutput(TokenId token);

  // REQUIRES: every token added is below logits.size().
  void Apply(std::span<float> logits) const;

 private:
  const SamplingParams& params_;
  bool active_;
  std::unordered_map<TokenId, std::int32_t> counts_;  // in the output, of each token seen
};

}  // namespace espalier
