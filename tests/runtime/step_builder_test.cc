// Steps over token trees: what paths share runs once, in one batch.
#include "runtime/engine/step_builder.h"

#include <gtest/gtest.h>

#include "runtime/engine/row_sampler.h"
#include "runtime/engine/scheduler.h"
#include "tests/runtime/fake_model.h"

namespace espalier {
namespace {

using Tokens = std::vector<TokenId>;

class StepBuilderTest : public testing::Test {
 protected:
  void Add(GenerateRequest request) {
    scheduler_.Add(CheckRequest(SeqId{++num_added_}, std::move(request), kBounds).value(), events_);
  }
  void AddTree(std::vector<ScoredPath> paths, std::string salt = "") {
    GenerateRequest request;
    request.sampling.max_new_tokens = 0;
    request.paths = std::move(paths);
    request.cache_salt = std::move(salt);
    Add(std::move(request));
  }
  void AddPrompt(Tokens prompt, SamplingParams sampling = {.max_new_tokens = 1}) {
    GenerateRequest request;
    request.prompt = std::move(prompt);
    request.sampling = std::move(sampling);
    Add(std::move(request));
  }

  struct Size {
    std::size_t tokens = 0, logits = 0;
    bool operator==(const Size& other) const = default;
  };
  // One step: what it ran. Its events are kept.
  Size Step() {
    const StepPlan& plan = scheduler_.Plan();
    const Size size{plan.batch.num_tokens(), plan.batch.num_logits()};
    std::vector<float> logits(size.logits * test::kFakeVocab);
    model_.Compute(plan.batch, {logits});
    const std::vector<RowMask> masks(plan.rows.size());
    scheduler_.Commit(sampler_.Run(plan, logits, masks), events_);
    return size;
  }

  // The scores of a tree's paths are those of each alone, and it has ended.
  void ExpectScores(const std::vector<ScoredPath>& paths) {
    ASSERT_EQ(events_.size(), paths.size());
    for (const TokenEvent& event : events_) {
      const ScoredPath& path = paths[static_cast<std::size_t>(event.choice)];
      EXPECT_TRUE(
          test::Same(event.prompt_logprobs,
                     test::ScoresFrom(path.tokens, static_cast<std::size_t>(path.start), 0)));
      EXPECT_EQ(event.finish, FinishReason::kLength);
    }
  }

