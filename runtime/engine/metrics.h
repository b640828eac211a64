// EngineMetrics and the metrics table: what the engine counts, and how it is called.
//
// Thread safety: plain data.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

namespace espalier {

// Sums since the start, but for the last three: those are as of now.
struct EngineMetrics {
  std::int64_t num_requests = 0;
  std::int64_t num_finished = 0;  // choices, however they ended
  std::int64_t num_steps = 0;
  std::int64_t num_preemptions = 0;
  std::int64_t prompt_tokens = 0;  // of the choices that have ended
  std::int64_t cached_tokens = 0;
  std::int64_t computed_tokens = 0;
  std::int64_t output_tokens = 0;
  std::int64_t forced_tokens = 0;  // of those: added by a grammar without sampling
  double total_seconds = 0;        // in steps, not asleep; of those:
  double plan_seconds = 0;         //   requests in, and what runs next
  double forward_seconds = 0;
  double mask_seconds = 0;    //   waiting for masks that the forward pass did not hide
  double sample_seconds = 0;  //   log-probabilities and draws
  double commit_seconds = 0;  //   stops, forced tokens, shared pages
  double radix_seconds = 0;   // in the prefix cache, while planning and committing
  std::int64_t queued = 0;    // choices, now
  std::int64_t running = 0;
  std::int64_t kv_tokens_used = 0;  // in pages that could not be had for others now
};

// A row of the metrics table.
struct EngineMetric {
  std::string_view name;
  std::string_view help;
  std::variant<std::int64_t EngineMetrics::*, double EngineMetrics::*> member;
};
std::span<const EngineMetric> EngineMetricRows();

}  // namespace espalier
