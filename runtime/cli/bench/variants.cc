#include "runtime/cli/bench/variants.h"

#include <algorithm>
#include <iterator>

namespace espalier {
namespace {

using Options = LocalModelOptions;

constexpr BenchVariant kVariants[] = {
    {"no-prefix-cache", "nothing is reused", [](Options& o) { o.no_prefix_cache = true; }},
    {"no-jump-forward", "what a grammar forces is sampled",
     [](Options& o) { o.no_jump_forward = true; }},
    {"fcfs", "the queue in order of arrival", [](Options& o) { o.policy = "fcfs"; }},
    {"lpm", "longest cached prefix first", [](Options& o) { o.policy = "lpm"; }},
    {"dfs-weight", "depth first, where most wait", [](Options& o) { o.policy = "dfs-weight"; }},
    {"random", "the queue in a random order", [](Options& o) { o.policy = "random"; }},
    {"priority", "the most important first", [](Options& o) { o.policy = "priority"; }},
    {"fair", "the caller that was served least first", [](Options& o) { o.policy = "fair"; }},
    {"no-in-batch-sharing", "rows wait for no prefix that another computes",
     [](Options& o) { o.no_in_batch_sharing = true; }},
    {"lru", "evicts the least recently used", [](Options& o) { o.eviction = "lru"; }},
    {"lfu", "evicts the least often used", [](Options& o) { o.eviction = "lfu"; }},
    {"fifo", "evicts the first to come", [](Options& o) { o.eviction = "fifo"; }},
    {"priority-eviction", "evicts the least important",
     [](Options& o) { o.eviction = "priority"; }},
    {"cost", "evicts the least dear", [](Options& o) { o.eviction = "cost"; }},
};

}  // namespace

std::span<const BenchVariant> BenchVariants() { return kVariants; }

const BenchVariant* FindBenchVariant(std::string_view name) {
  const auto* found = std::find_if(std::begin(kVariants), std::end(kVariants),
                                   [&](const BenchVariant& row) { return row.name == name; });
  return found == std::end(kVariants) ? nullptr : found;
}

}  // namespace espalier
