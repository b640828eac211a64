#include "kernels/base/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
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

TEST(ThreadPoolTest, JobBesideOthersRunsEachTaskOnce) {
  for (const int num_threads : {1, 2, 4}) {
    ThreadPool pool(num_threads);
    for (int round = 0; round < 200; ++round) {
      std::vector<int> runs(static_cast<std::size_t>(round % 7));
      const auto beside = [&](int task, int) { ++runs[static_cast<std::size_t>(task)]; };
      pool.StartBeside(round % 7, beside);
      std::atomic<int> sum = 0;
      for (int job = 0; job < 3; ++job) pool.ParallelFor(50, [&](int task, int) { sum += task; });
      pool.FinishBeside();
      EXPECT_EQ(runs, std::vector<int>(runs.size(), 1));
      EXPECT_EQ(sum, 3 * 1225);
    }
  }
}

TEST(ThreadPoolTest, PostedWorkRunsOnAnotherThreadWhileJobsGoOn) {
  for (const int num_threads : {1, 2, 5}) {
    ThreadPool pool(num_threads);
    const std::thread::id caller = std::this_thread::get_id();
    std::atomic<int> num_left = 100;
    std::atomic<int> on_caller = 0;
    for (int i = 0; i < 100; ++i) {
      pool.Post([&] {
        if (std::this_thread::get_id() == caller) ++on_caller;
        if (--num_left == 0) num_left.notify_one();
      });
      std::atomic<int> sum = 0;
      pool.ParallelFor(9, [&](int task, int) { sum += task; });
      EXPECT_EQ(sum, 36);
    }
    for (int left = num_left; left != 0; left = num_left) num_left.wait(left);
    EXPECT_EQ(on_caller, 0);
  }
}

// Work that never ends before the jobs do: they must not wait for it.
TEST(ThreadPoolTest, PostedWorkHoldsUpNoJob) {
  for (const int num_threads : {1, 2, 4}) {
    ThreadPool pool(num_threads);
    std::atomic<bool> begun = false;
    std::atomic<bool> may_end = false;
    for (int i = 0; i < 8; ++i) {
      pool.Post([&] {
        begun = true;
        begun.notify_one();
        may_end.wait(false);
      });
    }
    begun.wait(false);
    std::atomic<int> sum = 0;
    for (int job = 0; job < 100; ++job) pool.ParallelFor(9, [&](int task, int) { sum += task; });
    EXPECT_EQ(sum, 3600);
    may_end = true;
    may_end.notify_all();
  }
}

TEST(ThreadPoolTest, PostedWorkThatHasNotBegunEndsWithThePool) {
  const auto held = std::make_shared<int>(0);
  for (const int num_threads : {1, 3}) {
    ThreadPool pool(num_threads);
    for (int i = 0; i < 50; ++i) pool.Post([held] { EXPECT_GE(held.use_count(), 1); });
  }
  EXPECT_EQ(held.use_count(), 1);
}

TEST(ThreadPoolTest, ZeroThreadsMeansTheUsableCpus) {
  EXPECT_GE(NumUsableCpus(), 1);
  EXPECT_EQ(ThreadPool(0).num_threads(), NumUsableCpus());
}

}  // namespace
}  // namespace espalier
