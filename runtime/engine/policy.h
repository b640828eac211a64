// Queue orders: who is admitted first.
//
// Sequences that were preempted go before all others, oldest first, under every
// policy: they hold the progress that would be lost. Then those of lower priority numbers, and
// of one priority
//   fcfs  in order of arrival, which for a program's later requests is that of its first: a
//         program that goes on ends sooner, and gives back its pages, before another begins.
//   lpm   longest prefix in the cache first, ties as fcfs: what is cached
//         is used before it is evicted. Each look costs a match a waiting sequence, so
//         beyond kMostMatched of them it is fcfs. One that kMostOvertaken later ones have
//         overtaken goes before all of them, as fcfs.
// Source of lpm: Zheng et al. 2024, "SGLang", section 3 (arXiv 2312.07104).
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

#include "radix/prefix_cache.h"
#include "runtime/engine/sequence.h"

namespace espalier {

enum class QueuePolicy : std::uint8_t { kLpm, kFcfs };

inline constexpr std::size_t kMostMatched = 128;
inline constexpr std::int32_t kMostOvertaken = 64;

// Sorts `waiting`, first to be admitted first.
void OrderQueue(QueuePolicy policy, const PrefixCache& cache,
                std::deque<std::unique_ptr<Sequence>>& waiting);

}  // namespace espalier
