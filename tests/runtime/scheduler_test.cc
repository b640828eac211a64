// Who gets to run, where the invariance test would not notice: outputs are the same
// however long a sequence waits.
#include "runtime/engine/scheduler.h"

#include <gtest/gtest.h>

#include "tests/runtime/fake_model.h"

namespace espalier {
namespace {

class SchedulerTest : public testing::Test {
 protected:
  void Add(std::vector<TokenId> prompt, SamplingParams sampling) {
    GenerateRequest request;
    request.prompt = std::move(prompt);
    request.sampling = std::move(sampling);
    request.sampling.ignore_eos = true;
    std::vector<TokenEvent> events;
    scheduler_.Add(CheckRequest(SeqId{++num_added_}, std::move(request), kBounds).value(), events);
  }

  // One step in which every row that samples gets token 1.
  std::vector<TokenEvent> Step() {
    std::vector<RowOutput> outputs(scheduler_.Plan().rows.size());
    for (RowOutput& output : outputs) output.token = 1;
    std::vector<TokenEvent> events;
    scheduler_.Commit(outputs, events);
    return events;
  }

  static constexpr RequestBounds kBounds{
      .context_length = 1000, .kv_cache_tokens = 1024, .vocab_size = test::kFakeVocab};
  const std::shared_ptr<const Vocabulary> vocabulary_ = test::FakeVocabulary();
  PrefixCache cache_{256, 4};
  Scheduler scheduler_{cache_, {.max_tokens = 2, .max_rows = 4, .max_logits = 2}, *vocabulary_};
  std::uint64_t num_added_ = 0;
};

// More rows with one token than a step has room for stand behind a long prompt, and
// when one of them ends the next is there.
TEST_F(SchedulerTest, LongPromptGoesOnHoweverManySingleTokensStandBehindIt) {
  SamplingParams sampling;
  sampling.max_new_tokens = 1;
  sampling.logprob_start_len = 0;  // each of its tokens wants logits too
  Add(std::vector<TokenId>(40, 2), sampling);
  bool finished = false;
  for (int step = 0; step < 100 && !finished; ++step) {
    while (scheduler_.num_waiting() + scheduler_.num_running() < 6) {
      Add({static_cast<TokenId>(3 + num_added_ % 4)}, {.max_new_tokens = 3});
    }
    for (const TokenEvent& event : Step()) {
      finished |= event.request == SeqId{1} && event.finish == FinishReason::kLength;
    }
  }
  EXPECT_TRUE(finished);
}

// Requests that find their prompt cached come without end.
TEST_F(SchedulerTest, RequestWithNothingCachedGetsItsTurn) {
  const std::vector<TokenId> cached(12, 7);
  Add(cached, {.max_new_tokens = 1});
  while (!scheduler_.idle()) Step();
  const SeqId uncached{num_added_ + 6};
  bool finished = false;
  for (int step = 0; step < 1000 && !finished; ++step) {
    while (scheduler_.num_waiting() < 5) Add(cached, {.max_new_tokens = 2});
    if (num_added_ + 1 == Index(uncached)) Add({3, 4, 5}, {.max_new_tokens = 1});
    for (const TokenEvent& event : Step()) {
      finished |= event.request == uncached && event.finish == FinishReason::kLength;
    }
  }
  EXPECT_TRUE(finished);
}

}  // namespace
}  // namespace espalier
