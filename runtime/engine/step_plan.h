// StepPlan and RowOutput: what passes between the scheduler and the rest of a step.
//
// Thread safety: plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/base/status.h"
#include "runtime/engine/batch.h"
#include "runtime/engine/sequence.h"

namespace espalier {

// Row r of the batch: sequence->tokens[num_computed, num_computed + num_tokens). Of its
// logits the first num_scores are for log-probabilities of tokens that are there, those
// from sequence->num_scored on; if it samples, one more is the last token's.
struct PlannedRow {
  Sequence* sequence = nullptr;
  std::int32_t num_tokens = 0;
  std::int32_t num_scores = 0;
  bool samples = false;
};

struct StepPlan {
  Batch batch;
  std::vector<PlannedRow> rows;  // [batch.num_rows()]

  void Clear() {
    batch.Clear();
    rows.clear();
  }
};

// What a row may sample.
struct RowMask {
  const TokenMask* mask = nullptr;  // null: it samples nothing, or is unconstrained
  Status error;                     // not ok: the sequence ends with it
};

// What came of a row.
struct RowOutput {
  Status error;                         // not ok: the sequence ends with it
  TokenId token = 0;                    // if the row samples
  std::optional<TokenLogprob> logprob;  // of `token`, if asked
  std::vector<TokenLogprob> scores;     // [num_scores]

  void Clear() {
    error = {};
    logprob.reset();
    scores.clear();
  }
};

}  // namespace espalier
