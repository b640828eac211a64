// The part of the scheduler that lets waiting sequences in.
#include <algorithm>
#include <utility>

#include "kernels/base/check.h"
#include "radix/common_prefix.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/stopwatch.h"

namespace espalier {

void Scheduler::AdmitWaiting() {
  const auto max_running = static_cast<std::size_t>(options_.max_rows);
  const QueuePolicy policy = QueuePolicyNow();
  if (waiting_.empty()) return;
  if (running_.size() >= max_running && policy != QueuePolicy::kPriority) return;
  const Stopwatch stopwatch(counts_.radix_seconds);
  OrderQueue(policy, cache_, waiting_);
  std::size_t num_passed = 0;  // those that wait for a running sequence
  while (num_passed < std::min(waiting_.size(), kMostMatched)) {
    Sequence& next = *waiting_[num_passed];
    if (running_.size() < max_running && AwaitsRunning(next)) {
      ++num_passed;
      continue;
    }
    while (running_.size() >= max_running || !Admit(next)) {
      if (!OustFor(next)) return;
    }
    const auto at = waiting_.begin() + static_cast<std::ptrdiff_t>(num_passed);
    running_.push_back(std::move(*at));
    waiting_.erase(at);
    CountOvertaken(*running_.back());
    if (policy == QueuePolicy::kFair) BringFirst(waiting_, num_passed);
  }
}

// Without the prefix cache there is nothing to look for in it.
QueuePolicy Scheduler::QueuePolicyNow() const {
  const bool looks =
      options_.policy == QueuePolicy::kLpm || options_.policy == QueuePolicy::kDfsWeight;
  return looks && !options_.prefix_cache ? QueuePolicy::kFcfs : options_.policy;
}

void Scheduler::CountOvertaken(const Sequence& admitted) {
  if (!MayOvertake(options_.policy, waiting_.size())) return;
  for (const SequencePtr& seq : waiting_) {
    if (Index(seq->request->id) < Index(admitted.request->id)) ++seq->num_overtaken;
  }
}

// Whether a running sequence is just computing what `seq` would do well to find in the cache.
bool Scheduler::AwaitsRunning(const Sequence& seq) const {
  if (!options_.prefix_cache || !options_.in_batch_sharing) return false;
  const std::string& salt = seq.request->asked.cache_salt;
  const std::span<const TokenId> prefix = seq.matchable();
  for (const SequencePtr& other : running_) {
    if (other->num_pending() == 1 || other->request->asked.cache_salt != salt) continue;
    const int common = CommonPrefix(prefix, other->tokens);
    if (common <= other->num_computed) continue;
    const int matched = cache_.Match(prefix, salt);
    const bool runs_beside = matched >= other->num_computed && common - matched <= kSharedInStep;
    if (runs_beside) continue;
    // The choices of one request find its last, partly filled page too (commit.cc).
    const bool is_choice = other->request == seq.request;
    const int to_find = is_choice ? common : common / cache_.page_size() * cache_.page_size();
    const int least = is_choice ? 1 : kSharedPrefix;
    if (to_find > other->num_computed && to_find - matched >= least) return true;
  }
  return false;
}

PrefixLease Scheduler::Acquire(const Sequence& seq) {
  return Lease(seq, options_.prefix_cache ? seq.matchable() : std::span<const TokenId>());
}

PrefixLease Scheduler::Lease(const Sequence& seq, std::span<const TokenId> tokens) {
  const GenerateRequest& asked = seq.request->asked;
  PrefixLease lease = cache_.Acquire(tokens, asked.cache_salt);
  Retention retention{.priority = asked.priority};
  if (asked.retention_s) retention.lasts_us = static_cast<std::uint64_t>(*asked.retention_s * 1e6);
  lease.set_retention(retention);
  return lease;
}

// Leases what is cached and pages for the rest. Returns false if there are too few.
bool Scheduler::Admit(Sequence& seq) {
  PrefixLease lease = Acquire(seq);
  if (!running_.empty() && NumMissing(seq, lease) > cache_.num_available()) return false;
  ESP_CHECK(cache_.Extend(lease, seq.num_to_run())) << "a request that never fits was let in";
  seq.lease = std::move(lease);
  seq.num_computed = seq.lease.num_matched();
  seq.preempted = false;
  shares_.Leave(*seq.share);
  if (!seq.num_cached_prompt) {
    // Tokens that a grammar forced behind the prompt may be cached too: they are no prompt.
    seq.num_cached_prompt = std::min(seq.num_computed, seq.num_prompt());
    counts_.cached_tokens += *seq.num_cached_prompt;
    // They are counted, also if they are evicted before a first step and come in otherwise.
    seq.num_once_computed = seq.num_computed;
    seq.share->served += FairShares::kInputWeight * seq.num_pending();
  }
  return true;
}

// Tokens that are expected of its output still.
int Scheduler::NumToGrow(const Sequence& seq) const {
  const int length = seq.share->output.Of(seq.request->max_new_tokens, options_.conservativeness);
  return std::max(length - seq.num_output(), 0);
}

// Pages for what is to run, and those to grow into.
int Scheduler::NumMissing(const Sequence& seq, const PrefixLease& lease) const {
  const int page_size = cache_.page_size();
  const auto missing = [&](int num_tokens, const PrefixLease& of) {
    return (num_tokens + page_size - 1) / page_size - static_cast<int>(of.pages().size());
  };
  int num_pages = missing(seq.num_to_run() + NumToGrow(seq), lease);
  for (const SequencePtr& other : running_) {
    num_pages += std::max(missing(other->num_tokens() + NumToGrow(*other), other->lease), 1);
  }
  return num_pages;
}

}  // namespace espalier
