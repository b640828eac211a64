// Sampler: one row of logits to one token.
//
// In this order: penalties, logit bias, mask, banned tokens, temperature, top-k,
// top-p (of what top-k left), min-p, draw. Tokens are ordered by (logit descending,
// id ascending), which decides every tie and every cut; the cuts are found by
// selection, never by a full sort. The draw walks the kept ids in ascending order,
// with block sums of 1,024, to UniformDraw(seed, choice, position) of the total. All
// sums are of integer weights (softmax.h), so the token depends on the row alone.
//
// Below a temperature of 1e-6 the first token in order is taken.
//
// Thread safety: none on one object: it is the scratch memory of one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/base/status.h"
#include "kernels/base/token_mask.h"
#include "runtime/engine/penalties.h"
#include "runtime/engine/sampling_params.h"

namespace espalier {

struct SampleInput {
  std::span<const float> logits;  // [vocab_size], as the model gave them
  const SamplingParams* params = nullptr;
  const Penalties* penalties = nullptr;
  const TokenMask* mask = nullptr;  // null: unconstrained
  std::span<const TokenId> banned;  // not sampled unless nothing else is left
  std::uint64_t seed = 0;
  std::int32_t choice = 0;
  std::int32_t position = 0;  // index of the new token in its sequence
};

class Sampler {
 public:
  explicit Sampler(std::size_t vocab_size);

  // kInternal if the logits are not usable; kInvalidArgument if the mask allows no
  // token. Allocates nothing else. REQUIRES: input.logits has vocab_size entries.
  Result<TokenId> Sample(const SampleInput& input);

 private:
  struct Candidate {
    float logit = 0;
    TokenId id = 0;
    bool Before(const Candidate& other) const {
      return logit > other.logit || (logit == other.logit && id < other.id);
    }
  };

  void Adjust(const SampleInput& input);
  std::optional<Candidate> First() const;
  std::span<Candidate> CollectCandidates(float lowest);
  void KeepTopK(std::size_t k, const Candidate& first, float temperature);
  void KeepTopP(float p, const Candidate& first, float temperature);
  void KeepMinP(float p);
  void DropAfter(const Candidate& last);
  TokenId Draw(const SampleInput& input);
  std::uint64_t SumOfWeights(std::size_t begin, std::size_t end) const;

  std::vector<float> logits_;              // [vocab_size], adjusted
  std::vector<std::uint64_t> weights_;     // [vocab_size], 0 for those dropped
  std::vector<std::uint64_t> block_sums_;  // [ceil(vocab_size / 1024)]
  std::vector<Candidate> candidates_;      // [vocab_size], scratch
};

}  // namespace espalier
