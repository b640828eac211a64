#include "runtime/local/local_backend.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace espalier {
namespace {

class LocalBackendTest : public testing::Test {
 protected:
  void SetUp() override { Start({.model = "tiny", .kv_cache_tokens = 2048, .threads = 1}); }

  void Start(const LocalModelOptions& options) {
    Result<std::unique_ptr<LocalModel>> model = LocalModel::Load(options);
    ASSERT_TRUE(model.ok()) << model.status().message();
    backend_ = std::make_unique<LocalBackend>(std::move(model).value());
  }

  GenCall Gen(std::string prompt, int max_tokens) {
    GenCall call{.prompt = std::move(prompt), .seed = 5};
    call.options.max_tokens = max_tokens;
    call.options.ignore_eos = true;
    return call;
  }

  // The last events of `num_calls` calls; increments_ gathers the text of each.
  std::map<CallId, CallEvent> WaitFor(std::size_t num_calls) {
    std::map<CallId, CallEvent> done;
    while (done.size() < num_calls) {
      for (CallEvent& event : backend_->Wait(std::nullopt)) {
        increments_[event.call] += event.text;
        if (event.done) done[event.call] = std::move(event);
      }
    }
    return done;
  }

  std::unique_ptr<LocalBackend> backend_;
  std::map<CallId, std::string> increments_;
};

double Sum(const std::vector<ScoredToken>& tokens) {
  double sum = 0;
  for (const ScoredToken& token : tokens) sum += token.logprob.value_or(0);
  return sum;
}

TEST_F(LocalBackendTest, IncrementsAddUpToTheText) {
  const CallId call = backend_->Start(Gen("Hello", 30));
  const CallEvent done = WaitFor(1).at(call);
  ASSERT_TRUE(done.status.ok()) << done.status.message();
  ASSERT_EQ(done.outputs.size(), 1u);
  EXPECT_EQ(done.outputs[0].text, increments_[call]);
  EXPECT_EQ(done.outputs[0].finish_reason, "length");
  EXPECT_EQ(done.usage.prompt_tokens, 5);
  EXPECT_EQ(done.usage.completion_tokens, 30);
}

TEST_F(LocalBackendTest, CallsRunTogetherAndGiveWhatTheyGiveAlone) {
  std::vector<std::string> alone;
  for (int i = 0; i < 4; ++i) {
    const CallId call = backend_->Start(Gen("Call " + std::to_string(i), 12));
    alone.push_back(WaitFor(1).at(call).outputs[0].text);
  }
  std::vector<CallId> calls;
  for (int i = 0; i < 4; ++i)
    calls.push_back(backend_->Start(Gen("Call " + std::to_string(i), 12)));
  const std::map<CallId, CallEvent> done = WaitFor(4);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(done.at(calls[i]).outputs[0].text, alone[i]);
}

TEST_F(LocalBackendTest, GivesNOutputsWithLogprobs) {
  GenCall call = Gen("Hello", 6);
  call.options.n = 3;
  call.options.return_logprob = true;
  call.options.top_logprobs_num = 2;
  const CallEvent done = WaitFor((backend_->Start(call), 1)).begin()->second;
  ASSERT_EQ(done.outputs.size(), 3u);
  for (const GenOutput& output : done.outputs) {
    EXPECT_EQ(output.logprobs.size(), 6u);
    ASSERT_EQ(output.top_logprobs.size(), 6u);
    EXPECT_EQ(output.top_logprobs[0].size(), 2u);
  }
}

TEST_F(LocalBackendTest, AChoiceScoresAsMuchAsItsTokensInOneText) {
  const CallId both = backend_->Start(ScoreCall{"The colour is ", {"red", "blue!"}, true});
  const CallEvent scored = WaitFor(1).at(both);
  ASSERT_TRUE(scored.status.ok()) << scored.status.message();
  ASSERT_EQ(scored.choice_logprobs.size(), 2u);
  EXPECT_EQ(scored.choice_logprobs[0].size(), 3u);
  EXPECT_EQ(scored.choice_logprobs[1].size(), 5u);
  EXPECT_FALSE(scored.unconditional_logprobs[0][0].logprob.has_value());
  EXPECT_EQ(scored.unconditional_logprobs[1].size(), 5u);
  // The whole text's log-probability is that of the prompt and of the choice.
  const CallId prompt = backend_->Start(ScoreCall{"", {"The colour is "}, false});
  const CallId whole = backend_->Start(ScoreCall{"", {"The colour is red"}, false});
  const std::map<CallId, CallEvent> done = WaitFor(2);
  EXPECT_NEAR(Sum(done.at(whole).choice_logprobs[0]),
              Sum(done.at(prompt).choice_logprobs[0]) + Sum(scored.choice_logprobs[0]), 1e-4);
}

TEST_F(LocalBackendTest, RefusedCallsAnswerWithTheirReason) {
  GenCall hot = Gen("Hello", 3);
  hot.options.temperature = -1;
  const CallId bad_option = backend_->Start(hot);
  const CallId empty = backend_->Start(Gen("", 3));
  const CallId too_long = backend_->Start(Gen(std::string(5000, 'x'), 3));
  const CallId bad_text = backend_->Start(Gen("a\xFF", 3));
  const CallId no_choice = backend_->Start(ScoreCall{"a", {}, false});
  const CallId empty_choice = backend_->Start(ScoreCall{"a", {"b", ""}, false});
  std::map<CallId, CallEvent> done = WaitFor(6);
  EXPECT_NE(done[bad_option].status.message().find("temperature"), std::string::npos);
  EXPECT_FALSE(done[empty].status.ok());
  EXPECT_NE(done[too_long].status.message().find("5000"), std::string::npos);
  EXPECT_NE(done[bad_text].status.message().find("byte 1"), std::string::npos);
  EXPECT_FALSE(done[no_choice].status.ok());
  EXPECT_NE(done[empty_choice].status.message().find("choice 2"), std::string::npos);
  EXPECT_TRUE(WaitFor((backend_->Start(Gen("Hello", 3)), 1)).begin()->second.status.ok());
}

TEST_F(LocalBackendTest, ACancelledCallStillEnds) {
  const CallId call = backend_->Start(Gen("Hello", 1900));
  backend_->Cancel(call);
  EXPECT_EQ(WaitFor(1).at(call).status.code(), Code::kCancelled);
  const CallId score = backend_->Start(ScoreCall{"The colour is ", {"red", "blue"}, false});
  backend_->Cancel(score);
  WaitFor(1);               // ends, scored or cancelled
  backend_->Cancel(score);  // and is ignored afterwards
}

TEST_F(LocalBackendTest, MoreCallsThanTheKvCacheHoldsAllEnd) {
  backend_.reset();
  Start({.model = "tiny", .kv_cache_tokens = 96, .threads = 1});
  for (int i = 0; i < 40; ++i) backend_->Start(Gen(std::string(1 + i % 40, 'a'), 20));
  for (const auto& [call, event] : WaitFor(40)) {
    EXPECT_TRUE(event.status.ok()) << event.status.message();
    EXPECT_EQ(event.usage.completion_tokens, 20);
  }
}

}  // namespace
}  // namespace espalier
