// ServerMetrics: what the server counts of its requests, and the text that Prometheus
// reads of it and of the engine.
//
// Source of the names: SGLang's metrics; vLLM's as an alias set.
//
// Thread safety: io thread only.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/engine/metrics.h"
#include "runtime/engine/request.h"

namespace espalier {

class Histogram {
 public:
  // `bounds`: upper ends of the buckets, ascending; must outlive it.
  explicit Histogram(std::span<const double> bounds)
      : bounds_(bounds), counts_(bounds.size() + 1) {}

  void Add(double value);

  std::span<const double> bounds() const { return bounds_; }
  std::span<const std::int64_t> counts() const { return counts_; }  // [bounds + 1], not summed
  double sum() const { return sum_; }

 private:
  std::span<const double> bounds_;
  std::vector<std::int64_t> counts_;
  double sum_ = 0;
};

struct ServerMetrics {
  ServerMetrics();

  Histogram time_to_first_token_s, inter_token_latency_s, e2e_latency_s, loop_delay_s;
  // A request's answer has left, whatever it was; 0: the client went before.
  void CountAnswer(int http_status);
  std::map<int, std::int64_t> num_answers;  // by status
  std::int64_t num_requests = 0;
  std::int64_t num_aborted = 0;      // by a client that went, or by abort_request
  std::int64_t num_constrained = 0;  // with a grammar
  std::int64_t prompt_tokens = 0, output_tokens = 0, cached_tokens = 0;
};

// What is known beside the counts.
struct ServerGauges {
  std::string model_name;
  EngineMetrics engine;
  std::int64_t kv_cache_tokens = 0;
  std::int64_t page_size = 0;
  bool vllm_names = false;  // also under vLLM's names
};

// Prometheus text format 0.0.4.
std::string MetricsText(const ServerMetrics& metrics, const ServerGauges& gauges);

}  // namespace espalier
