// Engine: the only loop. drain, plan, forward beside masks, sample, commit, emit.
//
// Submit and Cancel post to the inbox from any thread; everything else happens on
// the one thread that calls Run(). Events of a step go to the outbox in one push.
// A fault of one request ends that request; the engine goes on.
//
// Thread safety: Submit, Cancel, Stop, metrics: thread-safe. Run, Step: the engine
// thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "kernels/base/status.h"
#include "runtime/engine/request.h"
#include "runtime/model/model.h"

namespace espalier {

class Outbox;
class Vocabulary;

enum class QueuePolicy : std::uint8_t { kLpm, kFcfs };

struct EngineOptions {
  int kv_cache_tokens = 8192;  // rounded up to whole pages
  int page_size = 16;
  bool prefix_cache = true;
  int chunk_tokens = 128;  // most tokens of one step
  int max_running = 64;    // most sequences of one step
  int max_logits = 64;     // most logit rows of one step
  int max_queue = 2048;    // requests waiting in the inbox and the scheduler
  QueuePolicy policy = QueuePolicy::kLpm;
};

// Sums since the start.
struct EngineMetrics {
  std::int64_t num_requests = 0, num_finished = 0, num_steps = 0, num_preemptions = 0;
  std::int64_t prompt_tokens = 0, cached_tokens = 0, computed_tokens = 0, output_tokens = 0;
  std::int64_t queued = 0, running = 0;  // now
  double radix_seconds = 0, forward_seconds = 0, total_seconds = 0;
};

class Engine {
 public:
  // `model`, `pool` and `outbox` must outlive the engine. kInvalidArgument if the
  // options do not fit the model; kLimit if the KV pool cannot be had.
  static Result<std::unique_ptr<Engine>> Create(const EngineOptions& options, Model& model,
                                                std::shared_ptr<const Vocabulary> vocabulary,
                                                ThreadPool& pool, Outbox& outbox);
  ~Engine();

  // Queues `request`, and says by which id its events come. kInvalidArgument or
  // kLimit if it can never run (empty, longer than the context or the KV pool, with
  // the numbers); kOverloaded if the queue is full.
  Result<SeqId> Submit(GenerateRequest request);

  // The request's remaining choices end with kCancelled; unknown ids are ignored.
  void Cancel(SeqId request);

  // Steps until Stop(), sleeping while there is nothing to do.
  void Run();
  void Stop();

  // One turn of the loop, for tests. False if there was nothing to do.
  bool Step();

  EngineMetrics metrics() const;
  void FlushCache();  // evicts all unused cached pages before the next step

 private:
  struct State;
  explicit Engine(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace espalier
