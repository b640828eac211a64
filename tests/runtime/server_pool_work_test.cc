#include "runtime/server/pool_work.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace espalier {
namespace {

TEST(PoolWorkTest, WhatFollowsRunsWhereItWasStarted) {
  std::deque<PoolWork::Work> pool, io;
  std::vector<std::string> order;
  const auto held = std::make_shared<int>();
  PoolWork work([&](PoolWork::Work one) { pool.push_back(std::move(one)); },
                [&](PoolWork::Work one) { io.push_back(std::move(one)); });
  work.Start([&] { order.emplace_back("work a"); }, [&, held] { order.emplace_back("then a"); });
  work.Start([&] { order.emplace_back("work b"); }, [&] { order.emplace_back("then b"); });
  EXPECT_TRUE(order.empty());
  pool[1]();
  pool[0]();
  pool.clear();
  EXPECT_EQ(held.use_count(), 2) << "not left to the pool";
  for (const PoolWork::Work& one : io) one();
  EXPECT_EQ(order, (std::vector<std::string>{"work b", "work a", "then b", "then a"}));
  EXPECT_EQ(held.use_count(), 1);
}

TEST(PoolWorkTest, ItsEndWaitsForWhatIsBeingDone) {
  std::thread thread;
  bool done = false;
  {
    PoolWork work([&](PoolWork::Work one) { thread = std::thread(std::move(one)); },
                  [](const PoolWork::Work& /*the loop has ended*/) {});
    work.Start([&] { done = true; }, [] {});
  }
  EXPECT_TRUE(done);
  thread.join();
}

}  // namespace
}  // namespace espalier
