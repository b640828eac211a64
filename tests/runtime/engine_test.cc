#include "runtime/engine/engine.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <thread>

#include "radix/prefix_cache.h"
#include "runtime/engine/outbox.h"
#include "tests/runtime/fake_model.h"

namespace espalier {
namespace {

using test::Answer;

GenerateRequest Request(std::vector<TokenId> prompt, int max_new_tokens) {
  GenerateRequest request;
  request.prompt = std::move(prompt);
  request.sampling.max_new_tokens = max_new_tokens;
  request.sampling.ignore_eos = true;
  return request;
}

// A model whose logits are not numbers after a prompt that begins with token 7.
class FaultyModel : public test::FakeModel {
 public:
  using FakeModel::FakeModel;
  void Forward(const Batch& batch, KvPool& kv, const ModelOutput& output) override {
    FakeModel::Forward(batch, kv, output);
    for (std::size_t row = 0; row < batch.num_rows(); ++row) {
      const auto first = static_cast<std::size_t>(batch.start[row]);
      if (batch.tokens[first] != 7 || batch.position[first] != 0) continue;
      for (auto i = batch.logits_start[row]; i < batch.logits_start[row + 1]; ++i) {
        output.logits[static_cast<std::size_t>(i * test::kFakeVocab)] =
            std::numeric_limits<float>::quiet_NaN();
      }
    }
  }
};

// A model with two more logits a row than there are tokens: the largest, or none.
class PaddedModel : public test::FakeModel {
 public:
  using FakeModel::FakeModel;
  std::int32_t vocab_size() const override { return test::kFakeVocab + 2; }
  void Forward(const Batch& batch, KvPool& kv, const ModelOutput& output) override {
    std::vector<float> of_tokens(batch.num_logits() * test::kFakeVocab);
    FakeModel::Forward(batch, kv, {of_tokens, output.hidden});
    for (std::size_t row = 0; row < batch.num_logits(); ++row) {
      const auto from = std::span(of_tokens).subspan(row * test::kFakeVocab, test::kFakeVocab);
      const auto to = output.logits.subspan(row * (test::kFakeVocab + 2));
      std::copy(from.begin(), from.end(), to.begin());
      to[test::kFakeVocab] = 1000;
      to[test::kFakeVocab + 1] = std::numeric_limits<float>::quiet_NaN();
    }
  }
};

class EngineTest : public testing::Test {
 protected:
  static constexpr int kTokens = 64;

  void Start(EngineOptions options) {
    options.kv_cache_tokens = kTokens;
    options.page_size = 4;
    auto engine = Engine::Create(options, model_, test::FakeVocabulary(), pool_, outbox_);
    ASSERT_TRUE(engine.ok()) << engine.status().message();
    engine_ = std::move(engine).value();
  }

  std::map<SeqId, Answer> RunAll() {
    std::map<SeqId, Answer> answers;
    while (engine_->Step()) {
    }
    for (const TokenEvent& event : outbox_.TakeAll()) {
      test::Append(event, answers[event.request]);
      last_[event.request] = event;
    }
    return answers;
  }

