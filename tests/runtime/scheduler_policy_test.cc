// What callers and priorities get of a scheduler, and that nobody waits for ever.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <string>

#include "runtime/engine/scheduler.h"
#include "tests/runtime/fake_model.h"

namespace espalier {
namespace {

constexpr int kNumPages = 64;
constexpr int kPageSize = 4;

// A scheduler whose model says token 1 always.
class Served {
 public:
  Served(QueuePolicy policy, int max_rows, int num_pages = kNumPages, double conservativeness = 1)
      : cache_(num_pages, kPageSize),
        scheduler_(cache_,
                   {.max_tokens = 64,
                    .max_rows = max_rows,
                    .max_logits = 64,
                    .policy = policy,
                    .conservativeness = conservativeness},
                   *vocabulary_) {}

  // Random tokens, so that nothing is shared.
  SeqId Add(const std::string& caller, int num_prompt, int max_new, int priority = 0) {
    GenerateRequest request;
    request.caller = caller;
    request.priority = priority;
    for (int i = 0; i < num_prompt; ++i) request.prompt.push_back(1 + static_cast<int>(rng_() % 7));
    request.sampling.max_new_tokens = max_new;
    request.sampling.ignore_eos = true;
    const SeqId id{++num_added_};
    callers_[id] = caller;
    ++backlog_[caller];
    std::vector<TokenEvent> events;
    scheduler_.Add(CheckRequest(id, std::move(request), kBounds).value(), events);
    return id;
  }

  void Step() {
    const StepPlan& plan = scheduler_.Plan();
    std::vector<RowOutput> outputs(plan.rows.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      outputs[i].token = 1;
      const Sequence& seq = *plan.rows[i].sequence;
      const bool is_first = first_step_.try_emplace(seq.request->id, num_steps_).second;
      if (!is_first) continue;
      const std::string& caller = seq.request->asked.caller;
      work_[caller] += FairShares::kInputWeight * (seq.num_prompt() - *seq.num_cached_prompt);
      --backlog_[caller];
    }
    std::vector<TokenEvent> events;
    scheduler_.Commit(outputs, events);
    for (const TokenEvent& event : events) {
      work_[callers_[event.request]] +=
          FairShares::kOutputWeight * static_cast<std::int64_t>(event.tokens.size());
      if (event.finish != FinishReason::kNone) last_step_[event.request] = num_steps_;
    }
    ++num_steps_;
  }

  bool finished(SeqId id) const { return last_step_.contains(id); }
  int first_step(SeqId id) const { return first_step_.at(id); }
  int backlog(const std::string& caller) { return backlog_[caller]; }  // that did not begin
  std::int64_t work(const std::string& caller) { return work_[caller]; }
  Scheduler& scheduler() { return scheduler_; }
  int num_steps() const { return num_steps_; }

