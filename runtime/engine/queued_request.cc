#include "runtime/engine/queued_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "grammar/compiled_grammar.h"

namespace espalier {
namespace {

Status CheckToken(std::string_view where, TokenId token, std::int32_t vocab_size) {
  if (token >= 0 && token < vocab_size) return {};
  return {Code::kInvalidArgument,
          fmt::format("{}: token {} is not in the vocabulary, [0, {})", where, token, vocab_size)};
}

Status CheckTokens(const GenerateRequest& request, std::int32_t vocab_size) {
  for (const ScoredPath& path : request.paths) {
    for (const TokenId token : path.tokens) {
      ESP_RETURN_IF_ERROR(CheckToken("a path", token, vocab_size));
    }
  }
  for (const TokenId token : request.prompt) {
    ESP_RETURN_IF_ERROR(CheckToken("prompt", token, vocab_size));
  }
  for (const TokenId token : request.sampling.stop_token_ids) {
    ESP_RETURN_IF_ERROR(CheckToken("stop_token_ids", token, vocab_size));
  }
  for (const auto& [token, bias] : request.sampling.logit_bias) {
    ESP_RETURN_IF_ERROR(CheckToken("logit_bias", token, vocab_size));
  }
  return {};
}

// `max_new` as it is asked for.
Status CheckSize(std::int64_t num_prompt, std::int64_t max_new, const RequestBounds& bounds) {
  if (num_prompt == 0) return {Code::kInvalidArgument, "the prompt has no tokens"};
  if (num_prompt > bounds.context_length) {
    return {Code::kLimit, fmt::format("the prompt has {} tokens; the model's context holds {}",
                                      num_prompt, bounds.context_length)};
  }
  const std::int64_t num_new = std::min(max_new, bounds.context_length - num_prompt);
  if (num_prompt == bounds.context_length && max_new > 0) {
    return {Code::kLimit,
            fmt::format("the prompt has {} tokens, as many as the model's context holds: there is "
                        "no room for an answer",
                        num_prompt)};
  }
  // The last token of an output is never run.
  const std::int64_t num_run = num_prompt + std::max<std::int64_t>(num_new - 1, 0);
  if (num_run > bounds.kv_cache_tokens) {
    return {Code::kLimit,
            fmt::format("{} prompt tokens and max_new_tokens {} need {} tokens of KV cache; it "
                        "has {} (--kv-cache-tokens)",
                        num_prompt, num_new, num_run, bounds.kv_cache_tokens)};
  }
  return {};
}

Status CheckPaths(const GenerateRequest& request, const RequestBounds& bounds) {
  const bool generates = !request.prompt.empty() || request.sampling.max_new_tokens != 0 ||
                         request.grammar != nullptr ||
                         request.constraint.kind != ConstraintKind::kNone;
  if (generates) return {Code::kInvalidArgument, "paths are scored, and nothing else is done"};
  for (const ScoredPath& path : request.paths) {
    const auto size = static_cast<std::int64_t>(path.tokens.size());
    ESP_RETURN_IF_ERROR(CheckSize(size, 0, bounds));
    if (path.start < 0 || path.start >= size) {
      return {Code::kInvalidArgument,
              fmt::format("a path of {} tokens is to be scored from {} on", size, path.start)};
    }
  }
  return {};
}

Status CheckEmbeds(const GenerateRequest& request) {
  const SamplingParams& sampling = request.sampling;
  const bool does_more = sampling.max_new_tokens != 0 || sampling.n != 1 ||
                         sampling.return_logprob || sampling.logprob_start_len ||
                         !request.paths.empty() || request.grammar != nullptr ||
                         request.constraint.kind != ConstraintKind::kNone;
  if (!request.embeds || !does_more) return {};
  return {Code::kInvalidArgument, "a prompt that is embedded is only read"};
}

Status CheckRetention(const GenerateRequest& request) {
  const double seconds = request.retention_s.value_or(0);
  if (seconds >= 0 && seconds <= kMaxRetentionSeconds) return {};
  return {Code::kInvalidArgument,
          fmt::format("retention_s must be a number from 0 to {:.0f}", kMaxRetentionSeconds)};
}

}  // namespace

Result<std::shared_ptr<QueuedRequest>> CheckRequest(SeqId id, GenerateRequest request,
                                                    const RequestBounds& bounds) {
  const auto num_prompt = static_cast<std::int64_t>(request.prompt.size());
  const SamplingParams& sampling = request.sampling;
  ESP_RETURN_IF_ERROR(CheckSamplingParams(sampling));
  ESP_RETURN_IF_ERROR(request.paths.empty() ? CheckSize(num_prompt, sampling.max_new_tokens, bounds)
                                            : CheckPaths(request, bounds));
  ESP_RETURN_IF_ERROR(CheckEmbeds(request));
  ESP_RETURN_IF_ERROR(CheckRetention(request));
  const std::int64_t left = std::max<std::int64_t>(bounds.context_length - num_prompt, 0);
  const std::int64_t num_new = std::min<std::int64_t>(sampling.max_new_tokens, left);
  ESP_RETURN_IF_ERROR(CheckTokens(request, bounds.vocab_size));
  if (request.grammar != nullptr &&
      request.grammar->vocabulary().size() != static_cast<std::size_t>(bounds.vocab_size)) {
    return Status(Code::kInvalidArgument, "the grammar was compiled for another vocabulary");
  }

  StopPatterns stops(sampling.stop, sampling.stop_regex);
  const std::uint64_t seed = sampling.seed.value_or(0);
  return std::make_shared<QueuedRequest>(QueuedRequest{id, std::move(request), std::move(stops),
                                                       static_cast<std::int32_t>(num_new), seed,
                                                       std::nullopt});
}

}  // namespace espalier
