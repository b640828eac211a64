#include "runtime/model/step_cost.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

// Two rows: three tokens at positions 4 to 6, and one at position 9.
TEST(StepCostTest, TheWorkOfABatchIsItsTokensContextsAndPairs) {
  Batch batch;
  batch.seq = {SeqId{1}, SeqId{2}};
  batch.start = {0, 3, 4};
  batch.tokens = {1, 2, 3, 4};
  batch.position = {4, 5, 6, 9};
  const StepWork work = WorkOf(batch);
  EXPECT_EQ(work.tokens, 4);
  EXPECT_EQ(work.kv_tokens, 7 + 10);
  EXPECT_EQ(work.attended, 5 + 6 + 7 + 10);
}

TEST(StepCostTest, OfReadingAndComputingTheSlowerCounts) {
  const StepCost cost{
      .overhead_s = 1, .weights_s = 10, .token_s = 2, .kv_token_s = 0.5, .attended_s = 0.25};
  EXPECT_DOUBLE_EQ(cost.Seconds({.tokens = 3, .kv_tokens = 8, .attended = 8}), 1 + 10 + 4);
  EXPECT_DOUBLE_EQ(cost.Seconds({.tokens = 6, .kv_tokens = 8, .attended = 20}), 1 + 12 + 5);
}

TEST(StepCostTest, CostsAreBytesAndOperationsOverSpeeds) {
  const StepCost cost = CostOf(
      {.weight_bytes = 1000, .multiplied = 500, .kv_bytes_per_token = 40, .attention_width = 16},
      {.bytes_per_s = 100, .flops = 64, .overhead_s = 3});
  EXPECT_DOUBLE_EQ(cost.overhead_s, 3);
  EXPECT_DOUBLE_EQ(cost.weights_s, 10);
  EXPECT_DOUBLE_EQ(cost.token_s, 2 * 500 / 64.0);
  EXPECT_DOUBLE_EQ(cost.kv_token_s, 0.4);
  EXPECT_DOUBLE_EQ(cost.attended_s, 1);
}

}  // namespace
}  // namespace espalier
