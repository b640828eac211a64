// The part of the scheduler that lets waiting sequences in.
#include <algorithm>
#include <utility>

#include "kernels/base/check.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/stopwatch.h"

namespace espalier {
namespace {

int CommonPrefix(std::span<const TokenId> a, std::span<const TokenId> b) {
  return static_cast<int>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

}  // namespace

void Scheduler::AdmitWaiting() {
  const auto max_running = static_cast<std::size_t>(options_.max_rows);
  if (waiting_.empty() || running_.size() >= max_running) return;
  const Stopwatch stopwatch(counts_.radix_seconds);
  OrderQueue(options_.prefix_cache ? options_.policy : QueuePolicy::kFcfs, cache_, waiting_);
  std::size_t num_passed = 0;  // those that wait for a running sequence
  while (num_passed < std::min(waiting_.size(), kMostMatched) && running_.size() < max_running) {
    const auto next = waiting_.begin() + static_cast<std::ptrdiff_t>(num_passed);
    if (AwaitsRunning(**next)) {
      ++num_passed;
      continue;
    }
    if (!Admit(**next)) break;
    running_.push_back(std::move(*next));
    waiting_.erase(next);
  }
}

// Whether a running sequence is just computing what `seq` would do well to reuse.
bool Scheduler::AwaitsRunning(const Sequence& seq) const {
  if (!options_.prefix_cache) return false;
  const auto prefix = std::span(seq.tokens).first(static_cast<std::size_t>(seq.max_matched()));
  for (const SequencePtr& other : running_) {
    if (other->request == seq.request) {
      if (other->num_computed < seq.num_prompt()) return true;
      continue;
    }
    if (other->num_pending() == 1) continue;
    if (other->request->asked.cache_salt != seq.request->asked.cache_salt) continue;
    const int common = CommonPrefix(prefix, other->tokens);
    const int whole_pages = common / cache_.page_size() * cache_.page_size();
    if (whole_pages < kSharedPrefix || whole_pages <= other->num_computed) continue;
    const int matched = cache_.Match(prefix, seq.request->asked.cache_salt);
    if (whole_pages - matched >= kSharedPrefix) return true;
  }
  return false;
}

PrefixLease Scheduler::Acquire(const Sequence& seq) {
  const int most = options_.prefix_cache ? seq.max_matched() : 0;
  return cache_.Acquire(std::span(seq.tokens).first(static_cast<std::size_t>(most)),
                        seq.request->asked.cache_salt);
}

// Leases what is cached and pages for the rest. Returns false if there are too few.
bool Scheduler::Admit(Sequence& seq) {
  PrefixLease lease = Acquire(seq);
  const int page_size = cache_.page_size();
  const int missing =
      (seq.num_tokens() + page_size - 1) / page_size - static_cast<int>(lease.pages().size());
  if (!running_.empty() && missing + num_running() > cache_.num_available()) return false;
  ESP_CHECK(cache_.Extend(lease, seq.num_tokens())) << "a request that never fits was let in";
  seq.lease = std::move(lease);
  seq.num_computed = seq.lease.num_matched();
  seq.preempted = false;
  if (!seq.num_cached_prompt) {
    seq.num_cached_prompt = seq.num_computed;
    counts_.cached_tokens += seq.num_computed;
  }
  return true;
}

}  // namespace espalier
