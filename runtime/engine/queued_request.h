// QueuedRequest: a request that has been judged fit to run. Its choices share it.
//
// Thread safety: immutable once queued.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

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

  std::int32_t num_prompt() const { return static_cast<std::int32_t>(asked.prompt.size()); }
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
