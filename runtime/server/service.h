// Service: what endpoints act on: the model, its client, and what is under way.
//
// Thread safety: io thread only, but for Post.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "kernels/base/mutex.h"
#include "kernels/base/status.h"
#include "runtime/local/engine_client.h"
#include "runtime/server/pool_work.h"
#include "runtime/server/run_registry.h"
#include "runtime/server/salt_labels.h"
#include "runtime/server/served_model.h"
#include "runtime/server/server_metrics.h"

namespace espalier {

struct ServiceOptions {
  std::uint64_t seed = 0;        // root of the seeds that requests do not give
  int max_queue = 2048;          // outputs under way, from which on more are refused
  double request_timeout_s = 0;  // most that a request gets; 0: no bound
  bool vllm_metrics = false;     // /metrics also under vLLM's names
  bool show_cache = false;       // /v1/cache/tree tells prompts
  std::function<void(std::string_view)> warn = {};  // of our own faults, for the log
};

class Programs;

class Service {
 public:
  // `model` must outlive it, and `served` is of that.
  Service(LocalModel& model, ServedModel served, ServiceOptions options);

  LocalModel& model() { return model_; }
  EngineClient& client() { return client_; }
  const ServedModel& served() const { return served_; }
  const Tokenizer& tokenizer() const { return served_.tokenizer(); }
  const ServiceOptions& options() const { return options_; }
  ServerMetrics& metrics() { return metrics_; }
  PoolWork& pool_work() { return pool_work_; }
  const SaltLabels& salt_labels() const { return salt_labels_; }

  // Of the next body: what its requests' seeds are made of.
  std::uint64_t NextSeed();

  // Whether so many outputs more may be under way: kOverloaded if the queue is full, kLimit if
  // it can never hold them, kCancelled while draining.
  Status HasRoom(std::size_t num_outputs) const;

  RunRegistry& runs() { return runs_; }
  bool idle() const { return runs_.empty(); }
  // When a request that began then and asks for so long must have ended; 0: it asks for
  // nothing. Unset: never.
  std::optional<RunRegistry::Time> DeadlineOf(RunRegistry::Time start, double timeout_s) const;

  // On its way out: probes say so from kLeaving on, new work is refused from kDraining on.
  enum class Phase { kServing, kLeaving, kDraining };
  void SetPhase(Phase phase) { phase_ = phase; }
  bool leaving() const { return phase_ != Phase::kServing; }
  bool draining() const { return phase_ == Phase::kDraining; }

  // The programs that are served. REQUIRES: SetPrograms was called.
  Programs& programs() { return *programs_; }
  void SetPrograms(Programs& programs) { programs_ = &programs; }

  // Runs `work` on the io thread, later; drops it when the server has gone. Thread-safe.
  void Post(std::function<void()> work) const;
  using Poster = std::function<void(std::function<void()>)>;
  void SetPoster(Poster poster);  // null: the server has gone

  void Warn(std::string_view message) const {
    if (options_.warn) options_.warn(message);
  }

 private:
  LocalModel& model_;
  EngineClient client_;
  const ServedModel served_;
  const ServiceOptions options_;
  const SaltLabels salt_labels_;
  ServerMetrics metrics_;
  std::uint64_t num_seeds_ = 0;
  RunRegistry runs_;
  Phase phase_ = Phase::kServing;
  Programs* programs_ = nullptr;
  mutable Mutex mutex_;
  Poster poster_ ESP_GUARDED_BY(mutex_);
  PoolWork pool_work_;
};

}  // namespace espalier