 private:
  static constexpr RequestBounds kBounds{.context_length = 1000,
                                         .kv_cache_tokens = kNumPages * kPageSize,
                                         .vocab_size = test::kFakeVocab};
  const std::shared_ptr<const Vocabulary> vocabulary_ = test::FakeVocabulary();
  PrefixCache cache_;
  Scheduler scheduler_;
  std::mt19937 rng_{1};
  std::uint64_t num_added_ = 0;
  int num_steps_ = 0;
  std::map<SeqId, std::string> callers_;
  std::map<SeqId, int> first_step_, last_step_;
  std::map<std::string, int> backlog_;
  std::map<std::string, std::int64_t> work_;
};

// The widest that the difference of what two callers were served moves while both have
// something waiting: one asks for more and longer.
std::int64_t Unfairness(QueuePolicy policy, int num_steps) {
  Served served(policy, 8);
  std::int64_t low = 0, high = 0;
  for (int step = 0; step < num_steps; ++step) {
    while (served.backlog("greedy") < 40) served.Add("greedy", 20, 30);
    while (served.backlog("modest") < 10) served.Add("modest", 5, 10);
    served.Step();
    const std::int64_t difference = served.work("greedy") - served.work("modest");
    low = std::min(low, difference);
    high = std::max(high, difference);
  }
  return high - low;
}

TEST(SchedulerPolicy, FairKeepsTwoCallersWithinTheBoundOfThePaper) {
  constexpr std::int64_t kBound = 2 * std::max(FairShares::kInputWeight * 20,
                                               FairShares::kOutputWeight * kNumPages * kPageSize);
  EXPECT_LE(Unfairness(QueuePolicy::kFair, 300), kBound);
  EXPECT_LE(Unfairness(QueuePolicy::kFair, 3000), kBound);  // however long
  EXPECT_GT(Unfairness(QueuePolicy::kFcfs, 3000), 5 * kBound);
}

TEST(SchedulerPolicy, FairLetsANewCallerInBeforeABacklog) {
  Served served(QueuePolicy::kFair, 4);
  for (int i = 0; i < 200; ++i) served.Add("greedy", 8, 8);
  for (int i = 0; i < 50; ++i) served.Step();
  const SeqId late = served.Add("late", 8, 8);
  for (int i = 0; i < 20; ++i) served.Step();
  EXPECT_TRUE(served.finished(late));
}

TEST(SchedulerPolicy, PriorityTakesTheRowOfARunningOne) {
  for (const QueuePolicy policy : {QueuePolicy::kPriority, QueuePolicy::kFcfs}) {
    Served served(policy, 2);
    const SeqId low = served.Add("", 8, 100, 5);
    const SeqId middle = served.Add("", 8, 100, 3);
    for (int i = 0; i < 5; ++i) served.Step();
    const SeqId high = served.Add("", 8, 4, 1);
    for (int i = 0; i < 10; ++i) served.Step();
    EXPECT_EQ(served.finished(high), policy == QueuePolicy::kPriority);
    while (!served.scheduler().idle()) served.Step();
    EXPECT_TRUE(served.finished(low) && served.finished(middle));
    EXPECT_EQ(served.scheduler().counts().num_preemptions, policy == QueuePolicy::kPriority);
  }
}

TEST(SchedulerPolicy, PriorityTakesThePagesOfRunningOnes) {
  Served served(QueuePolicy::kPriority, 8, 16);
  for (int i = 0; i < 3; ++i) served.Add("", 12, 4 + i, 5);
  served.Step();
  const SeqId high = served.Add("", 50, 2, 1);
  served.Step();
  EXPECT_EQ(served.first_step(high), 1);
  while (!served.scheduler().idle()) served.Step();
  EXPECT_TRUE(served.finished(high));
}

// Better ones come without end, and yet it gives way a bounded number of times.
TEST(SchedulerPolicy, PriorityDoesNotTakeTheSamePlaceForEver) {
  Served served(QueuePolicy::kPriority, 1);
  const SeqId low = served.Add("", 8, 20, 5);
  int num_ousters = 0;
  for (; num_ousters < 100 && !served.finished(low); ++num_ousters) {
    for (int i = 0; i < 4; ++i) served.Step();
    served.Add("", 4, 2, 1);
  }
  EXPECT_TRUE(served.finished(low));
  EXPECT_EQ(served.scheduler().counts().num_preemptions, Scheduler::kMostOusted);
}

// A pool that holds three of ten outputs: whoever runs first, all end, under each policy.
TEST(SchedulerPolicy, AllEndHoweverShortPagesAre) {
  for (int policy = 0; policy < 6; ++policy) {
    Served served(static_cast<QueuePolicy>(policy), 16, kNumPages, 0);
    std::vector<SeqId> ids;
    for (int i = 0; i < 40; ++i) ids.push_back(served.Add("", 2 + i % 9, 60 + i, i % 4));
    while (!served.scheduler().idle() && served.num_steps() < 20000) served.Step();
    for (const SeqId id : ids) EXPECT_TRUE(served.finished(id)) << policy;
    EXPECT_GT(served.scheduler().counts().num_preemptions, 10);
  }
}

// Outputs of one length: once it is known nobody is let in who would have to go again.
TEST(SchedulerPolicy, ExpectedLengthsSavePreemptions) {
  const auto num_preemptions = [](double conservativeness) {
    Served served(QueuePolicy::kFcfs, 16, kNumPages, conservativeness);
    for (int i = 0; i < 60; ++i) served.Add("", 4, 60);
    while (!served.scheduler().idle()) served.Step();
    return served.scheduler().counts().num_preemptions;
  };
  EXPECT_GT(num_preemptions(0), 4 * num_preemptions(1));
}

}  // namespace
}  // namespace espalier
