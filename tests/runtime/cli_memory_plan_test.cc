#include "runtime/cli/memory_plan.h"

#include <gtest/gtest.h>

#include <memory>

#include "runtime/cli/plan_flags.h"
#include "runtime/model/registry.h"

namespace espalier {
namespace {

// By hand: 1,000 bytes of memory less 200 of weights are 800; a page of 4 tokens of 5 bytes takes
// 20: 40 pages, 160 tokens. A context of 10 tokens takes 3 pages: 13 users.
PlanInput Small() {
  return {.model = {.weight_bytes = 180,
                    .multiplied = 90,
                    .kv_bytes_per_token = 5,
                    .attention_width = 4},
          .stored_bytes = 200,
          .memory_bytes = 1000,
          .bytes_per_s = 10,
          .context = 10,
          .page_size = 4};
}

TEST(MemoryPlanTest, PagesAndUsersAreWhatFitsBesideTheWeights) {
  const Result<MemoryPlan> plan = PlanMemory(Small());
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->kv_bytes, 800);
  EXPECT_EQ(plan->pages, 40);
  EXPECT_EQ(plan->kv_tokens, 160);
  EXPECT_EQ(plan->users, 13);
}

TEST(MemoryPlanTest, WithoutABoundOnComputeReadingCounts) {
  const Result<MemoryPlan> plan = PlanMemory(Small());
  ASSERT_TRUE(plan.ok());
  // 180 bytes of weights at 10 a second, and 10 tokens of 5 bytes of KV.
  EXPECT_DOUBLE_EQ(plan->decode_one.seconds, 18 + 5);
  EXPECT_EQ(plan->decode_one.bound_by, "reading weights");
  EXPECT_DOUBLE_EQ(plan->decode_all.tokens_per_s, 13 / (18 + 13 * 5.0));
  EXPECT_EQ(plan->decode_all.bound_by, "reading KV");
}

TEST(MemoryPlanTest, APromptIsBoundByCompute) {
  PlanInput input = Small();
  input.flops = 20;
  const Result<MemoryPlan> plan = PlanMemory(input);
  ASSERT_TRUE(plan.ok());
  // 10 tokens of 2 * 90 operations, and 55 pairs of 4 * 4, at 20 a second.
  EXPECT_DOUBLE_EQ(plan->prefill.seconds, 10 * 180 / 20.0 + 55 * 16 / 20.0);
  EXPECT_EQ(plan->prefill.bound_by, "compute");
  EXPECT_DOUBLE_EQ(plan->compute_bound_at, 2);  // 18 s of reading, 9 s a token
}

TEST(MemoryPlanTest, WhatDoesNotFitIsRefusedWithTheNumbers) {
  PlanInput input = Small();
  input.context = 161;
  EXPECT_EQ(PlanMemory(input).status().code(), Code::kLimit);
  input.memory_bytes = 199;
  EXPECT_EQ(PlanMemory(input).status().message(),
            "the weights take 200 bytes, and --memory is 199");
}

TEST(MemoryPlanTest, TheSizesOfAModelAreThoseOfItsFile) {
  const auto gguf = Gguf::FromMemory(TinyModelGguf());
  ASSERT_TRUE(gguf.ok());
  const Result<ModelConfig> config = ReadConfig(**gguf);
  ASSERT_TRUE(config.ok());
  const ModelSize size = ModelSizeOf(**gguf, *config);
  const auto& c = *config;
  const std::int64_t heads = std::int64_t{c.num_heads} * c.head_dim;
  const std::int64_t kv_heads = std::int64_t{c.num_kv_heads} * c.head_dim;
  const std::int64_t layer = 2 * c.hidden_size * (heads + kv_heads) +  // q, o; k, v
                             std::int64_t{3} * c.hidden_size * c.ffn_size;
  EXPECT_EQ(size.multiplied, c.num_layers * layer + std::int64_t{c.vocab_size} * c.hidden_size);
  EXPECT_EQ(size.kv_bytes_per_token, 2 * c.num_layers * kv_heads * 2);
  EXPECT_EQ(size.attention_width, c.num_layers * heads);
}

TEST(MemoryPlanTest, AmountsHaveDecimalAndBinaryUnits) {
  EXPECT_EQ(ParseAmount("24G"), 24e9);
  EXPECT_EQ(ParseAmount("1.5Ki"), 1536);
  EXPECT_EQ(ParseAmount("7"), 7);
  for (const char* wrong : {"", "G", "0", "-1G", "1GB", "1Gx", "inf", "nan", "1e300", "2 G"}) {
    EXPECT_FALSE(ParseAmount(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace espalier
