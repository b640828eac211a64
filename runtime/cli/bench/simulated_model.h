// SimulatedModel: a model that has no weights and takes no time: it says what a step would cost
// on some machine, and likes words.
//
// Its logits depend on a token and its position alone, so that a request's output depends on
// the request alone. Of a handful of words it likes one most and the others less and less: what
// is sampled differs by the seed, what is greedy does not. Words begin with a space where the
// vocabulary has such, so that its output is tokenized again as it was.
//
// Thread safety: one Forward at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "grammar/vocabulary.h"
#include "runtime/model/model.h"
#include "runtime/model/step_cost.h"

namespace espalier {

class SimulatedModel final : public Model {
 public:
  // `spend` takes the seconds of each step.
  SimulatedModel(const Vocabulary& vocabulary, std::int32_t context_length, int page_size,
                 const StepCost& cost, std::function<void(double seconds)> spend);

  std::int32_t vocab_size() const override { return vocab_size_; }
  std::int32_t hidden_size() const override { return 1; }
  std::int32_t context_length() const override { return context_length_; }
  const KvShape& kv_shape() const override { return shape_; }  // as small as there is
  void Forward(const Batch& batch, KvPool& kv, const ModelOutput& output) override;

 private:
  void FillLogits(TokenId token, std::int32_t position, std::span<float> logits) const;

  const std::int32_t vocab_size_, context_length_;
  const KvShape shape_;
  const StepCost cost_;
  const std::function<void(double seconds)> spend_;
  std::vector<TokenId> words_;  // not empty
};

}  // namespace espalier
