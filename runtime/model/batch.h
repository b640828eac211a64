// Batch: the input of one forward pass as flat arrays. It owns its arrays and
// refers to no Sequence, so it can be logged, replayed and unit tested alone.
//
// Row r covers tokens [start[r], start[r + 1]) of one sequence, and sees the KV of
// pages [page_start[r], page_start[r + 1]); page p of a row holds positions
// p * page_size and on. All copies are made first, then the KV of all tokens is
// written, then each token attends to positions 0 .. position[t] of its row: so a
// token may be written for several rows (forks, drafts, token trees) and be seen
// by all of them in the same pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/base/types.h"

namespace espalier {

struct Batch {
  std::vector<SeqId> seq;                   // [num_rows]
  std::vector<std::int32_t> start{0};       // [num_rows + 1]
  std::vector<std::int32_t> page_start{0};  // [num_rows + 1]
  std::vector<PageId> pages;

  std::vector<TokenId> tokens;              // [num_tokens]
  std::vector<std::int32_t> position;       // [num_tokens]
  std::vector<std::int32_t> slot_start{0};  // [num_tokens + 1]
  std::vector<std::int32_t> slots;          // page * page_size + offset, one or more a token

  // Tokens whose logits are wanted, ascending; row r's are
  // [logits_start[r], logits_start[r + 1]).
  std::vector<std::int32_t> logits_tokens;
  std::vector<std::int32_t> logits_start{0};  // [num_rows + 1]

  std::vector<std::int32_t> hidden_tokens;  // whose last hidden states are wanted, ascending

  std::vector<PageCopy> copies;

  std::size_t num_rows() const { return seq.size(); }
  std::size_t num_tokens() const { return tokens.size(); }
  std::size_t num_logits() const { return logits_tokens.size(); }

  // Empties the arrays and keeps their memory.
  void Clear();
};

}  // namespace espalier
