#include "runtime/cli/bench/workloads.h"

#include <algorithm>

#include "kernels/base/check.h"
#include "runtime/cli/bench/workload_texts.h"

namespace espalier {
namespace {

constexpr BenchWorkload kWorkloads[] = {
    {"few-shot", "MMLU: 5 shots, 1 token out", 32},
    {"hellaswag", "20 shots, select of 4 endings", 16},
    {"react", "3 to 5 steps, each thought in a fork", 4},
    {"generative-agents", "10 calls one after the other, 5 templates", 8},
    {"tree-of-thought", "4 stages of 2 branches: 30 gens", 2},
    {"skeleton-of-thought", "5 tips, each expanded", 4},
    {"llm-judge", "6 forks judge an article, one scores", 4},
    {"json-decode", "5 fields by regex", 12},
    {"multi-turn-chat", "4 turns of 256 to 512 tokens, 4 to 8 out", 8},
    {"multi-turn-long", "4 turns of 256 to 512 tokens, as many out", 4},
    {"multi-chain", "5 chains and a vote", 4},
    {"rag", "DSPy: 4 demonstrations, 3 passages of 6, one question", 16},
    {"shared-prefix", "3 of 5 begin with one of 5 prefixes of 64 tokens", 1000, 64},
};

std::string_view TextOf(std::string_view name) {
  const auto texts = WorkloadTexts();
  const auto found = std::find_if(texts.begin(), texts.end(),
                                  [&](const WorkloadText& text) { return text.name == name; });
  ESP_CHECK(found != texts.end()) << "a workload without its file";
  return found->text;
}

}  // namespace

std::span<const BenchWorkload> BenchWorkloads() { return kWorkloads; }

const BenchWorkload* FindBenchWorkload(std::string_view name) {
  const auto* found = std::find_if(std::begin(kWorkloads), std::end(kWorkloads),
                                   [&](const BenchWorkload& row) { return row.name == name; });
  return found == std::end(kWorkloads) ? nullptr : found;
}

std::string BenchScript(const BenchWorkload& workload) {
  std::string script(TextOf("prelude"));
  script += '\n';
  return script += TextOf(workload.name);
}

}  // namespace espalier
