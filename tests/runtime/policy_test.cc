#include "runtime/engine/policy.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/runtime/fake_model.h"

namespace espalier {
namespace {

class PolicyTest : public testing::Test {
 protected:
  void Add(std::vector<TokenId> prompt, std::uint64_t arrival = 0, std::int32_t priority = 0) {
    GenerateRequest request;
    request.prompt = std::move(prompt);
    request.arrival = arrival;
    request.priority = priority;
    const RequestBounds bounds{
        .context_length = 100, .kv_cache_tokens = 100, .vocab_size = test::kFakeVocab};
    waiting_.push_back(std::make_unique<Sequence>(
        CheckRequest(SeqId{waiting_.size() + 1}, std::move(request), bounds).value(), 0,
        *vocabulary_));
    waiting_.back()->share = shares_.Of("");
  }
  std::vector<std::uint64_t> Order(QueuePolicy policy) {
    OrderQueue(policy, cache_, waiting_);
    std::vector<std::uint64_t> order;
    for (const auto& seq : waiting_) order.push_back(Index(seq->request->id));
    return order;
  }
  void Cache(std::vector<TokenId> tokens) {
    PrefixLease lease = cache_.Acquire({});
    ASSERT_TRUE(cache_.Extend(lease, static_cast<int>(tokens.size())));
    cache_.Finish(lease, tokens);
  }

  using Ids = std::vector<std::uint64_t>;
  const std::shared_ptr<const Vocabulary> vocabulary_ = test::FakeVocabulary();
  PrefixCache cache_{16, 2};
  FairShares shares_;
  WaitingQueue waiting_;
};

TEST_F(PolicyTest, TheMostCachedGoesFirstThenTheFirstToArrive) {
  Cache({1, 2, 3, 4});
  Add({5, 5, 5});
  Add({1, 2, 3, 4, 5});
  Add({1, 2, 5});
  Add({6, 6});
  EXPECT_EQ(Order(QueuePolicy::kLpm), (Ids{2, 3, 1, 4}));
  EXPECT_EQ(Order(QueuePolicy::kFcfs), (Ids{1, 2, 3, 4}));
}

TEST_F(PolicyTest, AProgramGoesOnBeforeAnotherBegins) {
  Add({1}, 1);
  Add({2}, 2);
  Add({3});
  Add({4}, 1);  // the first program's second request
  EXPECT_EQ(Order(QueuePolicy::kFcfs), (Ids{1, 4, 2, 3}));
  EXPECT_EQ(Order(QueuePolicy::kLpm), (Ids{1, 4, 2, 3}));
}

TEST_F(PolicyTest, ALowerPriorityGoesBeforeAnyHigherOne) {
  Cache({1, 2, 3, 4});
  Add({1, 2, 3, 4, 5}, 0, 2);
  Add({6, 6}, 0, 1);
  Add({7});
  Add({8}, 0, -1);
  Add({6}, 0, 1);
  EXPECT_EQ(Order(QueuePolicy::kLpm), (Ids{4, 3, 2, 5, 1}));
  EXPECT_EQ(Order(QueuePolicy::kFcfs), (Ids{4, 3, 2, 5, 1}));
}

TEST_F(PolicyTest, WhatWasOvertakenTooOftenGoesBeforeTheCached) {
  Cache({1, 2, 3, 4});
  Add({5, 5, 5});
  Add({6, 6, 6});
  Add({1, 2, 3, 4, 5});
  for (const auto& seq : waiting_) seq->num_overtaken = kMostOvertaken - 1;
  EXPECT_EQ(Order(QueuePolicy::kLpm), (Ids{3, 1, 2}));
  for (const auto& seq : waiting_) ++seq->num_overtaken;
  EXPECT_EQ(Order(QueuePolicy::kLpm), (Ids{1, 2, 3}));
}

TEST_F(PolicyTest, EveryNameFindsItsPolicy) {
  for (std::size_t i = 0; i < QueuePolicyNames().size(); ++i) {
    EXPECT_EQ(FindQueuePolicy(QueuePolicyNames()[i]), static_cast<QueuePolicy>(i));
  }
  EXPECT_EQ(FindQueuePolicy("lifo"), std::nullopt);
}

// Below [1, 2] three wait and below [3, 4] two; in it the heavier child goes before the lighter
// one, and who ends at [1, 2] itself after both.
TEST_F(PolicyTest, DfsWeightGoesDepthFirstWhereMostWait) {
  Cache({1, 2, 3, 4});
  Cache({1, 2, 5, 6});
  Cache({3, 4, 1, 2});
  Add({3, 4, 1, 2, 7});
  Add({1, 2, 7});
  Add({7, 7});
  Add({1, 2, 3, 4, 7});
  Add({1, 2, 5, 6, 7});
  Add({3, 4, 1, 2, 6});
  Add({1, 2, 5, 6, 1});
  EXPECT_EQ(Order(QueuePolicy::kDfsWeight), (Ids{5, 7, 4, 2, 1, 6, 3}));
}

TEST_F(PolicyTest, ALongQueueIsNotMatched) {
  Cache({1, 2, 3, 4});
  for (std::size_t i = 0; i < kMostMatched; ++i) Add({5, 5});
  Add({1, 2, 3, 4, 5});
  EXPECT_EQ(Order(QueuePolicy::kDfsWeight).back(), kMostMatched + 1);
  EXPECT_EQ(Order(QueuePolicy::kLpm).back(), kMostMatched + 1);
  waiting_.pop_front();
  EXPECT_EQ(Order(QueuePolicy::kDfsWeight).front(), kMostMatched + 1);
}

TEST_F(PolicyTest, RandomIsTheSameEachTimeAndNotTheOrderOfArrival) {
  for (int i = 0; i < 20; ++i) Add({1});
  const Ids order = Order(QueuePolicy::kRandom);
  EXPECT_FALSE(std::ranges::is_sorted(order));
  std::ranges::reverse(waiting_);
  EXPECT_EQ(Order(QueuePolicy::kRandom), order);
}

TEST_F(PolicyTest, FairTakesTheCallerServedLeastAndItsBestPriority) {
  Add({1});
  Add({2}, 0, -5);
  Add({3});
  Add({4}, 0, -1);
  const std::shared_ptr<FairShare> other = shares_.Of("other");
  waiting_[2]->share = waiting_[3]->share = other;
  waiting_[0]->share->served = 10;
  EXPECT_EQ(Order(QueuePolicy::kFair), (Ids{4, 3, 2, 1}));
  other->served = 11;
  BringFirst(waiting_, 1);
  EXPECT_EQ(Index(waiting_[0]->request->id), 4);
  EXPECT_EQ(Index(waiting_[1]->request->id), 2);
}

TEST_F(PolicyTest, PriorityPutsThePreemptedBeforeItsOwnOnly) {
  Add({1}, 0, 1);
  Add({2}, 0, 1);
  Add({3});
  waiting_[1]->preempted = true;
  EXPECT_EQ(Order(QueuePolicy::kPriority), (Ids{3, 2, 1}));
}

TEST_F(PolicyTest, WhatWasPreemptedGoesFirst) {
  Cache({1, 2, 3, 4});
  Add({1, 2, 3, 4, 5});
  Add({6, 6});
  waiting_[1]->preempted = true;
  EXPECT_EQ(Order(QueuePolicy::kLpm), (Ids{2, 1}));
}

}  // namespace
}  // namespace espalier
