// The part of the scheduler that takes pages and places back from running sequences.
#include <algorithm>
#include <tuple>
#include <utility>

#include "kernels/base/check.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/stopwatch.h"

namespace espalier {

// Gets pages for the first num_tokens tokens of the running sequence at `place`, preempting it or
// some behind it if it must. Those before it are in the plan already. Returns false if it had to
// go itself, and then another is at its place.
bool Scheduler::MakeRoom(std::size_t place, int num_tokens) {
  Sequence& seq = *running_[place];
  for (;;) {
    {
      const Stopwatch stopwatch(counts_.radix_seconds);
      if (cache_.Extend(seq.lease, num_tokens)) return true;
    }
    ESP_CHECK(running_.size() > 1) << "one sequence alone outgrew the cache";
    const std::size_t victim = CheapestToLose(place);
    Preempt(victim);
    if (victim == place) return false;
  }
}

// Of the running sequences from `place` on. The oldest goes only for a better priority.
std::size_t Scheduler::CheapestToLose(std::size_t place) const {
  const auto loss = [&](std::size_t i) {
    const Sequence& seq = *running_[i];
    const bool by_priority = options_.policy == QueuePolicy::kPriority;
    const std::int64_t priority = by_priority ? seq.request->asked.priority : 0;
    return std::tuple(-priority, i == 0, seq.lease.num_own_pages(), -static_cast<std::int64_t>(i));
  };
  std::size_t cheapest = place;
  auto least = loss(place);
  for (std::size_t i = place + 1; i < running_.size(); ++i) {
    const auto next = loss(i);
    if (next >= least) continue;
    cheapest = i;
    least = next;
  }
  return cheapest;
}

bool Scheduler::MayOust(const Sequence& victim, const Sequence& seq) const {
  return victim.request->asked.priority > seq.request->asked.priority &&
         victim.num_ousted < kMostOusted;
}

// Preempts one running sequence of a worse priority for `seq`, which waits. Returns false if
// there is none, or if all of them together do not hold the pages that it lacks.
bool Scheduler::OustFor(const Sequence& seq) {
  if (options_.policy != QueuePolicy::kPriority) return false;
  const PrefixLease lease = Acquire(seq);
  int num_pages = cache_.num_available();
  std::size_t worst = running_.size();
  for (std::size_t i = 0; i < running_.size(); ++i) {
    const Sequence& victim = *running_[i];
    if (!MayOust(victim, seq)) continue;
    num_pages += victim.lease.num_own_pages();
    // Of one priority the newest, which is the first to lose its place by age too.
    const bool is_worse = worst == running_.size() || victim.request->asked.priority >=
                                                          running_[worst]->request->asked.priority;
    if (is_worse) worst = i;
  }
  if (worst == running_.size() || NumMissing(seq, lease) > num_pages) return false;
  ++running_[worst]->num_ousted;
  Preempt(worst);
  return true;
}

void Scheduler::Preempt(std::size_t place) {
  const auto at = running_.begin() + static_cast<std::ptrdiff_t>(place);
  SequencePtr seq = std::move(*at);
  running_.erase(at);
  GiveBack(*seq);
  seq->preempted = true;
  shares_.Enter(*seq->share);
  ++counts_.num_preemptions;
  waiting_.push_back(std::move(seq));  // the next step orders them
}

}  // namespace espalier
