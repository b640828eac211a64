// Engine: the only loop. drain, plan, forward beside masks, sample, commit, emit.
//
// A request with a constraint waits until its grammar is compiled, on the pool, and holds
// up nobody; then it goes by its place in the queue.
//
// Submit, SubmitTogether and Cancel post to the inbox from any thread; everything else happens on
// the one thread that calls Run(). Events of a step go to the outbox in one push.
// A fault of one request ends that request; the engine goes on.
//
// Thread safety: Submit, SubmitTogether, num_submitted, Cancel, Stop, FlushCache, Inspect, metrics:
// thread-safe. Run, Step: the engine thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/base/status.h"
#include "radix/eviction_policy.h"
#include "runtime/engine/metrics.h"
#include "runtime/engine/policy.h"
#include "runtime/engine/request.h"
#include "runtime/model/model.h"

namespace espalier {

class Outbox;
class PrefixCache;
class Tokenizer;
class Vocabulary;

struct EngineOptions {
  int kv_cache_tokens = 8192;  // rounded up to whole pages
  int page_size = 16;
  bool prefix_cache = true;
  int chunk_tokens = 128;  // most tokens of one step
  int max_running = 64;    // most sequences of one step
  int max_logits = 64;     // most logit rows of one step
  int max_queue = 2048;    // choices waiting, from which on requests are refused
  bool in_batch_sharing = true;
  QueuePolicy policy = QueuePolicy::kLpm;
  double schedule_conservativeness = 1.0;  // times the expected length of outputs, to be let in
  EvictionPolicy eviction = EvictionPolicy::kLru;
  int cache_quota_tokens = 0;  // most that one cache_salt keeps, in whole pages; 0: no quota
  // Spells what grammars force and endings; null: nothing is forced, and `complete` has no
  // effect.
  std::shared_ptr<const Tokenizer> tokenizer;
  bool jump_forward = true;  // append what a grammar forces without sampling it
  // The time in microseconds from some start, never less than before; empty: a steady clock's.
  std::function<std::uint64_t()> clock_us;
  // Runs its argument once, later or on another thread: compiles of grammars; empty: the pool's.
  std::function<void(std::function<void()> work)> post;
};

class Engine {
 public:
  // `model`, `pool` and `outbox` must outlive the engine. kInvalidArgument if an option
  // is out of range or does not fit the model or the vocabulary; kLimit if the KV pool
  // cannot be had. REQUIRES: the model was loaded for batches of chunk_tokens tokens
  // and max_logits logits.
  static Result<std::unique_ptr<Engine>> Create(const EngineOptions& options, Model& model,
                                                std::shared_ptr<const Vocabulary> vocabulary,
                                                ThreadPool& pool, Outbox& outbox);
  ~Engine();

  // Queues `request`, and says by which id its events come. kInvalidArgument if an
  // option or a token is wrong; kLimit if it can never fit the context or the KV pool,
  // with the numbers; kOverloaded if the queue is full; kCancelled after Stop(). What is
  // wrong with a constraint comes as the request's last event.
  // max_new_tokens is cut where the model's context ends.
  Result<SeqId> Submit(GenerateRequest request);
  // The same for several, which are planned together: so what they share is found however
  // little it is. Takes them, from the first on, while the queue has room; what became of
  // each that was taken. The others are as they were.
  std::vector<Result<SeqId>> SubmitTogether(std::span<GenerateRequest* const> requests);

  // How many requests there were; the next is numbered one more.
  std::uint64_t num_submitted() const;

  // The request's remaining choices end with kCancelled; unknown ids are ignored.
  void Cancel(SeqId request);

  // Steps until Stop(), sleeping while there is nothing to do; then ends what is left
  // with kCancelled.
  void Run();
  void Stop();

  // One turn of the loop, for who does not call Run. False if there was nothing to do.
  bool Step();

  EngineMetrics metrics() const;
  // Calls `look` on the engine's thread, between two steps: it must be short. kCancelled after
  // Stop(): then it is never called.
  Status Inspect(std::function<void(const PrefixCache& cache)> look);
  void FlushCache();  // evicts all cached pages that are not in use, before the next step

 private:
  struct State;
  explicit Engine(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace espalier
