#include "runtime/engine/row_sampler.h"

#include <gtest/gtest.h>

#include "tests/runtime/fake_model.h"

namespace espalier {
namespace {

// A plan of one-token rows, each of which samples.
class RowSamplerTest : public testing::Test {
 protected:
  void AddRow() {
    GenerateRequest request;
    request.prompt = {1};
    const RequestBounds bounds{
        .context_length = 100, .kv_cache_tokens = 100, .vocab_size = test::kFakeVocab};
    const SeqId id{sequences_.size() + 1};
    sequences_.push_back(std::make_unique<Sequence>(
        CheckRequest(id, std::move(request), bounds).value(), 0, *vocabulary_));
    plan_.rows.push_back({.sequence = sequences_.back().get(), .num_tokens = 1, .samples = true});
    plan_.logits.push_back(static_cast<std::int32_t>(plan_.logits.size()));
    plan_.logits_start.push_back(static_cast<std::int32_t>(plan_.logits.size()));
    logits_.resize(sequences_.size() * test::kFakeVocab, 0);
  }

  ThreadPool pool_{2};
  const std::shared_ptr<const Vocabulary> vocabulary_ = test::FakeVocabulary();
  RowSampler sampler_{pool_, test::kFakeVocab, test::kFakeVocab};
  std::vector<std::unique_ptr<Sequence>> sequences_;
  StepPlan plan_;
  std::vector<float> logits_;
};

TEST_F(RowSamplerTest, MaskThatFailedIsItsOwnRowsErrorAndNoneElses) {
  for (int i = 0; i < 3; ++i) AddRow();
  TokenMask only_four(test::kFakeVocab), empty(test::kFakeVocab);
  only_four.Allow(4);
  const std::vector<RowMask> masks = {
      {.mask = &only_four},
      {.mask = &empty, .error = Status(Code::kLimit, "a mask took more than its fuel")},
      {}};
  const std::span<const RowOutput> outputs = sampler_.Run(plan_, logits_, masks);
  EXPECT_TRUE(outputs[0].error.ok());
  EXPECT_EQ(outputs[0].token, 4);
  EXPECT_EQ(outputs[1].error.code(), Code::kLimit);
  EXPECT_EQ(outputs[1].error.message(), "a mask took more than its fuel");
  EXPECT_TRUE(outputs[2].error.ok());
}

}  // namespace
}  // namespace espalier
