#include "runtime/tokenizer/merge_queue.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace espalier {
namespace {

TEST(MergeQueue, TakesTheLeastAsASortedSetDoes) {
  std::mt19937 random(1);
  MergeQueue queue;
  for (int round = 0; round < 2000; ++round) {
    const std::uint64_t range = 1 + random() % 50;
    std::multiset<std::uint64_t> model;
    queue.Clear();
    for (int step = 0; step < 100; ++step) {
      if (random() % 5 < 3 - random() % 2) {
        const std::uint64_t entry = random() % range + (random() % 2 == 0 ? step : 0);
        queue.Add(entry);
        model.insert(entry);
        continue;
      }
      const std::optional<std::uint64_t> least = queue.Take();
      ASSERT_EQ(least.has_value(), !model.empty());
      if (!least) continue;
      ASSERT_EQ(*least, *model.begin());
      model.erase(model.begin());
    }
  }
}

}  // namespace
}  // namespace espalier
