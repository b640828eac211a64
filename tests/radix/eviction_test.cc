// What each eviction policy keeps, and quotas of name spaces.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "radix/prefix_cache.h"

namespace espalier {
namespace {

using Tokens = std::vector<TokenId>;

Tokens Text(std::string_view letters) { return Tokens(letters.begin(), letters.end()); }

constexpr std::uint64_t kSecond = 1'000'000;

class Eviction : public testing::Test {
 protected:
  void Start(int num_pages, const PrefixCacheOptions& options, int page_size = 1) {
    cache_ = std::make_unique<PrefixCache>(num_pages, page_size, options);
  }
  // A request whose prompt is `letters` and a token more, which nobody caches.
  void Run(std::string_view letters, std::string_view key = {}, const Retention& retention = {}) {
    const Tokens tokens = Text(letters);
    PrefixLease lease = cache_->Acquire(tokens, key);
    lease.set_retention(retention);
    ASSERT_TRUE(cache_->Extend(lease, static_cast<int>(tokens.size()) + 1));
    lease.CopyDone();
    cache_->Finish(lease, tokens);
    cache_->CheckInvariants();
  }
  // Takes `num` pages from the cache, and gives them back.
  void Press(int num) {
    PrefixLease lease = cache_->Acquire({}, "press");
    ASSERT_TRUE(cache_->Extend(lease, num * cache_->page_size()));
    lease.Release();
    cache_->CheckInvariants();
  }
  int Match(std::string_view letters, std::string_view key = {}) {
    return cache_->Match(Text(letters), key);
  }

