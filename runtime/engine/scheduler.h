// Scheduler: decides which tokens of which sequences run next, and owns all
// sequences. Touches no tensor and no socket.
//
// One step is Plan() -> (forward pass, sampling) -> Commit(). Between the two,
// the pages named in the batch are neither freed nor reused.
//
//   1. A step mixes prompts, chunks of prompts and single tokens, within the limits.
//      Running sequences go oldest first; a long prompt leaves room for the single
//      tokens of those behind it, so it stalls nobody. The oldest runs in every step.
//   2. A sequence is admitted when there are pages for all its tokens, and for all that run and
//      itself to grow to the length expected of their callers' outputs (expected_length.h), at
//      least one a running sequence. Nobody overtakes the first in the queue (policy.h)
//      that waits for pages, and no more than kMostOvertaken overtake any other.
//   3. Nothing is computed twice that is known to be shared. What rows of one step have in
//      common is run once (step_builder.h). A sequence that shares more with a running one
//      than may be shared that way, kSharedInStep tokens, waits and then finds it in the
//      cache: other choices of one request, and requests that would find kSharedPrefix
//      tokens more by then.
//   4. When pages run out a running sequence is preempted, of those that the step has not
//      planned yet: the one that is cheapest to lose, which has the fewest pages of its own.
//      What it computed is cached, and it is admitted again before all others. The oldest is
//      never preempted, so each step makes progress, and nobody is for ever: who was preempted
//      first is the oldest in the end. Under QueuePolicy::kPriority those of the highest number
//      are preempted first, also for one that waits, and the oldest of the lowest number never
//      is, for one that runs. To one that waits a sequence gives way kMostOusted times.
//   5. Where a grammar forces tokens (forced_tokens.h) they are appended without sampling,
//      and run with the next step. Where log-probabilities are asked for they are reported
//      when they have theirs, and the last token is always sampled.
//   6. Without the prefix cache nothing is shared, matched or kept.
//
// Thread safety: none. Engine thread only.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "radix/prefix_cache.h"
#include "runtime/engine/fair_shares.h"
#include "runtime/engine/forced_tokens.h"
#include "runtime/engine/policy.h"
#include "runtime/engine/sequence.h"
#include "runtime/engine/step_builder.h"
#include "runtime/engine/step_plan.h"

namespace espalier {

struct SchedulerOptions {
  int max_tokens = 512;  // of one step
  int max_rows = 64;
  int max_logits = 64;
  bool prefix_cache = true;
  bool in_batch_sharing = true;  // off: of what runs nothing is waited for, or run by one for all
  QueuePolicy policy = QueuePolicy::kLpm;
  double conservativeness = 1.0;  // of the length expected of outputs, when one more is admitted
  // For text that grammars force and for endings; null: neither. Outlives the scheduler.
  const Speller* speller = nullptr;
  bool jump_forward = true;
};

struct SchedulerCounts {
  std::int64_t num_finished = 0;  // choices
  std::int64_t num_preemptions = 0;
  std::int64_t cached_tokens = 0;    // of prompts, when first admitted
  std::int64_t computed_tokens = 0;  // run through the model
  std::int64_t output_tokens = 0;
  std::int64_t forced_tokens = 0;  // of those
  double radix_seconds = 0;        // spent in the prefix cache
};

class Scheduler {
 public:
  static constexpr int kSharedPrefix = 32;   // tokens worth waiting for
  static constexpr int kSharedInStep = 128;  // tokens that are not: they take pages of their own
  static constexpr int kMostOusted = 4;      // times that a better priority takes its place

  // `cache` and `vocabulary` must outlive the scheduler. REQUIRES: limits > 0.
  Scheduler(PrefixCache& cache, const SchedulerOptions& options, const Vocabulary& vocabulary);

  // What the grammar forces from the start is in `events`; it may be all of the output.
  // REQUIRES: CheckRequest passed it, against this cache; its grammar is ready.
  void Add(const std::shared_ptr<const QueuedRequest>& request, std::vector<TokenEvent>& events);

  // Ends all choices of a request that was not added, and says so in `events`.
  void Refuse(const QueuedRequest& request, FinishReason reason, const Status& error,
              std::vector<TokenEvent>& events);

  // Ends all choices of the request with kCancelled, and says so in `events`.
  // REQUIRES: no plan awaits its Commit.
  void Cancel(SeqId request, std::vector<TokenEvent>& events);
  void CancelAll(std::vector<TokenEvent>& events);

  // Chooses the next step. No rows iff idle(). The plan is valid until Commit, and its
  // memory is reused. REQUIRES: the last plan was committed.
  const StepPlan& Plan();

  // Takes what came of each row of the plan and appends what happened, in row order.
  // Moves out of `outputs`. REQUIRES: outputs.size() == the plan's rows.
  void Commit(std::span<RowOutput> outputs, std::vector<TokenEvent>& events);

  bool idle() const { return waiting_.empty() && running_.empty(); }
  int num_waiting() const { return static_cast<int>(waiting_.size()); }
  int num_running() const { return static_cast<int>(running_.size()); }
  const SchedulerCounts& counts() const { return counts_; }

 private:
  using SequencePtr = std::unique_ptr<Sequence>;
  struct Budget {
    int tokens = 0, logits = 0;
    int ready = 0;  // rows still to be looked at that need one token and its logits
  };

  // admission.cc
  void AdmitWaiting();
  bool AwaitsRunning(const Sequence& seq) const;
  QueuePolicy QueuePolicyNow() const;
  void CountOvertaken(const Sequence& admitted);
  bool Admit(Sequence& seq);
  int NumToGrow(const Sequence& seq) const;
  int NumMissing(const Sequence& seq, const PrefixLease& lease) const;
  PrefixLease Acquire(const Sequence& seq);
  PrefixLease Lease(const Sequence& seq, std::span<const TokenId> tokens);

  // scheduler.cc
  void PlanRows();
  int ChunkSize(const Sequence& seq, const StepBuilder::Shared& shared, const Budget& budget) const;
  void GiveBack(Sequence& seq);

  // preemption.cc
  bool MakeRoom(std::size_t place, int num_tokens);
  std::size_t CheapestToLose(std::size_t place) const;
  bool OustFor(const Sequence& seq);
  bool MayOust(const Sequence& victim, const Sequence& seq) const;
  void Preempt(std::size_t place);

  // commit.cc
  void CommitRow(const PlannedRow& row, RowOutput& output, std::vector<TokenEvent>& events);
  void CountTokens(const PlannedRow& row, int num_before);
  void CommitToken(Sequence& seq, RowOutput& output, TokenEvent& event);
  bool Append(Sequence& seq, TokenId token, std::optional<TokenLogprob> logprob, TokenEvent& event);
  void Force(Sequence& seq, TokenEvent& event);
  static void Report(Sequence& seq, TokenEvent& event);
  void Publish(Sequence& seq, int num_before);
  void Finish(Sequence& seq, FinishReason reason, TokenEvent& event);

  PrefixCache& cache_;
  const SchedulerOptions options_;
  const Vocabulary& vocabulary_;
  FairShares shares_;
  WaitingQueue waiting_;
  std::vector<SequencePtr> running_;  // in order of admission
  StepPlan plan_;
  StepBuilder builder_;
  std::unique_ptr<ForcedTokens> forced_;  // null: none are forced
  SchedulerCounts counts_;
};

}  // namespace espalier
