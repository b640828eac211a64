// Queue orders: who is admitted first.
//
// Sequences that were preempted go before all others, oldest first: they hold the progress that
// would be lost. Then those of lower priority numbers, and of one priority
//   fcfs        in order of arrival, which for a program's later requests is that of its first:
//               a program that goes on ends sooner, and gives back its pages, before another
//               begins.
//   lpm         longest prefix in the cache first: what is cached is used before it is evicted.
//   dfs-weight  depth first through the cached prefixes, first where most wait (dfs_weight.h).
//   random      in an order drawn once for each sequence: to compare with.
// But
//   priority    a preempted one goes before those of its own priority only, and a waiting one
//               preempts running ones of higher numbers (preemption.cc). Then as fcfs.
//   fair        the caller that was served least goes first (fair_shares.h), and priority numbers
//               order a caller's own only.
//
// Ties are as fcfs. A look into the cache costs a match a waiting sequence: with more than
// kMostMatched of them lpm and dfs-weight are fcfs. Under those two and random, one that
// kMostOvertaken later ones have overtaken goes before all others of its priority, as fcfs.
// Source of lpm: Zheng et al. 2024, "SGLang", section 3 (arXiv 2312.07104).
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "radix/prefix_cache.h"
#include "runtime/engine/sequence.h"

namespace espalier {

enum class QueuePolicy : std::uint8_t { kLpm, kFcfs, kDfsWeight, kRandom, kPriority, kFair };

// Names in the order of the enum: "lpm", ...
std::span<const std::string_view> QueuePolicyNames();
std::optional<QueuePolicy> FindQueuePolicy(std::string_view name);

inline constexpr std::size_t kMostMatched = 128;
inline constexpr std::int32_t kMostOvertaken = 64;

// Whether so many that wait are not simply in order of arrival.
bool MayOvertake(QueuePolicy policy, std::size_t num_waiting);

using WaitingQueue = std::deque<std::unique_ptr<Sequence>>;

// Sorts `waiting`, first to be admitted first. Sets their ranks.
void OrderQueue(QueuePolicy policy, const PrefixCache& cache, WaitingQueue& waiting);

// Brings to `place` who goes first of those from there on, now that a caller was served. The
// others keep their order. Only fair needs it. O(waiting).
void BringFirst(WaitingQueue& waiting, std::size_t place);

}  // namespace espalier
