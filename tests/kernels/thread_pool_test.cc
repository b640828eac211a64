#include "kernels/base/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <vector>

namespace espalier {
namespace {

TEST(ThreadPoolTest, RunsEachTaskOnceOnAThreadInRange) {
  for (const int num_threads : {1, 2, 3, 8}) {
    ThreadPool pool(num_threads);
    ASSERT_EQ(pool.num_threads(), num_threads);
    for (const int num_tasks : {0, 1, 2, 7, 1000}) {
      std::vector<int> runs(static_cast<std::size_t>(num_tasks));
      std::atomic<int> out_of_range = 0;
      pool.ParallelFor(num_tasks, [&](int task, int thread) {
        ++runs[static_cast<std::size_t>(task)];
        if (thread < 0 || thread >= num_threads) ++out_of_range;
      });
      EXPECT_EQ(runs, std::vector<int>(static_cast<std::size_t>(num_tasks), 1));
      EXPECT_EQ(out_of_range, 0);
    }
  }
}

TEST(ThreadPoolTest, AThreadRunsOneTaskAtATime) {
  ThreadPool pool(4);
  std::atomic<int> inside[4] = {};
  std::atomic<int> clashes = 0;
  pool.ParallelFor(5000, [&](int, int thread) {
    if (inside[thread].fetch_add(1) != 0) ++clashes;
    inside[thread].fetch_sub(1);
  });
  EXPECT_EQ(clashes, 0);
}

// Plain memory written by one job and read by the next: what a step does with its
// activations. Under tsan this also proves the hand-over.
TEST(ThreadPoolTest, AJobSeesWhatTheJobBeforeWrote) {
  ThreadPool pool(3);
  constexpr int kSize = 64;
  std::vector<int> from(kSize, 0);
  std::vector<int> to(kSize, 0);
  for (int round = 0; round < 2000; ++round) {
    pool.ParallelFor(kSize, [&](int task, int) {
      const auto i = static_cast<std::size_t>(task);
      to[i] = from[(i + 1) % kSize] + 1;
    });
    from.swap(to);
  }
  EXPECT_EQ(from, std::vector<int>(kSize, 2000));
}

TEST(ThreadPoolTest, PoolsComeAndGoWithAndWithoutWork) {
  for (int i = 0; i < 200; ++i) {
    ThreadPool pool(1 + i % 5);
    std::atomic<int> sum = 0;
    for (int job = 0; job < i % 4; ++job) pool.ParallelFor(9, [&](int task, int) { sum += task; });
    EXPECT_EQ(sum, (i % 4) * 36);
  }
}

TEST(ThreadPoolTest, ZeroThreadsMeansTheUsableCpus) {
  EXPECT_GE(NumUsableCpus(), 1);
  EXPECT_EQ(ThreadPool(0).num_threads(), NumUsableCpus());
}

}  // namespace
}  // namespace espalier
