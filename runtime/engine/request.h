// The plain structs that cross into and out of the engine thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grammar/constraint.h"
#include "kernels/base/status.h"
#include "kernels/base/types.h"
#include "runtime/engine/sampling_params.h"

namespace espalier {

class CompiledGrammar;
class Outbox;

// Tokens whose log-probabilities are wanted, from `start` on.
struct ScoredPath {
  std::vector<TokenId> tokens;  // not empty
  std::int32_t start = 0;       // below tokens.size()
};

inline constexpr double kMaxRetentionSeconds = 1e9;

struct GenerateRequest {
  std::vector<TokenId> prompt;  // not empty, or empty if there are paths
  // Instead of a prompt: a token tree to be scored, as its paths from the root. Each is a
  // choice of the request, and its scores are that choice's prompt_logprobs. Nothing is
  // generated: sampling.max_new_tokens is 0, and there is no constraint.
  std::vector<ScoredPath> paths;
  // The mean of the prompt's last hidden states is wanted (TokenEvent::embedding). Nothing is
  // generated: as for paths, n is 1, and nothing of the prompt is scored.
  bool embeds = false;
  SamplingParams sampling;                         // seed is set by who submits
  ConstraintSpec constraint;                       // compiled by the engine's cache, unless
  std::shared_ptr<const CompiledGrammar> grammar;  // it is compiled already
  std::string cache_salt;                          // extra_key of the prefix cache
  // Whose it is under QueuePolicy::kFair; empty: whose cache_salt it has.
  std::string caller;
  std::int32_t priority = 0;  // in the queue, a lower one goes first
  // How long what it caches has its priority under EvictionPolicy::kPriority; unset: always.
  std::optional<double> retention_s;
  // In the queue it goes as one that came with this number (Engine::num_submitted): when the
  // program began that it is of. 0: by its own.
  std::uint64_t arrival = 0;
  std::shared_ptr<Outbox> outbox;  // where its events go; null: the engine's own
};

enum class FinishReason : std::uint8_t { kNone, kStop, kLength, kCancelled, kError };

struct TokenLogprob {
  TokenId token = 0;
  float logprob = 0;
  std::vector<std::pair<TokenId, float>> top;  // (token, logprob), best first
};

struct Usage {
  std::int32_t prompt_tokens = 0;
  std::int32_t cached_tokens = 0;  // of the prompt: not run for this choice
  std::int32_t completion_tokens = 0;
  std::int32_t forced_tokens = 0;
  std::int32_t accepted_draft_tokens = 0;
};

// What happened to one choice of one request. Events of a choice arrive in order;
// the last one has finish != kNone.
struct TokenEvent {
  SeqId request{};              // as Submit returned it
  std::int32_t choice = 0;      // [0, n)
  std::vector<TokenId> tokens;  // new output tokens, a stop token included
  // Bytes that this step released: held back while they may begin a stop string,
  // cut before it. May end inside a character.
  std::string text;
  std::vector<TokenLogprob> logprobs;  // of `tokens`, if asked
  // If asked, of choice 0, with its first sampled token or its end: of the prompt from
  // logprob_start_len on; of a path from its start on. Token 0 has no context, and so NaN.
  std::vector<TokenLogprob> prompt_logprobs;
  FinishReason finish = FinishReason::kNone;
  std::string matched_stop;         // kStop by a string or regex: what matched
  std::int32_t matched_token = -1;  // kStop by a token
  std::vector<float> embedding;     // [hidden_size], with the last event, if asked
  Status error;                     // kError: why
  Usage usage;                      // with the last event
  std::uint64_t seed = 0;           // with the last event: the one that was used
};

}  // namespace espalier
