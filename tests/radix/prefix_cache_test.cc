#include "radix/prefix_cache.h"

#include <gtest/gtest.h>

#include <vector>

namespace espalier {
namespace {

using Tokens = std::vector<TokenId>;

Tokens Text(std::string_view letters) { return Tokens(letters.begin(), letters.end()); }

// Runs a sequence to its end: all of `tokens` is computed and cached.
void Cache(PrefixCache& cache, std::string_view letters, std::string_view extra_key = {}) {
  const Tokens tokens = Text(letters);
  PrefixLease lease = cache.Acquire(tokens, extra_key);
  ASSERT_TRUE(cache.Extend(lease, static_cast<int>(tokens.size())));
  lease.CopyDone();
  cache.Finish(lease, tokens);
  cache.CheckInvariants();
}

// As a request would: everything but its last token may be cached.
PrefixLease Acquire(PrefixCache& cache, std::string_view letters) {
  return cache.Acquire(Text(letters));
}

int Match(const PrefixCache& cache, std::string_view letters) { return cache.Match(Text(letters)); }

TEST(PrefixCache, MatchesToTheTokenAndCopiesThePartOfAPage) {
  PrefixCache cache(8, 4);
  Cache(cache, "abcdefghij");
  EXPECT_EQ(cache.num_cached(), 3) << "the partial tail too";
  PrefixLease lease = Acquire(cache, "abcdefxy");
  EXPECT_EQ(lease.num_matched(), 6);
  EXPECT_EQ(lease.num_shared(), 1);
  EXPECT_EQ(lease.pages().size(), 1u);
  EXPECT_FALSE(lease.pending_copy().has_value()) << "no page to copy to yet";
  ASSERT_TRUE(cache.Extend(lease, 8));
  const auto copy = lease.pending_copy();
  ASSERT_TRUE(copy.has_value());
  EXPECT_EQ(copy->to, lease.pages()[1]);
  EXPECT_NE(copy->from, copy->to);
  EXPECT_EQ(copy->num_slots, 2);
  lease.CopyDone();
  EXPECT_FALSE(lease.pending_copy().has_value());
  cache.CheckInvariants();
}

TEST(PrefixCache, MatchEndsWithTheCachedTail) {
  PrefixCache cache(8, 4);
  Cache(cache, "abcdef");
  EXPECT_EQ(Match(cache, "abcdefgh"), 6);
  EXPECT_EQ(Match(cache, "abcde"), 5);
  EXPECT_EQ(Match(cache, ""), 0);
  EXPECT_EQ(Match(cache, "b"), 0);
}

TEST(PrefixCache, BestPartialMatchIsFoundAmongManySiblings) {
  PrefixCache cache(64, 4);
  for (char c = 'b'; c < 'p'; c += 2) Cache(cache, std::string("aa") + c + "x");
  for (char c = 'a'; c < 'q'; ++c) {
    EXPECT_EQ(Match(cache, std::string("aa") + c + "x"), (c - 'a') % 2 == 1 && c < 'p' ? 4 : 2)
        << c;
  }
}

TEST(PrefixCache, NameSpacesNeverMeet) {
  PrefixCache cache(8, 2);
  Cache(cache, "abcd", "one");
  EXPECT_EQ(cache.Match(Text("abcd"), "one"), 4);
  EXPECT_EQ(cache.Match(Text("abcd"), "two"), 0);
  EXPECT_EQ(cache.Match(Text("abcd")), 0);
  Cache(cache, "abcd", "two");
  EXPECT_EQ(cache.num_cached(), 4) << "nothing is shared across keys";
}

TEST(PrefixCache, MatchChangesNoOrder) {
  PrefixCache cache(2, 2);
  Cache(cache, "ab");
  Cache(cache, "cd");
  EXPECT_EQ(Match(cache, "ab"), 2);
  Cache(cache, "ef");
  EXPECT_EQ(Match(cache, "ab"), 0) << "the oldest went";
  EXPECT_EQ(Match(cache, "cd"), 2);
}

TEST(PrefixCache, EvictionTakesNoMoreThanItMust) {
  PrefixCache cache(4, 2);
  Cache(cache, "abcdefgh");
  Cache(cache, "xy");
  EXPECT_EQ(Match(cache, "abcdefgh"), 6);
  EXPECT_EQ(cache.num_cached(), 4);
}

TEST(PrefixCache, SplitKeepsTheOldTimeBelowAndTheNewTimeAbove) {
  PrefixCache cache(4, 1);
  Cache(cache, "ab");
  Cache(cache, "x");
  Acquire(cache, "a").Release();  // splits ab; b was used before x, a after it
  Cache(cache, "12");
  EXPECT_EQ(Match(cache, "ab"), 1) << "b is the oldest";
  Cache(cache, "3");
  EXPECT_EQ(Match(cache, "x"), 0);
  EXPECT_EQ(Match(cache, "a"), 1);
}

TEST(PrefixCache, CopiedPageCountsAsUsedAndTheRestOfItsNodeDoesNot) {
  PrefixCache cache(4, 2);
  Cache(cache, "abcd");
  Cache(cache, "xy");
  {
    PrefixLease lease = Acquire(cache, "a");
    EXPECT_EQ(lease.num_matched(), 1);
  }
  Cache(cache, "1234");
  EXPECT_EQ(Match(cache, "abcd"), 2) << "cd went first";
  EXPECT_EQ(Match(cache, "xy"), 2);
}

TEST(PrefixCache, LeasePinsItsWholePathThroughPressureAndSplits) {
  PrefixCache cache(6, 1);
  Cache(cache, "abcd");
  PrefixLease lease = Acquire(cache, "abcd");
  const std::vector<PageId> before(lease.pages().begin(), lease.pages().end());
  PrefixLease splits = Acquire(cache, "ab");
  cache.CheckInvariants();
  EXPECT_EQ(cache.num_available(), 2);
  splits.Release();
  EXPECT_EQ(cache.num_available(), 2) << "the first lease still pins all four";
  Cache(cache, "xy");
  cache.Flush();
  EXPECT_EQ(Match(cache, "abcd"), 4);
  EXPECT_EQ(std::vector<PageId>(lease.pages().begin(), lease.pages().end()), before);
  lease.Release();
  EXPECT_EQ(cache.num_available(), 6);
  cache.Flush();
  EXPECT_EQ(cache.num_free(), 6);
}

TEST(PrefixCache, SharedPagesAreCountedOnce) {
  PrefixCache cache(4, 1);
  Cache(cache, "abc");
  PrefixLease one = Acquire(cache, "abc"), two = Acquire(cache, "abc");
  EXPECT_EQ(cache.num_available(), 1);
  one.Release();
  EXPECT_EQ(cache.num_available(), 1);
  two.Release();
  EXPECT_EQ(cache.num_available(), 4);
  two.Release();  // twice is once
  EXPECT_EQ(cache.num_available(), 4);
}

TEST(PrefixCache, RefusedExtendChangesNothing) {
  PrefixCache cache(4, 2);
  Cache(cache, "abcd");
  PrefixLease lease = Acquire(cache, "ab");
  EXPECT_FALSE(cache.Extend(lease, 9));
  EXPECT_EQ(lease.pages().size(), 1u);
  EXPECT_EQ(Match(cache, "abcd"), 4) << "nothing was evicted for it";
  EXPECT_TRUE(cache.Extend(lease, 8));
  lease.Release();
  EXPECT_EQ(cache.num_private(), 0);
  cache.CheckInvariants();
}

TEST(PrefixCache, PublishAdoptsWhatSomeoneElseCachedFirst) {
  PrefixCache cache(8, 2);
  const Tokens tokens = Text("abcdef");
  PrefixLease first = cache.Acquire(tokens), second = cache.Acquire(tokens);
  ASSERT_TRUE(cache.Extend(first, 6) && cache.Extend(second, 6));
  cache.Publish(first, std::span(tokens).first(4));
  cache.Publish(second, tokens);
  cache.CheckInvariants();
  EXPECT_EQ(second.num_shared(), 3);
  EXPECT_EQ(second.pages()[0], first.pages()[0]);
  EXPECT_EQ(second.pages()[1], first.pages()[1]);
  EXPECT_EQ(cache.num_cached(), 3);
  EXPECT_EQ(cache.num_private(), 1) << "the duplicates are free, once";
  EXPECT_EQ(cache.num_free(), 4);
}

TEST(PrefixCache, LongerLeafReplacesThePartialOneThatItExtends) {
  PrefixCache cache(8, 4);
  Cache(cache, "ab");
  Cache(cache, "abc");
  EXPECT_EQ(cache.num_cached(), 1);
  Cache(cache, "abcdx");
  EXPECT_EQ(cache.num_cached(), 2);
  Cache(cache, "ab");
  EXPECT_EQ(cache.num_cached(), 2) << "nothing new";
  EXPECT_EQ(Match(cache, "abcdx"), 5);
}

TEST(PrefixCache, PinnedPartialLeafStaysUntilItsCopyIsDone) {
  PrefixCache cache(8, 4);
  Cache(cache, "ab");
  PrefixLease lease = Acquire(cache, "abx");
  ASSERT_TRUE(cache.Extend(lease, 3));
  const PageId source = lease.pending_copy()->from;
  Cache(cache, "abcd");
  EXPECT_EQ(cache.num_cached(), 2);
  EXPECT_EQ(Match(cache, "abcd"), 4);
  EXPECT_EQ(lease.pending_copy()->from, source);
  lease.CopyDone();
  EXPECT_EQ(cache.num_cached(), 1) << "needless now";
  cache.CheckInvariants();
}

TEST(PrefixCache, LeaseAloneCanHaveTheWholePoolInSpiteOfItsCopy) {
  PrefixCache cache(2, 4);
  Cache(cache, "abcdefgh");
  PrefixLease lease = Acquire(cache, "abxxxxxx");
  EXPECT_EQ(lease.num_matched(), 2);
  ASSERT_TRUE(cache.Extend(lease, 8));
  EXPECT_FALSE(lease.pending_copy().has_value()) << "the source itself, its two slots valid";
  EXPECT_EQ(lease.num_matched(), 2);
  EXPECT_EQ(cache.num_private(), 2);
  EXPECT_EQ(Match(cache, "ab"), 0);
  cache.Finish(lease, Text("abxxxxxx"));
  EXPECT_EQ(Match(cache, "abxxxxxx"), 8);
  cache.CheckInvariants();
}

TEST(PrefixCache, FinishBeforeTheCopyIsRelease) {
  PrefixCache cache(4, 4);
  Cache(cache, "abcd");
  PrefixLease lease = Acquire(cache, "abx");
  ASSERT_TRUE(cache.Extend(lease, 3));
  cache.Finish(lease, Text("ab"));
  EXPECT_EQ(cache.num_cached(), 1);
  EXPECT_EQ(cache.num_available(), 4);
  cache.CheckInvariants();
}

TEST(PrefixCache, MovedLeaseReleasesOnce) {
  PrefixCache cache(4, 2);
  Cache(cache, "abcd");
  PrefixLease lease = Acquire(cache, "abcx");
  PrefixLease other = std::move(lease);
  EXPECT_EQ(other.num_matched(), 3);
  other = PrefixLease();
  EXPECT_EQ(cache.num_available(), 4);
  EXPECT_EQ(cache.num_private(), 0);
  cache.CheckInvariants();
}

// A chain of one-page nodes: two leases in step publish the same tokens, so that each
// page is pinned by both before the next one comes, and no node can grow.
TEST(PrefixCache, ChainOfAHundredThousandNodesIsWalkedAndEvictedWithoutRecursion) {
  constexpr int kDepth = 100'000;
  PrefixCache cache(kDepth + 1, 1);
  const Tokens tokens(kDepth, 5);
  PrefixLease first = cache.Acquire({}), second = cache.Acquire({});
  for (int i = 1; i <= kDepth; ++i) {
    ASSERT_TRUE(cache.Extend(first, i));
    cache.Publish(first, std::span(tokens).first(static_cast<std::size_t>(i)));
    ASSERT_TRUE(cache.Extend(second, i));
    cache.Publish(second, std::span(tokens).first(static_cast<std::size_t>(i)));
  }
  cache.CheckInvariants();
  EXPECT_EQ(cache.num_cached(), kDepth);
  first.Release();
  second.Release();
  EXPECT_EQ(cache.Acquire(tokens).num_shared(), kDepth);
  cache.CheckInvariants();
  PrefixLease all = cache.Acquire({});
  ASSERT_TRUE(cache.Extend(all, kDepth));
  EXPECT_EQ(cache.Match(tokens), 1);
  cache.CheckInvariants();
}

TEST(PrefixCache, HundredThousandSiblingsAreFoundAndEvictedInOrder) {
  constexpr int kWidth = 100'000;
  PrefixCache cache(kWidth, 1);
  const auto token = [](int i) { return Tokens{static_cast<TokenId>(i * 7919LL % kWidth)}; };
  for (int i = 0; i < kWidth; ++i) {
    PrefixLease lease = cache.Acquire({});
    ASSERT_TRUE(cache.Extend(lease, 1));
    cache.Finish(lease, token(i));
  }
  cache.CheckInvariants();
  for (int i = 0; i < kWidth; ++i) ASSERT_EQ(cache.Match(token(i)), 1);
  PrefixLease half = cache.Acquire({});
  ASSERT_TRUE(cache.Extend(half, kWidth / 2));
  for (int i = 0; i < kWidth; ++i) ASSERT_EQ(cache.Match(token(i)), i < kWidth / 2 ? 0 : 1);
}

TEST(PrefixCache, ForgetsEmptyNameSpaces) {
  PrefixCache cache(4, 1);
  for (int i = 0; i < 1000; ++i) {
    cache.Acquire(Text("a"), "salt" + std::to_string(i)).Release();
    Cache(cache, "ab", "key" + std::to_string(i));
  }
  EXPECT_EQ(cache.num_cached(), 4);
  cache.CheckInvariants();  // counts a root without children or leases as a leak
}

TEST(PrefixCacheDeathTest, MisuseIsCaught) {
  PrefixCache cache(4, 2);
  PrefixLease lease = cache.Acquire({});
  ASSERT_TRUE(cache.Extend(lease, 2));
  EXPECT_DEATH(cache.Publish(lease, Text("abcd")), "published more than leased");
  EXPECT_DEATH(PrefixCache(0, 2), "0 pages of 2");
}

}  // namespace
}  // namespace espalier
