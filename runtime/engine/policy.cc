#include "runtime/engine/policy.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "runtime/engine/dfs_weight.h"

namespace espalier {
namespace {

constexpr std::array<std::string_view, 6> kNames = {"lpm",    "fcfs",     "dfs-weight",
                                                    "random", "priority", "fair"};

bool LooksIntoCache(QueuePolicy policy) {
  return policy == QueuePolicy::kLpm || policy == QueuePolicy::kDfsWeight;
}

// The finalizer of MurmurHash3 (Appleby, public domain): a bijection that looks random.
std::uint64_t Scramble(std::uint64_t x) {
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdull;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ull;
  return x ^ (x >> 33);
}

std::int64_t RandomRank(const Sequence& seq) {
  const std::uint64_t number = Index(seq.request->id) + static_cast<std::uint64_t>(seq.choice);
  return static_cast<std::int64_t>(Scramble(number) >> 1);
}

void RankByMatch(const PrefixCache& cache, WaitingQueue& waiting) {
  for (const std::unique_ptr<Sequence>& seq : waiting) {
    if (!seq->preempted) seq->rank = -cache.Match(seq->matchable(), seq->request->asked.cache_salt);
  }
}

void SetRanks(QueuePolicy policy, const PrefixCache& cache, WaitingQueue& waiting) {
  for (const std::unique_ptr<Sequence>& seq : waiting) {
    seq->rank = policy == QueuePolicy::kRandom ? RandomRank(*seq) : 0;
  }
  if (!MayOvertake(policy, waiting.size())) return;
  if (policy == QueuePolicy::kLpm) RankByMatch(cache, waiting);
  if (policy == QueuePolicy::kDfsWeight) RankByDfsWeight(cache, waiting);
}

// Four numbers by which the policies differ; the lowest goes first.
using Rank = std::array<std::int64_t, 4>;

Rank RankOf(QueuePolicy policy, const Sequence& seq) {
  const std::int64_t later = seq.preempted ? 0 : 1;
  const std::int64_t priority = seq.request->asked.priority;
  switch (policy) {
    case QueuePolicy::kPriority: return {priority, later, 0, 0};
    case QueuePolicy::kFair: return {later, seq.share->served, priority, 0};
    case QueuePolicy::kLpm:
    case QueuePolicy::kDfsWeight:
    case QueuePolicy::kRandom:
    case QueuePolicy::kFcfs: break;
  }
  const bool is_due = seq.num_overtaken >= kMostOvertaken;
  return {later, priority, is_due ? 0 : 1, is_due ? 0 : seq.rank};
}

auto KeyOf(QueuePolicy policy, const Sequence& seq) {
  const std::uint64_t number = Index(seq.request->id);
  const std::uint64_t arrival = seq.request->asked.arrival;
  return std::tuple(RankOf(policy, seq), arrival != 0 ? arrival : number, number, seq.choice);
}

auto Before(QueuePolicy policy) {
  return [policy](const std::unique_ptr<Sequence>& a, const std::unique_ptr<Sequence>& b) {
    return KeyOf(policy, *a) < KeyOf(policy, *b);
  };
}

}  // namespace

std::span<const std::string_view> QueuePolicyNames() { return kNames; }

std::optional<QueuePolicy> FindQueuePolicy(std::string_view name) {
  const auto* const found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<QueuePolicy>(found - kNames.begin());
}

bool MayOvertake(QueuePolicy policy, std::size_t num_waiting) {
  return policy == QueuePolicy::kRandom || (LooksIntoCache(policy) && num_waiting <= kMostMatched);
}

void OrderQueue(QueuePolicy policy, const PrefixCache& cache, WaitingQueue& waiting) {
  SetRanks(policy, cache, waiting);
  // A long queue is in order of arrival already, but for what was preempted since.
  if (!std::is_sorted(waiting.begin(), waiting.end(), Before(policy))) {
    std::sort(waiting.begin(), waiting.end(), Before(policy));
  }
}

void BringFirst(WaitingQueue& waiting, std::size_t place) {
  const auto begin = waiting.begin() + static_cast<std::ptrdiff_t>(place);
  const auto first = std::min_element(begin, waiting.end(), Before(QueuePolicy::kFair));
  if (first != waiting.end()) std::rotate(begin, first, first + 1);
}

}  // namespace espalier
