#include "runtime/engine/penalties.h"

#include <algorithm>
#include <limits>

namespace espalier {

Penalties::Penalties(const SamplingParams& params)
    : params_(params),
      active_(params.repetition_penalty != 1.0f || params.frequency_penalty != 0.0f ||
              params.presence_penalty != 0.0f) {}

void Penalties::AddPrompt(std::span<const TokenId> tokens) {
  if (params_.repetition_penalty == 1.0f) return;
  for (const TokenId token : tokens) counts_.try_emplace(token, 0);
}

void Penalties::AddOutput(TokenId token) {
  if (active_) ++counts_[token];
}

void Penalties::Apply(std::span<float> logits) const {
  for (const auto& [token, count] : counts_) {
    float& logit = logits[static_cast<std::size_t>(token)];
    logit = logit > 0 ? logit / params_.repetition_penalty : logit * params_.repetition_penalty;
    logit = std::min(logit, std::numeric_limits<float>::max());  // a tiny penalty overflows
    logit -= params_.frequency_penalty * static_cast<float>(count);
    if (count > 0) logit -= params_.presence_penalty;
  }
}

}  // namespace espalier
