// Parts of a plan cover every chunk of every row once, in order, and shared chunks once for
// all rows that have them.
#include "kernels/cpu/attention_plan.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "kernels/cpu/ops.h"

namespace espalier {
namespace {

struct Rows {
  std::vector<std::int32_t> start{0};
  std::vector<std::int32_t> position;
  std::vector<std::int32_t> page_start{0};
  std::vector<PageId> pages;

  void Add(const std::vector<std::int32_t>& row, int num_tokens) {
    for (const std::int32_t page : row) pages.push_back(PageId{page});
    page_start.push_back(static_cast<std::int32_t>(pages.size()));
    for (int i = 0; i < num_tokens; ++i) position.push_back(i);
    start.push_back(start.back() + num_tokens);
  }
  AttentionRows View() const { return {start, position, page_start, pages}; }
};

// Page sizes of 32: two pages a chunk.
constexpr int kPageSize = 32;

int NumParts(const AttentionPlan& plan) {
  int count = 0;
  for (int i = 0; i < plan.num_levels(); ++i) count += static_cast<int>(plan.level(i).size());
  return count;
}

// Each token's chunks as its parts give them, in the order of levels.
std::map<std::int32_t, std::vector<std::int32_t>> ChunksOfTokens(const AttentionPlan& plan) {
  std::map<std::int32_t, std::vector<std::int32_t>> chunks;
  for (int i = 0; i < plan.num_levels(); ++i) {
    for (const AttentionPlan::Part& part : plan.level(i)) {
      EXPECT_LE(part.token_end - part.token_begin, kAttentionTokens);
      for (std::int32_t t = part.token_begin; t < part.token_end; ++t) {
        auto& of_token = chunks[plan.tokens()[static_cast<std::size_t>(t)]];
        for (std::int32_t c = part.chunk_begin; c < part.chunk_end; ++c) of_token.push_back(c);
      }
    }
  }
  return chunks;
}

TEST(AttentionPlanTest, SharedChunksAreOnePart) {
  Rows rows;
  rows.Add({1, 2, 3, 4, 5}, 1);
  rows.Add({9, 8}, 1);
  rows.Add({1, 2, 3, 4, 6, 7}, 1);
  AttentionPlan plan;
  plan.Make(rows.View(), kPageSize);
  ASSERT_EQ(plan.num_levels(), 2);
  EXPECT_EQ(plan.level(0).size(), 2u);  // the first two chunks of rows 0 and 2; row 1
  EXPECT_EQ(plan.level(1).size(), 2u);  // what follows in rows 0 and 2
}

TEST(AttentionPlanTest, AChunkThatDiffersInItsSecondPageIsNotShared) {
  Rows rows;
  rows.Add({1, 2}, 1);
  rows.Add({1, 3}, 1);
  AttentionPlan plan;
  plan.Make(rows.View(), kPageSize);
  EXPECT_EQ(plan.num_levels(), 1);
  EXPECT_EQ(NumParts(plan), 2);
}

TEST(AttentionPlanTest, EqualRowsShareAllWholeChunks) {
  Rows rows;
  for (int i = 0; i < kAttentionTokens + 1; ++i) rows.Add({1, 2, 3, 4}, 1);
  AttentionPlan plan;
  plan.Make(rows.View(), kPageSize);
  EXPECT_EQ(plan.num_levels(), 1);
  EXPECT_EQ(NumParts(plan), 2);  // as many tokens as a part may have, and one
}

TEST(AttentionPlanTest, NoRowsHaveNoParts) {
  AttentionPlan plan;
  plan.Make(Rows().View(), kPageSize);
  EXPECT_EQ(plan.num_levels(), 0);
}

TEST(AttentionPlanTest, RandomTreesAreCoveredOnceInOrder) {
  std::mt19937 rng(1);
  AttentionPlan plan;
  for (int trial = 0; trial < 300; ++trial) {
    Rows rows;
    std::vector<std::vector<std::int32_t>> lists;
    std::int32_t next = 0;
    for (unsigned r = 0; r < 1 + rng() % 12; ++r) {
      std::vector<std::int32_t> pages;
      if (!lists.empty() && rng() % 4 != 0) {
        pages = lists[rng() % lists.size()];
        pages.resize(rng() % (pages.size() + 1));
      }
      const std::size_t size = pages.size() + (pages.empty() ? 1 : 0) + rng() % 5;
      while (pages.size() < size) pages.push_back(next++);
      lists.push_back(pages);
      rows.Add(pages, static_cast<int>(1 + rng() % 20));
    }
    plan.Make(rows.View(), kPageSize);
    const auto chunks = ChunksOfTokens(plan);
    ASSERT_EQ(chunks.size(), rows.position.size());
    for (std::size_t r = 0; r < lists.size(); ++r) {
      std::vector<std::int32_t> expected;
      for (std::size_t c = 0; c < (lists[r].size() + 1) / 2; ++c) {
        expected.push_back(static_cast<std::int32_t>(c));
      }
      for (std::int32_t t = rows.start[r]; t < rows.start[r + 1]; ++t) {
        ASSERT_EQ(chunks.at(t), expected) << "row " << r << " of trial " << trial;
      }
    }
  }
}

}  // namespace
}  // namespace espalier