  static constexpr RequestBounds kBounds{
      .context_length = 1000, .kv_cache_tokens = 1024, .vocab_size = test::kFakeVocab};
  const std::shared_ptr<const Vocabulary> vocabulary_ = test::FakeVocabulary();
  PrefixCache cache_{256, 4};
  test::FakeModel model_{256, 4};
  Scheduler scheduler_{cache_, {.max_tokens = 512, .max_rows = 64, .max_logits = 64}, *vocabulary_};
  ThreadPool pool_{1};
  RowSampler sampler_{pool_, test::kFakeVocab, test::kFakeVocab};
  std::vector<TokenEvent> events_;
  std::uint64_t num_added_ = 0;
};

TEST_F(StepBuilderTest, ATreeRunsOnceInOneStep) {
  // After 1 2 3 4 5: 6 7 | 6 7 1 | 6 2 1 | 7
  const std::vector<ScoredPath> paths = {{{1, 2, 3, 4, 5, 6, 7}, 5},
                                         {{1, 2, 3, 4, 5, 6, 7, 1}, 5},
                                         {{1, 2, 3, 4, 5, 6, 2, 1}, 5},
                                         {{1, 2, 3, 4, 5, 7}, 5}};
  AddTree(paths);
  EXPECT_EQ(Step(), (Size{8, 4}));  // 1 2 3 4 5 6 7 and 2; after 5, 6, 7 and 2
  EXPECT_TRUE(scheduler_.idle());
  ExpectScores(paths);
}

TEST_F(StepBuilderTest, ChoicesOfOneTokenCostTheirPromptOnly) {
  std::vector<ScoredPath> paths;
  for (TokenId token = 1; token < 40; ++token) paths.push_back({{1, 2, 3, token}, 3});
  AddTree(paths);
  EXPECT_EQ(Step(), (Size{3, 1}));
  ExpectScores(paths);
}

TEST_F(StepBuilderTest, WhatIsCachedDoesNotRunAgain) {
  AddPrompt({1, 2, 3, 4, 5, 6}, {.max_new_tokens = 0});
  EXPECT_EQ(Step(), (Size{6, 0}));
  events_.clear();
  const std::vector<ScoredPath> paths = {{{1, 2, 3, 4, 5, 6, 7, 1}, 6}, {{1, 2, 3, 4, 5, 6, 2}, 6}};
  AddTree(paths);
  EXPECT_EQ(Step(), (Size{2, 2}));  // 6 again, for its logits, and 7
  ExpectScores(paths);
}

TEST_F(StepBuilderTest, PathsMayHaveNothingInCommon) {
  const std::vector<ScoredPath> paths = {{{1}, 0}, {{2, 3}, 0}, {{2, 4, 4}, 1}, {{5, 1}, 0}};
  AddTree(paths);
  EXPECT_EQ(Step(), (Size{3, 3}));  // 2, 4 and 5; the path of one token ended unrun
  ExpectScores(paths);
}

TEST_F(StepBuilderTest, ATreeTooLargeForAStepTakesSeveral) {
  std::vector<ScoredPath> paths;
  for (TokenId token = 1; token < 8; ++token) {
    Tokens tokens = {1, 2, 3};
    tokens.insert(tokens.end(), 20, token);
    paths.push_back({std::move(tokens), 3});
  }
  AddTree(paths);
  std::size_t num_tokens = 0, num_steps = 0;
  for (; !scheduler_.idle(); ++num_steps) num_tokens += Step().tokens;
  EXPECT_EQ(num_steps, 3u);  // 7 * 19 + 1 logits, 64 a step
  EXPECT_EQ(num_tokens, 3u + 7 * 19);
  ExpectScores(paths);
}

TEST_F(StepBuilderTest, WhoFindsNoRoomStillTakesWhatOthersRun) {
  Scheduler narrow(cache_, {.max_tokens = 8, .max_logits = 8}, *vocabulary_);
  GenerateRequest request;
  request.sampling.max_new_tokens = 0;
  for (TokenId last = 1; last < 4; ++last) {
    request.paths.push_back({{1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, last}, 11});
  }
  std::vector<TokenEvent> events;
  narrow.Add(CheckRequest(SeqId{1}, request, kBounds).value(), events);
  std::size_t num_tokens = 0;
  while (!narrow.idle()) {
    const StepPlan& plan = narrow.Plan();
    num_tokens += plan.batch.num_tokens();
    std::vector<RowOutput> outputs(plan.rows.size());
    for (std::size_t r = 0; r < outputs.size(); ++r) {
      outputs[r].scores.resize(static_cast<std::size_t>(plan.rows[r].num_scores));
    }
    narrow.Commit(outputs, events);
  }
  EXPECT_EQ(num_tokens, 11u);
}

TEST_F(StepBuilderTest, AnotherNameSpaceSharesNothing) {
  AddTree({{{1, 2, 3, 4}, 3}});
  AddTree({{{1, 2, 3, 5}, 3}}, "salt");
  EXPECT_EQ(Step(), (Size{6, 2}));
}

TEST_F(StepBuilderTest, ChoicesOfARequestAndForksRunTheirTextOnce) {
  AddPrompt({1, 2, 3, 4, 5, 6, 7}, {.temperature = 0, .max_new_tokens = 1, .n = 3});
  AddPrompt({1, 2, 3, 4, 5, 6, 7, 1});
  AddPrompt({1, 2, 3, 4, 5, 6, 7, 2});
  EXPECT_EQ(Step(), (Size{9, 3}));
  EXPECT_EQ(events_.size(), 5u);
  EXPECT_EQ(events_[0].usage.cached_tokens, 0);
  EXPECT_EQ(events_[1].usage.cached_tokens, 7);  // all of it
  EXPECT_EQ(events_[0].tokens, events_[2].tokens);
}

TEST_F(StepBuilderTest, LongPromptsAreFoundInTheCacheInstead) {
  Tokens prompt(Scheduler::kSharedInStep + 60, 3);
  for (TokenId last = 1; last < 4; ++last) {
    prompt.back() = last;
    AddPrompt(prompt);
  }
  EXPECT_EQ(Step().tokens, prompt.size());  // one goes first
  EXPECT_EQ(Step().tokens, 2u);             // then the others their last
  EXPECT_TRUE(scheduler_.idle());
}

TEST_F(StepBuilderTest, WithoutTheCacheNothingIsShared) {
  Scheduler alone(cache_, {.max_tokens = 512, .prefix_cache = false}, *vocabulary_);
  GenerateRequest request;
  request.paths = {{{1, 2, 3, 4}, 3}, {{1, 2, 3, 5}, 3}};
  request.sampling.max_new_tokens = 0;
  std::vector<TokenEvent> events;
  alone.Add(CheckRequest(SeqId{1}, request, kBounds).value(), events);
  EXPECT_EQ(alone.Plan().batch.num_tokens(), 6u);
  std::vector<RowOutput> outputs(2);
  alone.Commit(outputs, events);
}

TEST(ScoredPathTest, IsJudgedBeforeItRuns) {
  const RequestBounds bounds{.context_length = 4, .kv_cache_tokens = 64, .vocab_size = 9};
  const auto code = [&](GenerateRequest request) {
    return CheckRequest(SeqId{1}, std::move(request), bounds).status().code();
  };
  GenerateRequest request;
  request.sampling.max_new_tokens = 0;
  request.paths = {{{1, 2}, 1}};
  EXPECT_EQ(code(request), Code::kOk);
  for (const ScoredPath& bad :
       {ScoredPath{{}, 0}, ScoredPath{{1}, 1}, ScoredPath{{1}, -1}, ScoredPath{{1, 9}, 0}}) {
    GenerateRequest wrong = request;
    wrong.paths.push_back(bad);
    EXPECT_EQ(code(wrong), Code::kInvalidArgument);
  }
  GenerateRequest longer = request;
  longer.paths.push_back({{1, 1, 1, 1, 1}, 0});
  EXPECT_EQ(code(longer), Code::kLimit);
  GenerateRequest generates = request;
  generates.sampling.max_new_tokens = 1;
  EXPECT_EQ(code(generates), Code::kInvalidArgument);
}

}  // namespace
}  // namespace espalier
