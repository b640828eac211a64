// StepPlan and RowOutput: what passes between the scheduler and the rest of a step.
//
// Thread safety: plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/base/status.h"
#include "runtime/engine/sequence.h"
#include "runtime/model/batch.h"

namespace espalier {

// sequence->tokens[num_computed, num_computed + num_tokens), the first num_shared of which
// rows before it run too (step_builder.h). Of its logits the first num_scores are for
// log-probabilities of tokens that are there, those from sequence->num_scored on; if it
// samples, one more is the last token's. The hidden states of its last num_hidden tokens are
// wanted; those of all rows lie in the order of the rows.
struct PlannedRow {
  Sequence* sequence = nullptr;
  std::int32_t num_tokens = 0;
  std::int32_t num_shared = 0;
  std::int32_t num_scores = 0;
  std::int32_t num_hidden = 0;
  bool samples = false;
};

struct StepPlan {
  Batch batch;
  std::vector<PlannedRow> rows;  // in the order of the batch, which lacks those all shared
  // Row r's logits are those of the batch at logits[logits_start[r], logits_start[r + 1]).
  std::vector<std::int32_t> logits;
  std::vector<std::int32_t> logits_start{0};  // [rows.size() + 1]

  void Clear() {
    batch.Clear();
    rows.clear();
    logits.clear();
    logits_start.assign(1, 0);
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
