#include "runtime/local/engine_client.h"

#include <gtest/gtest.h>

#include <vector>

namespace espalier {
namespace {

class LocalEngineClient : public testing::Test {
 protected:
  void SetUp() override {
    Result<std::unique_ptr<LocalModel>> model =
        LocalModel::Load({.model = "tiny", .kv_cache_tokens = 2048, .threads = 1});
    ASSERT_TRUE(model.ok()) << model.status().message();
    model_ = std::move(model).value();
    client_ = std::make_unique<EngineClient>(*model_);
  }

  Ticket Submit(std::int32_t max_new_tokens, std::vector<FinishReason>& ends) {
    GenerateRequest request;
    request.prompt = {1, 2, 3};
    request.sampling.max_new_tokens = max_new_tokens;
    request.sampling.ignore_eos = true;
    return client_->Submit(std::move(request), [&ends](TokenEvent event) {
      if (event.finish != FinishReason::kNone) ends.push_back(event.finish);
    });
  }

  std::unique_ptr<LocalModel> model_;
  std::unique_ptr<EngineClient> client_;
};

// More requests than the engine's queue takes, so that some wait here.
TEST_F(LocalEngineClient, WhatWaitsIsCancelledInAnyOrderAndTheRestIsAnswered) {
  constexpr std::size_t kNumRequests = 3000;
  std::vector<std::vector<FinishReason>> ends(kNumRequests);
  std::vector<Ticket> tickets;
  for (std::vector<FinishReason>& end : ends) tickets.push_back(Submit(1, end));
  EXPECT_GT(client_->num_waiting(), 100u);
  std::size_t num_cancelled = 0;
  for (std::size_t i = kNumRequests; i > kNumRequests - 500; i -= 2, ++num_cancelled) {
    client_->Cancel(tickets[i - 1]);
    client_->Cancel(tickets[i - 1]);  // the second is ignored
  }
  while (!client_->idle()) client_->Wait();
  std::size_t num_ended_by_cancel = 0;
  for (const std::vector<FinishReason>& end : ends) {
    ASSERT_EQ(end.size(), 1u);
    if (end[0] == FinishReason::kCancelled) {
      ++num_ended_by_cancel;
    } else {
      EXPECT_EQ(end[0], FinishReason::kLength);
    }
  }
  EXPECT_EQ(num_ended_by_cancel, num_cancelled);
}

TEST_F(LocalEngineClient, ARefusedRequestEndsAsOthersDo) {
  std::vector<FinishReason> ends;
  const Ticket ticket = Submit(-5, ends);
  while (!client_->idle()) client_->Wait();
  EXPECT_EQ(ends, (std::vector<FinishReason>{FinishReason::kError}));
  client_->Cancel(ticket);  // finished: nothing happens
  EXPECT_TRUE(client_->idle());
}

TEST_F(LocalEngineClient, WhatNobodyWaitsForAnyMoreIsCancelled) {
  std::vector<FinishReason> ends;
  for (int i = 0; i < 64; ++i) Submit(1500, ends);
  client_->Poll();
  client_ = std::make_unique<EngineClient>(*model_);
  constexpr std::size_t kNumLater = 20;  // some steps, and far fewer than 1500
  for (std::size_t i = 0; i < kNumLater; ++i) {
    Submit(1, ends);
    while (!client_->idle()) client_->Wait();
  }
  EXPECT_EQ(ends, std::vector(kNumLater, FinishReason::kLength));
  EXPECT_EQ(model_->engine().metrics().running, 0);
}

}  // namespace
}  // namespace espalier
