// Service: what endpoints act on: the model, its client, and what is under way.
//
// Thread safety: io thread only.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/status.h"
#include "runtime/api/request_line.h"
#include "runtime/local/engine_client.h"
#include "runtime/server/http_exchange.h"
#include "runtime/server/server_metrics.h"

namespace espalier {

struct ServiceOptions {
  std::string served_model_name;      // "": the model's own
  std::string model_path;             // as clients are told
  std::vector<std::string> api_keys;  // empty: none is asked
  std::string allow_origin;           // of browsers' pages; "": none
  std::uint64_t seed = 0;             // root of the seeds that requests do not give
  int max_queue = 2048;               // requests under way, from which on more are refused
  int page_size = 16;                 // as /metrics tells it
  bool vllm_metrics = false;          // /metrics also under vLLM's names
  int context_length = 0;             // of the model
  int max_running = 64;               // sequences of one step of the engine
  std::function<void(std::string_view)> warn = {};  // of our own faults, for the log
};

class Programs;

class Service {
 public:
  // `model` must outlive it.
  Service(LocalModel& model, LineDefaults defaults, ServiceOptions options);

  LocalModel& model() { return model_; }
  EngineClient& client() { return client_; }
  const LineDefaults& defaults() const { return defaults_; }
  const Tokenizer& tokenizer() const { return model_.tokenizer(); }
  const ServiceOptions& options() const { return options_; }
  const std::string& model_name() const { return options_.served_model_name; }
  ServerMetrics& metrics() { return metrics_; }
  std::int64_t start_time_s() const { return start_time_s_; }  // of the epoch

  std::uint64_t NextSeed();

  // Whether so many outputs more may be under way: kOverloaded if the queue is full, kLimit if
  // it can never hold them, kCancelled while draining.
  Status HasRoom(std::size_t num_outputs) const;

  // Requests under way, by the id that abort_request knows them by. `cancel` is called at
  // most once, by Abort.
  using RunId = std::uint64_t;
  RunId AddRun(std::string id, std::size_t num_outputs, std::function<void()> cancel);
  void RemoveRun(RunId run);
  // Cancels those whose id begins with `prefix`; returns how many.
  int Abort(std::string_view prefix);
  bool idle() const { return runs_.empty(); }
  std::size_t num_runs() const { return runs_.size(); }

  // On its way out: probes say so from kLeaving on, new work is refused from kDraining on.
  enum class Phase { kServing, kLeaving, kDraining };
  void SetPhase(Phase phase) { phase_ = phase; }
  bool leaving() const { return phase_ != Phase::kServing; }
  bool draining() const { return phase_ == Phase::kDraining; }

  // The programs that are served. REQUIRES: SetPrograms was called.
  Programs& programs() { return *programs_; }
  void SetPrograms(Programs& programs) { programs_ = &programs; }

  // Runs `work` on the io thread, later. Thread-safe once the server is open.
  void Post(std::function<void()> work) const { poster_(std::move(work)); }
  using Poster = std::function<void(std::function<void()>)>;
  void SetPoster(Poster poster) { poster_ = std::move(poster); }

  void Warn(std::string_view message) const {
    if (options_.warn) options_.warn(message);
  }

 private:
  struct Run {
    std::string id;
    std::size_t num_outputs = 1;
    std::function<void()> cancel;
  };

  LocalModel& model_;
  EngineClient client_;
  LineDefaults defaults_;
  ServiceOptions options_;
  const std::int64_t start_time_s_;
  ServerMetrics metrics_;
  std::uint64_t num_seeds_ = 0;
  RunId last_run_ = 0;
  std::map<RunId, Run> runs_;
  std::size_t num_outputs_ = 0;  // of all runs
  Phase phase_ = Phase::kServing;
  Programs* programs_ = nullptr;
  Poster poster_;
};

}  // namespace espalier
