#include "grammar/split_cache.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "grammar/fuel.h"
#include "grammar/vocabulary.h"

namespace espalier {
namespace {

class SplitCaches : public testing::Test {
 protected:
  std::shared_ptr<const TokenSplit> Split(const char* text) {
    return std::make_shared<const TokenSplit>(set_, set_.Literal(text), vocabulary_,
                                              TokenLength::kShort);
  }
  static SplitCache::Key Key(std::uint64_t low) {
    return {.regex = {.low = low, .high = 0}, .length = TokenLength::kShort};
  }

  const Vocabulary vocabulary_{{"a", "b", "ab"}, {}};
  Fuel fuel_{1'000'000};
  RegexSet set_{fuel_};
};

TEST_F(SplitCaches, FindsWhatWasInserted) {
  SplitCache cache;
  const auto split = Split("ab");
  EXPECT_EQ(cache.Find(Key(1)).split, nullptr);
  cache.Insert(Key(1), {.split = split, .num_steps = 1});
  EXPECT_EQ(cache.Find(Key(1)).split, split);
  EXPECT_EQ(cache.Find(Key(1)).num_steps, 1u);
  EXPECT_EQ(cache.Find({.regex = {.low = 1, .high = 0}, .length = TokenLength::kLong}).split,
            nullptr);
  cache.Clear();
  EXPECT_EQ(cache.Find(Key(1)).split, nullptr);
}

TEST_F(SplitCaches, KeepsWhatIsAskedForAndDropsTheRest) {
  const auto split = Split("ab");
  SplitCache cache(8 * split->size_bytes());  // four in a half
  cache.Insert(Key(0), {.split = split, .num_steps = 0});
  cache.Insert(Key(1), {.split = split, .num_steps = 1});
  for (std::uint64_t key = 2; key < 40; ++key) {
    cache.Insert(Key(key), {.split = split, .num_steps = key});
    EXPECT_NE(cache.Find(Key(0)).split, nullptr) << key;
  }
  EXPECT_EQ(cache.Find(Key(1)).split, nullptr);
  EXPECT_NE(cache.Find(Key(39)).split, nullptr);
}

}  // namespace
}  // namespace espalier
