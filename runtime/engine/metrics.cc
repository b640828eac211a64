#include "runtime/engine/metrics.h"

namespace espalier {
namespace {

using Metrics = EngineMetrics;

constexpr EngineMetric kRows[] = {
    {"num_requests", "Requests taken in", &Metrics::num_requests},
    {"num_finished", "Choices that ended", &Metrics::num_finished},
    {"num_steps", "Forward passes", &Metrics::num_steps},
    {"num_preemptions", "Sequences that gave way when pages ran out", &Metrics::num_preemptions},
    {"prompt_tokens", "Prompt tokens of the choices that ended", &Metrics::prompt_tokens},
    {"cached_tokens", "Prompt tokens found in the prefix cache", &Metrics::cached_tokens},
    {"computed_tokens", "Tokens run through the model", &Metrics::computed_tokens},
    {"output_tokens", "Tokens generated", &Metrics::output_tokens},
    {"forced_tokens", "Of those, tokens that a grammar left no choice of", &Metrics::forced_tokens},
    {"total_seconds", "Time in steps", &Metrics::total_seconds},
    {"plan_seconds", "Of it, taking requests in and planning", &Metrics::plan_seconds},
    {"forward_seconds", "Of it, in the model", &Metrics::forward_seconds},
    {"mask_seconds", "Of it, waiting for the masks of grammars", &Metrics::mask_seconds},
    {"sample_seconds", "Of it, sampling", &Metrics::sample_seconds},
    {"commit_seconds", "Of it, taking in what was sampled", &Metrics::commit_seconds},
    {"radix_seconds", "Time in the prefix cache, planning and committing", &Metrics::radix_seconds},
    {"queued", "Choices waiting now", &Metrics::queued},
    {"running", "Choices running now", &Metrics::running},
};

}  // namespace

std::span<const EngineMetric> EngineMetricRows() { return kRows; }

}  // namespace espalier
