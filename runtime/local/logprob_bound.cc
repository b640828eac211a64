#include "runtime/local/logprob_bound.h"

#include <algorithm>

#include <fmt/format.h>

namespace espalier {

std::int64_t MostLogprobs(const GenerateRequest& request, std::int32_t context_length) {
  const SamplingParams& sampling = request.sampling;
  if (!sampling.return_logprob) return 0;
  const auto prompt_size = static_cast<std::int64_t>(request.prompt.size());
  const std::int64_t start =
      std::clamp<std::int64_t>(sampling.logprob_start_len.value_or(prompt_size), 0, prompt_size);
  const std::int64_t outputs =
      std::int64_t{std::min(sampling.max_new_tokens, context_length)} * sampling.n;
  return (prompt_size - start + outputs) * (1 + sampling.top_logprobs_num);
}

Status CheckNumLogprobs(std::int64_t num_logprobs) {
  constexpr std::int64_t kMost = 2'000'000;
  if (num_logprobs <= kMost) return Status();
  return Status(Code::kLimit, fmt::format("the answer may have {} log-probabilities; at most {} "
                                          "are given at once",
                                          num_logprobs, kMost));
}

}  // namespace espalier