  ThreadPool pool_{2};
  Outbox outbox_;
  FaultyModel model_{kTokens / 4, 4, 50};
  std::unique_ptr<Engine> engine_;
  std::map<SeqId, TokenEvent> last_;  // of each request
};

TEST_F(EngineTest, AnswersAsTheRequestAloneWould) {
  Start({});
  const GenerateRequest request = Request({1, 2, 3}, 9);
  const SeqId id = *engine_->Submit(request);
  std::map<SeqId, Answer> answers = RunAll();
  EXPECT_TRUE(answers[id] == test::AnswerAlone(request, 0));
  EXPECT_EQ(last_[id].usage.prompt_tokens, 3);
  EXPECT_EQ(last_[id].usage.completion_tokens, 9);
  EXPECT_FALSE(engine_->Step());
}

TEST_F(EngineTest, CachedTokensAreTheCommonPrefixLessTheTokenThatRuns) {
  Start({});
  const std::vector<TokenId> prompt = {1, 2, 3, 4, 5, 6};
  ASSERT_TRUE(engine_->Submit(Request(prompt, 0)).ok());
  RunAll();
  const SeqId same = *engine_->Submit(Request(prompt, 1));
  const SeqId longer = *engine_->Submit(Request({1, 2, 3, 4, 5, 6, 1, 2}, 1));
  const SeqId other = *engine_->Submit(Request({1, 2, 1}, 1));
  RunAll();
  EXPECT_EQ(last_[same].usage.cached_tokens, 5);
  EXPECT_EQ(last_[longer].usage.cached_tokens, 6);
  EXPECT_EQ(last_[other].usage.cached_tokens, 2);
  engine_->FlushCache();
  const SeqId after = *engine_->Submit(Request(prompt, 1));
  RunAll();
  EXPECT_EQ(last_[after].usage.cached_tokens, 0);
}

TEST_F(EngineTest, ChoicesShareThePromptAndDiffer) {
  Start({});
  GenerateRequest request = Request({1, 2, 3, 4, 5, 6}, 8);
  request.sampling.n = 4;
  request.sampling.seed = 17;
  const SeqId id = *engine_->Submit(request);
  while (engine_->Step()) {
  }
  std::map<std::int32_t, Answer> answers;
  for (const TokenEvent& event : outbox_.TakeAll()) {
    test::Append(event, answers[event.choice]);
    EXPECT_EQ(event.request, id);
    if (event.finish != FinishReason::kNone) {
      EXPECT_EQ(event.usage.cached_tokens, event.choice == 0 ? 0 : 6);  // run once for all
      EXPECT_EQ(event.seed, 17u);
    }
  }
  ASSERT_EQ(answers.size(), 4u);
  EXPECT_NE(answers[0].tokens, answers[1].tokens);
  for (int choice = 0; choice < 4; ++choice) {
    EXPECT_TRUE(answers[choice] == test::AnswerAlone(request, choice)) << choice;
  }
}

TEST_F(EngineTest, ConstrainedOutputIsOneOfTheChoices) {
  Start({});
  const std::vector<std::string> choices = {"ab", "c", "bbab"};
  GenerateRequest request = Request({1, 2}, 20);
  request.grammar = *CompileGrammar({.kind = ConstraintKind::kChoice, .choices = choices},
                                    test::FakeVocabulary());
  std::map<SeqId, Answer> answers;
  for (int seed = 0; seed < 20; ++seed) {
    request.sampling.seed = static_cast<std::uint64_t>(seed);
    ASSERT_TRUE(engine_->Submit(request).ok());
  }
  for (const auto& [id, answer] : RunAll()) {
    EXPECT_EQ(std::ranges::count(choices, answer.text), 1) << answer.text;
    EXPECT_EQ(answer.finish, FinishReason::kStop);
  }
}

TEST_F(EngineTest, GrammarsAreCompiledBesideTheLoopAndHoldUpNobody) {
  Start({});
  std::thread runner([&] { engine_->Run(); });
  GenerateRequest request = Request({1, 2}, 20);
  request.constraint.kind = ConstraintKind::kChoice;
  request.constraint.choices = {"ab", "c", "bbab"};
  GenerateRequest wrong = request;
  wrong.constraint.choices = {""};
  std::vector<SeqId> right_ids, wrong_ids, plain_ids;
  for (int i = 0; i < 10; ++i) {
    right_ids.push_back(*engine_->Submit(request));
    wrong_ids.push_back(*engine_->Submit(wrong));
    plain_ids.push_back(*engine_->Submit(Request({3, 4}, 5)));
  }
  std::map<SeqId, Answer> answers;
  std::size_t num_done = 0;
  while (num_done < 30) {
    for (const TokenEvent& event : outbox_.Wait()) {
      test::Append(event, answers[event.request]);
      last_[event.request] = event;
      num_done += event.finish != FinishReason::kNone ? 1 : 0;
    }
  }
  engine_->Stop();
  runner.join();
  for (const SeqId id : right_ids) EXPECT_EQ(answers[id].finish, FinishReason::kStop);
  for (const SeqId id : plain_ids) EXPECT_EQ(answers[id].tokens.size(), 5u);
  for (const SeqId id : wrong_ids) {
    EXPECT_EQ(answers[id].finish, FinishReason::kError);
    EXPECT_EQ(last_[id].error.code(), Code::kInvalidArgument);
  }
}

TEST_F(EngineTest, RequestThatWaitsForItsGrammarCanBeCancelled) {
  Start({});
  std::atomic<bool> may_go = false;
  for (int i = 0; i < 4; ++i) pool_.Post([&] { may_go.wait(false); });
  GenerateRequest request = Request({1, 2}, 20);
  request.constraint.kind = ConstraintKind::kChoice;
  request.constraint.choices = {"ab"};
  request.sampling.n = 3;
  const SeqId id = *engine_->Submit(request);
  EXPECT_FALSE(engine_->Step());
  engine_->Cancel(id);
  EXPECT_TRUE(engine_->Step());
  const std::vector<TokenEvent> events = outbox_.TakeAll();
  ASSERT_EQ(events.size(), 3u);
  for (const TokenEvent& event : events) {
    EXPECT_EQ(event.request, id);
    EXPECT_EQ(event.finish, FinishReason::kCancelled);
  }
  may_go = true;
  may_go.notify_all();
  engine_.reset();
}

TEST_F(EngineTest, WhatTheGrammarForcesTakesNoSteps) {
  Start({.tokenizer = std::make_shared<const test::FakeTokenizer>()});
  GenerateRequest request = Request({6}, 20);
  ConstraintSpec spec;
  spec.kind = ConstraintKind::kChoice;
  spec.choices = {"abcabbc"};
  request.grammar = *CompileGrammar(spec, test::FakeVocabulary());
  const SeqId id = *engine_->Submit(request);
  EXPECT_EQ(RunAll()[id].text, "abcabbc");
  EXPECT_EQ(last_[id].finish, FinishReason::kStop);
  EXPECT_EQ(last_[id].usage.forced_tokens, last_[id].usage.completion_tokens);
  EXPECT_EQ(engine_->metrics().num_steps, 0);

  request.sampling.max_new_tokens = 2;
  const SeqId cut = *engine_->Submit(request);
  std::map<SeqId, Answer> answers = RunAll();
  EXPECT_EQ(answers[cut].tokens.size(), 2u);
  EXPECT_EQ(answers[cut].finish, FinishReason::kLength);

  request.sampling.max_new_tokens = 20;
  request.sampling.stop = {"ca"};
  const SeqId stopped = *engine_->Submit(request);
  answers = RunAll();
  EXPECT_EQ(answers[stopped].text, "ab");
  EXPECT_EQ(answers[stopped].matched_stop, "ca");
}

TEST_F(EngineTest, ForcedTokensOfAnEarlierOutputAreNoCachedPrompt) {
  Start({.tokenizer = std::make_shared<const test::FakeTokenizer>()});
  GenerateRequest request = Request({6, 6, 6, 6}, 20);
  ConstraintSpec spec;
  spec.kind = ConstraintKind::kChoice;
  spec.choices = {"!cabc", "!caba"};
  request.grammar = *CompileGrammar(spec, test::FakeVocabulary());
  ASSERT_TRUE(engine_->Submit(request).ok());
  RunAll();
  const SeqId again = *engine_->Submit(request);
  RunAll();
  EXPECT_GT(last_[again].usage.forced_tokens, 0);
  EXPECT_EQ(last_[again].usage.prompt_tokens, 4);
  EXPECT_EQ(last_[again].usage.cached_tokens, 4);
}

TEST_F(EngineTest, CompleteOutputIsWholeWithinItsBudget) {
  Start({.tokenizer = std::make_shared<const test::FakeTokenizer>()});
  GenerateRequest request = Request({1, 2}, 3);
  ConstraintSpec spec;
  spec.kind = ConstraintKind::kChoice;
  spec.choices = {"c!", "ca!", "cccccccc!", "bcbcbcbcbc!"};
  request.grammar = *CompileGrammar(spec, test::FakeVocabulary());
  request.sampling.complete = true;
  std::map<SeqId, Answer> answers;
  for (int seed = 0; seed < 20; ++seed) {
    request.sampling.seed = static_cast<std::uint64_t>(seed);
    request.sampling.return_logprob = seed % 2 == 0;
    ASSERT_TRUE(engine_->Submit(request).ok());
  }
  for (const auto& [id, answer] : RunAll()) {
    EXPECT_EQ(std::ranges::count(spec.choices, answer.text), 1) << answer.text;
    EXPECT_EQ(answer.finish, FinishReason::kStop);
    EXPECT_TRUE(answer.logprobs.empty() || answer.logprobs.size() == answer.tokens.size());
  }
}

TEST_F(EngineTest, FaultOfOneRequestEndsThatRequestOnly) {
  Start({});
  const GenerateRequest good = Request({1, 2}, 6);
  const SeqId bad = *engine_->Submit(Request({7, 1}, 6));
  const SeqId id = *engine_->Submit(good);
  std::map<SeqId, Answer> answers = RunAll();
  EXPECT_EQ(answers[bad].finish, FinishReason::kError);
  EXPECT_EQ(last_[bad].error.code(), Code::kInternal);
  EXPECT_TRUE(answers[id] == test::AnswerAlone(good, 0));
}

TEST_F(EngineTest, LogitsBeyondTheVocabularyAreNoTokens) {
  PaddedModel model(kTokens / 4, 4, 50);
  const EngineOptions options{.kv_cache_tokens = kTokens, .page_size = 4};
  engine_ = Engine::Create(options, model, test::FakeVocabulary(), pool_, outbox_).value();
  GenerateRequest request = Request({1, 2, 3}, 5);
  request.sampling.return_logprob = true;
  request.sampling.top_logprobs_num = 128;
  request.sampling.logprob_start_len = 0;
  const SeqId id = *engine_->Submit(request);
  EXPECT_TRUE(RunAll()[id] == test::AnswerAlone(request, 0));
  engine_.reset();
}

TEST_F(EngineTest, RefusesWhatCanNeverRun) {
  Start({});
  const auto code = [&](const GenerateRequest& request) {
    return engine_->Submit(request).status().code();
  };
  EXPECT_EQ(code(Request({}, 1)), Code::kInvalidArgument);
  EXPECT_EQ(code(Request({test::kFakeVocab}, 1)), Code::kInvalidArgument);
  EXPECT_EQ(code(Request({-1}, 1)), Code::kInvalidArgument);
  EXPECT_EQ(code(Request(std::vector<TokenId>(51, 1), 0)), Code::kLimit);
  EXPECT_EQ(code(Request(std::vector<TokenId>(50, 1), 1)), Code::kLimit);  // no room for an answer
  GenerateRequest bad_option = Request({1}, 1);
  bad_option.sampling.temperature = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(code(bad_option), Code::kInvalidArgument);
  GenerateRequest bad_bias = Request({1}, 1);
  bad_bias.sampling.logit_bias = {{test::kFakeVocab, 1.0f}};
  EXPECT_EQ(code(bad_bias), Code::kInvalidArgument);
  EXPECT_TRUE(RunAll().empty());
}

TEST_F(EngineTest, OutputIsCutWhereTheContextEnds) {
  Start({});
  const SeqId id = *engine_->Submit(Request(std::vector<TokenId>(45, 1), 100));
  std::map<SeqId, Answer> answers = RunAll();
  EXPECT_EQ(answers[id].tokens.size(), 5u);
  EXPECT_EQ(answers[id].finish, FinishReason::kLength);
}

TEST_F(EngineTest, FullQueueIsOverloadedAndDrains) {
  Start({.max_queue = 3});
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(engine_->Submit(Request({1}, 2)).ok());
  EXPECT_EQ(engine_->Submit(Request({1}, 2)).status().code(), Code::kOverloaded);
  RunAll();
  EXPECT_TRUE(engine_->Submit(Request({1}, 2)).ok());
}

TEST_F(EngineTest, TheCacheIsLookedAtBetweenSteps) {
  Start({});
  ASSERT_TRUE(engine_->Submit(Request({1, 2, 3, 4, 5}, 3)).ok());
  std::vector<std::pair<int, int>> seen;  // cached and private pages
  const auto look = [&seen](const PrefixCache& cache) {
    seen.emplace_back(cache.num_cached(), cache.num_private());
  };
  ASSERT_TRUE(engine_->Inspect(look).ok());
  ASSERT_TRUE(engine_->Step());
  ASSERT_TRUE(engine_->Inspect(look).ok());
  RunAll();
  ASSERT_TRUE(engine_->Inspect(look).ok());
  engine_->Step();
  EXPECT_EQ(seen, (std::vector<std::pair<int, int>>{{0, 0}, {1, 1}, {2, 0}}));
}

TEST_F(EngineTest, RefusesOptionsOutOfRange) {
  const auto code = [&](EngineOptions options) {
    return Engine::Create(options, model_, test::FakeVocabulary(), pool_, outbox_).status().code();
  };
  EXPECT_EQ(code({.kv_cache_tokens = 0, .page_size = 4}), Code::kInvalidArgument);
  EXPECT_EQ(code({.page_size = 16}), Code::kInvalidArgument);  // the model has 4
  EXPECT_EQ(code({.page_size = 4, .chunk_tokens = 0}), Code::kInvalidArgument);
  EXPECT_EQ(code({.page_size = 4, .max_running = -1}), Code::kInvalidArgument);
  EXPECT_EQ(code({.page_size = 4, .max_logits = 0}), Code::kInvalidArgument);
  EXPECT_EQ(code({.page_size = 4, .max_queue = 0}), Code::kInvalidArgument);
  EXPECT_EQ(code({.page_size = 4, .cache_quota_tokens = -1}), Code::kInvalidArgument);
}

TEST_F(EngineTest, OtherThreadsSubmitCancelAndStop) {
  Start({.max_running = 4, .max_queue = 1000});
  std::thread runner([&] { engine_->Run(); });
  std::vector<std::thread> clients;
  std::atomic<int> submitted{0};
  for (int client = 0; client < 3; ++client) {
    clients.emplace_back([&, client] {
      for (int i = 0; i < 50; ++i) {
        const Result<SeqId> id = engine_->Submit(Request({1 + client, 1 + i % 6}, 1 + i % 20));
        if (!id.ok()) continue;
        ++submitted;
        if (i % 3 == 0) engine_->Cancel(id.value());
        (void)engine_->metrics();
      }
    });
  }
  for (std::thread& client : clients) client.join();
  const SeqId endless = *engine_->Submit(Request({1}, 49));
  engine_->Stop();
  runner.join();
  int finished = 0;
  for (const TokenEvent& event : outbox_.TakeAll()) {
    finished += event.finish != FinishReason::kNone ? 1 : 0;
    EXPECT_LE(Index(event.request), Index(endless));
  }
  EXPECT_EQ(finished, submitted + 1);
  EXPECT_EQ(engine_->Submit(Request({1}, 1)).status().code(), Code::kCancelled);
  const EngineMetrics metrics = engine_->metrics();
  EXPECT_EQ(metrics.num_finished, finished);
  EXPECT_EQ(metrics.queued + metrics.running, 0);
}

}  // namespace
}  // namespace espalier
