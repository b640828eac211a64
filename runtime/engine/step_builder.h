// StepBuilder: the rows that the scheduler chooses, as one batch in which every token is
// run once.
//
// Where the pending tokens of a row begin as those of a row before it do, and all tokens
// before them are the same too, only the earlier row runs them: their KV goes to the pages
// of both, and so do their logits. So the paths of a token tree, the choices of a request,
// forks and requests of one text are, in one step, one pass over the tree of their tokens.
// Who runs a token never enters a row's arithmetic.
//
// Thread safety: none. Engine thread only.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "runtime/engine/sequence.h"
#include "runtime/engine/step_plan.h"

namespace espalier {

class StepBuilder {
 public:
  enum class Sharing : std::uint8_t { kOff, kOn };

  // `plan` must outlive the builder.
  StepBuilder(StepPlan& plan, int page_size, Sharing sharing)
      : plan_(plan), page_size_(page_size), sharing_(sharing) {}

  // Empties the plan.
  void Start();

  // The pending tokens of a sequence that rows of the step run already.
  struct Shared {
    std::size_t first = 0;        // their places, in row_tokens_
    std::int32_t num_tokens = 0;  // from num_computed on
  };
  // The row that shares the most; none for a sequence whose hidden states are wanted. O(tokens) a
  // row that has the token at num_computed too.
  Shared FindShared(const Sequence& seq) const;

  // How many logits the batch would have more with the next num_tokens tokens of `seq`.
  int NumNewLogits(const Sequence& seq, const Shared& shared, int num_tokens) const;

  // A row of the next num_tokens tokens. REQUIRES: 0 < num_tokens <= seq.num_pending(), and
  // the lease has pages for them; `shared` was found since the last Add.
  void Add(Sequence& seq, const Shared& shared, int num_tokens);

  // Brings the batch into its final shape. Only then may it be used.
  void Finish();

 private:
  void AddTokens(const Sequence& seq, const Shared& shared, int num_tokens);
  void AddBatchRow(const Sequence& seq, std::span<const PageId> pages);
  void FinishSlots();
  void FinishLogits();

  StepPlan& plan_;
  const int page_size_;
  const Sharing sharing_;
  // Of the rows of the plan: the token of the batch at each position.
  std::vector<std::int32_t> row_tokens_;
  std::vector<std::size_t> row_tokens_start_;                 // [rows]
  std::vector<std::pair<std::int32_t, std::int32_t>> slots_;  // (token, slot), unordered
  std::vector<bool> wanted_;                                  // [tokens]: its logits
  std::vector<std::int32_t> next_slot_, logits_of_;           // [tokens], scratch
};

}  // namespace espalier
