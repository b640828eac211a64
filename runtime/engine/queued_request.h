// QueuedRequest: a request that has been judged fit to run. Its choices share it.
//
// Thread safety: immutable once queued.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "grammar/compile_cache.h"
#include "grammar/vocabulary.h"
#include "kernels/base/status.h"
#include "kernels/base/types.h"
#include "runtime/engine/request.h"
#include "runtime/engine/stop_patterns.h"

namespace espalier {

struct QueuedRequest {
  SeqId id{};
  GenerateRequest asked;
  StopPatterns stops;
  std::int32_t max_new_tokens = 0;  // as asked, cut to the end of the context
  std::uint64_t seed = 0;
  std::optional<CompileCache::Ticket> compiling;  // unset: asked.grammar is what there is

  bool ready() const { return !compiling || compiling->ready(); }
  // Null: unconstrained. REQUIRES: ready(), without an error.
  std::shared_ptr<const CompiledGrammar> grammar() const {
    return compiling ? compiling->outcome().value() : asked.grammar;
  }

  bool is_scored_only() const { return !asked.paths.empty(); }
  std::int32_t num_choices() const {
    return is_scored_only() ? static_cast<std::int32_t>(asked.paths.size()) : asked.sampling.n;
  }
  // What a choice begins with: the prompt, or its path.
  const std::vector<TokenId>& prompt(std::int32_t choice) const {
    return is_scored_only() ? path(choice).tokens : asked.prompt;
  }
  // From where on a choice's prompt is scored; unset: it is not. Choices share their prompt:
  // the first one's log-probabilities are everybody's.
  std::optional<std::int32_t> score_start(std::int32_t choice) const {
    if (is_scored_only()) return path(choice).start;
    return choice == 0 ? asked.sampling.logprob_start_len : std::nullopt;
  }

 private:
  const ScoredPath& path(std::int32_t choice) const {
    return asked.paths[static_cast<std::size_t>(choice)];
  }
};

// What a request is measured against.
struct RequestBounds {
  std::int64_t context_length = 0;   // tokens
  std::int64_t kv_cache_tokens = 0;  // that the whole pool holds
  std::int32_t vocab_size = 0;       // tokens of the vocabulary
};

// kInvalidArgument if an option or a token id is wrong; kLimit if the request can
// never fit, with the numbers. max_new_tokens is cut where the context ends, and
// never because of the pool: the output must not depend on its size.
Result<std::shared_ptr<QueuedRequest>> CheckRequest(SeqId id, GenerateRequest request,
                                                    const RequestBounds& bounds);

}  // namespace espalier