  std::unique_ptr<PrefixCache> cache_;
};

TEST_F(Eviction, LeastOftenUsedGoesFirstAndOfThemTheLeastRecentlyUsed) {
  Start(4, {.eviction = EvictionPolicy::kLfu});
  Run("a");
  Run("a");
  Run("b");
  Run("c");
  Press(2);
  EXPECT_EQ(Match("b"), 0) << "as often as c, but longer ago";
  EXPECT_EQ(Match("c"), 1);
  Press(3);
  EXPECT_EQ(Match("c"), 0);
  EXPECT_EQ(Match("a"), 1) << "used last of all, but twice";
}

TEST_F(Eviction, LookingIsNoUse) {
  Start(3, {.eviction = EvictionPolicy::kLfu});
  Run("b");
  Run("b");
  Run("a");
  for (int i = 0; i < 5; ++i) cache_->Acquire(Text("a")).Release();  // had no room, say
  Press(2);
  EXPECT_EQ(Match("a"), 0);
  EXPECT_EQ(Match("b"), 1);
}

TEST_F(Eviction, BothHalvesOfASplitNodeKeepTheirUses) {
  Start(6, {.eviction = EvictionPolicy::kLfu});
  Run("ab");
  Run("ab");
  Run("ab");  // ab: 3
  Run("xy");
  Run("xy");  // xy: 2
  Run("a");   // splits ab: a 4, b 3
  Press(3);
  EXPECT_EQ(Match("xy"), 1);
  Press(4);
  EXPECT_EQ(Match("xy"), 0);
  EXPECT_EQ(Match("ab"), 2);
  Press(5);
  EXPECT_EQ(Match("ab"), 1);
}

TEST_F(Eviction, WhatGrewBehindAUsedPageIsNewUse) {
  Start(4, {.eviction = EvictionPolicy::kLfu});
  Run("a");
  Run("a");
  Run("ab");  // a 3, b 1
  Run("x");
  Run("x");
  Press(2);
  EXPECT_EQ(Match("ab"), 1) << "b is its own";
  EXPECT_EQ(Match("x"), 1);
}

TEST_F(Eviction, FirstToComeGoesFirstHoweverUsed) {
  Start(4, {.eviction = EvictionPolicy::kFifo});
  Run("a");
  Run("b");
  Run("a");
  Run("c");
  Press(2);
  EXPECT_EQ(Match("a"), 0);
  EXPECT_EQ(Match("b"), 1);
  Press(3);
  EXPECT_EQ(Match("b"), 0);
  EXPECT_EQ(Match("c"), 1);
}

TEST_F(Eviction, LessImportantGoesFirst) {
  Start(4, {.eviction = EvictionPolicy::kPriority});
  Run("a", {}, {.priority = -1});
  Run("b", {}, {.priority = 1});
  Run("c");
  Press(2);
  EXPECT_EQ(Match("b"), 0);
  Press(3);
  EXPECT_EQ(Match("c"), 0);
  EXPECT_EQ(Match("a"), 1);
}

TEST_F(Eviction, PriorityEndsWithItsRetention) {
  Start(3, {.eviction = EvictionPolicy::kPriority});
  cache_->SetTime(100 * kSecond);
  Run("a", {}, {.priority = -5, .lasts_us = 10 * kSecond});
  Run("b", {}, {.priority = 5});
  cache_->SetTime(110 * kSecond - 1);
  cache_->CheckInvariants();
  Press(2);
  EXPECT_EQ(Match("a"), 1);
  EXPECT_EQ(Match("b"), 0);
  Run("b", {}, {.priority = 5});
  cache_->SetTime(110 * kSecond);
  cache_->CheckInvariants();
  Press(2);
  EXPECT_EQ(Match("a"), 0) << "below all others now";
  EXPECT_EQ(Match("b"), 1);
}

TEST_F(Eviction, RetentionThatEndsWhileThePageIsInUseHasEnded) {
  Start(4, {.eviction = EvictionPolicy::kPriority});
  Run("a", {}, {.priority = -5, .lasts_us = 10});
  Run("b");
  PrefixLease looks = cache_->Acquire(Text("a"));
  cache_->SetTime(20);
  looks.Release();
  cache_->CheckInvariants();
  Press(3);
  EXPECT_EQ(Match("a"), 0);
  EXPECT_EQ(Match("b"), 1);
}

TEST_F(Eviction, TheMoreImportantMarkHolds) {
  Start(4, {.eviction = EvictionPolicy::kPriority});
  Run("a", {}, {.priority = -1});
  Run("a", {}, {.priority = 3});
  Run("b");
  Press(3);
  EXPECT_EQ(Match("b"), 0);
  EXPECT_EQ(Match("a"), 1);
}

TEST_F(Eviction, DeepTokensAreDearerToComputeThanShallowOnes) {
  Start(30, {.eviction = EvictionPolicy::kCost}, 16);
  const std::string deep(16 * 20, 'd');
  Run(deep);
  Run("shallow");
  Press(10);
  EXPECT_EQ(Match(deep), 16 * 20) << "its last page costs more";
  EXPECT_EQ(Match("shallow"), 0) << "though it was used last";
}

TEST_F(Eviction, WhatWasDearOnceAgesToo) {
  Start(4, {.eviction = EvictionPolicy::kCost});
  for (int i = 0; i < 3; ++i) Run("a");
  for (char c = 'b'; c < 'd'; ++c) Run(std::string(1, c));
  Press(2);
  EXPECT_EQ(Match("a"), 1) << "used three times";
  for (int i = 0; i < 40; ++i) Run(std::string(1, static_cast<char>('A' + i)));
  EXPECT_EQ(Match("a"), 0);
}

TEST_F(Eviction, NameSpaceOverItsQuotaEvictsItsOwn) {
  Start(16, {.quota_pages = 3});
  Run("xyz", "other");
  Run("ab", "key");
  Run("cd", "key");
  EXPECT_EQ(Match("ab", "key"), 1) << "its own oldest page";
  EXPECT_EQ(Match("cd", "key"), 2);
  EXPECT_EQ(Match("xyz", "other"), 3);
  Run("0123456789");
  EXPECT_EQ(Match("0123456789"), 10) << "what has no key is nobody's";
}

TEST_F(Eviction, QuotaCountsNoPinnedPages) {
  Start(16, {.quota_pages = 2});
  Run("ab", "key");
  PrefixLease lease = cache_->Acquire(Text("ab"), "key");
  Run("cd", "key");
  EXPECT_EQ(Match("ab", "key"), 2);
  EXPECT_EQ(Match("cd", "key"), 2);
  lease.Release();
  cache_->CheckInvariants();
  EXPECT_EQ(cache_->num_cached(), 2);
  EXPECT_EQ(Match("ab", "key"), 2) << "used last";
}

TEST_F(Eviction, OfManyNameSpacesTheFirstLeafOfAllGoes) {
  Start(1001, {});
  for (int i = 0; i < 1000; ++i) Run("a", "key" + std::to_string(i * 7 % 1000));
  Press(1 + 500);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(Match("a", "key" + std::to_string(i * 7 % 1000)), i < 500 ? 0 : 1) << i;
  }
}

// Three in five of 1,000 requests begin with one of 5 prefixes of 64 tokens, and all have 16
// tokens more; the pool holds half of what they have in all. A hit is a whole prefix.
TEST_F(Eviction, UnderEveryPolicyWhatIsSharedStaysAndWhatIsNotGoes) {
  for (std::size_t policy = 0; policy < EvictionPolicyNames().size(); ++policy) {
    Start((500 * 16 + 5 * 64) / 16, {.eviction = static_cast<EvictionPolicy>(policy)}, 16);
    std::mt19937 random(1);
    int num_hits = 0;
    for (int i = 0; i < 1000; ++i) {
      std::string prompt;
      const bool has_prefix = random() % 5 < 3;
      if (has_prefix) prompt.assign(64, static_cast<char>('a' + random() % 5));
      if (has_prefix && Match(prompt) == 64) ++num_hits;
      for (int k = 0; k < 16; ++k) prompt += static_cast<char>(random() % 100);
      Run(prompt);
    }
    EXPECT_GT(num_hits, 550) << EvictionPolicyNames()[policy];
  }
}

TEST(EvictionPolicyNames, AreFound) {
  for (const std::string_view name : EvictionPolicyNames()) {
    const auto policy = FindEvictionPolicy(name);
    ASSERT_TRUE(policy.has_value());
    EXPECT_EQ(EvictionPolicyNames()[static_cast<std::size_t>(*policy)], name);
  }
  EXPECT_FALSE(FindEvictionPolicy("mru").has_value());
}

}  // namespace
}  // namespace espalier
