// Sequence: everything the engine knows about one choice of one request in flight.
// Owned by the Scheduler.
//
// tokens is prompt + output, or a path to score. The first num_computed of them have their
// KV written; the rest are what the next forward passes must still cover. Prefill, decode, forced
// tokens and resuming after preemption all are just other values of that gap.
//
// Thread safety: none. Engine thread only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "grammar/matcher.h"
#include "radix/prefix_cache.h"
#include "runtime/engine/ending.h"
#include "runtime/engine/fair_shares.h"
#include "runtime/engine/mean_pool.h"
#include "runtime/engine/penalties.h"
#include "runtime/engine/queued_request.h"
#include "runtime/engine/stop_checker.h"

namespace espalier {

struct Sequence {
  Sequence(std::shared_ptr<const QueuedRequest> queued, int choice_index,
           const Vocabulary& vocabulary)
      : request(std::move(queued)),
        choice(choice_index),
        tokens(request->prompt(choice)),
        num_unrun(request->is_scored_only() ? 1 : 0),
        stop(request->asked.sampling, request->stops, vocabulary),
        penalties(request->asked.sampling) {
    penalties.AddPrompt(tokens);
    if (request->asked.embeds) mean = std::make_unique<MeanPool>();
    if (auto grammar = request->grammar()) {
      matcher = std::make_unique<GrammarMatcher>(std::move(grammar));
    }
    num_scored = std::min(request->score_start(choice).value_or(num_prompt()), num_prompt());
    if (num_scored == 0) {
      constexpr float kNone = std::numeric_limits<float>::quiet_NaN();  // it has no context
      prompt_logprobs.push_back({.token = tokens[0], .logprob = kNone});
      num_scored = 1;
    }
  }

  std::shared_ptr<const QueuedRequest> request;
  std::int32_t choice;
  std::vector<TokenId> tokens;
  // The last token of a path is scored by those before it, and need not run.
  std::int32_t num_unrun = 0;
  std::int32_t num_computed = 0;
  PrefixLease lease;
  StopChecker stop;
  Penalties penalties;
  std::unique_ptr<GrammarMatcher> matcher;  // null: unconstrained

  std::unique_ptr<MeanPool> mean;  // null: no embedding is wanted
  std::unique_ptr<Ending> ending;  // of a constrained output that is to be whole

  // Tokens below this have their log-probability, or none is wanted of them.
  std::int32_t num_scored;
  std::vector<TokenLogprob> prompt_logprobs;  // until they are reported, as the next
  std::vector<TokenLogprob> output_logprobs;
  std::int32_t num_reported = 0;                  // output tokens
  std::int32_t num_forced = 0;                    // output tokens
  std::optional<std::int32_t> num_cached_prompt;  // set when first admitted
  std::int32_t num_once_computed = 0;             // the most that num_computed ever was
  std::shared_ptr<FairShare> share;               // of its caller
  std::int64_t rank = 0;                          // policy.h; when the queue was last ordered
  std::int32_t num_overtaken = 0;                 // by so many that came later it was, waiting
  std::int32_t num_ousted = 0;                    // so often it gave way to a better priority
  bool preempted = false;                         // waiting, and goes before all that are not
  bool finished = false;                          // its last event is out

  std::int32_t num_tokens() const { return static_cast<std::int32_t>(tokens.size()); }
  std::int32_t num_to_run() const { return num_tokens() - num_unrun; }
  std::int32_t num_prompt() const {
    return static_cast<std::int32_t>(request->prompt(choice).size());
  }
  std::int32_t num_pending() const { return num_to_run() - num_computed; }
  std::int32_t num_output() const { return num_tokens() - num_prompt(); }

  // How much of the tokens may come from the cache: the last one must run, and so must
  // the one before each token whose log-probability is still to come, and each whose hidden
  // state is.
  std::int32_t max_matched() const {
    if (mean != nullptr) return mean->num_added();
    return num_scored < score_end() ? num_scored - 1 : num_tokens() - 1;
  }

  std::span<const TokenId> matchable() const {
    return std::span(tokens).first(static_cast<std::size_t>(max_matched()));
  }

  // Tokens from here on have their log-probability from sampling, or none is wanted.
  std::int32_t score_end() const {
    return request->asked.sampling.return_logprob ? num_tokens() : num_prompt();
  }

  // Whether the logits of the last token are to be sampled from.
  bool samples() const { return request->max_new_tokens > 0; }

  // ---- Of a step that runs the next `count` pending tokens.

  bool SamplesAfter(std::int32_t count) const { return count == num_pending() && samples(); }

  // How many of their logits give log-probabilities that are still to come: of the prompt,
  // or of tokens that were forced.
  std::int32_t NumScores(std::int32_t count) const {
    const std::int32_t begin = std::max(num_computed, num_scored - 1);
    return std::max(std::min(num_computed + count, score_end() - 1) - begin, 0);
  }
  std::int32_t NumLogits(std::int32_t count) const {
    return NumScores(count) + (SamplesAfter(count) ? 1 : 0);
  }
  // How many of them, the last, have hidden states that are wanted.
  std::int32_t NumHidden(std::int32_t count) const {
    if (mean == nullptr) return 0;
    return num_computed + count - std::max(num_computed, mean->num_added());
  }
  // Whether the logits of the i-th of them are wanted.
  bool WantsLogits(std::int32_t i, std::int32_t count) const {
    const std::int32_t next = num_computed + i + 1;
    return (next >= num_scored && next < score_end()) || (i + 1 == count && SamplesAfter(count));
  }
};

}  // namespace espalier
