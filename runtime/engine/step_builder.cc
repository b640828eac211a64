#include "runtime/engine/step_builder.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace espalier {
namespace {

std::size_t At(std::int32_t index) { return static_cast<std::size_t>(index); }

// Whether both begin with the same `size` tokens. Sequences of one text part near its end,
// so that is looked at first.
bool BeginAlike(const Sequence& a, const Sequence& b, std::int32_t size) {
  constexpr std::int32_t kEnd = 64;
  const std::int32_t before = std::max(0, size - kEnd);
  const auto end_of = [&](const Sequence& seq) {
    return std::span(seq.tokens).subspan(At(before), At(size - before));
  };
  return std::ranges::equal(end_of(a), end_of(b)) &&
         std::memcmp(a.tokens.data(), b.tokens.data(), At(before) * sizeof(TokenId)) == 0;
}

// How many tokens of `seq` from num_computed on the row runs too, all before being alike.
std::int32_t NumAlike(const Sequence& seq, const PlannedRow& row) {
  const Sequence& other = *row.sequence;
  const std::int32_t begin = seq.num_computed;
  const std::int32_t end = std::min(other.num_computed + row.num_tokens, begin + seq.num_pending());
  if (begin < other.num_computed || begin >= end) return 0;
  const auto from = seq.tokens.begin() + begin;
  const auto differ = std::mismatch(from, seq.tokens.begin() + end, other.tokens.begin() + begin);
  if (differ.first == from) return 0;
  const bool same_space = seq.request->asked.cache_salt == other.request->asked.cache_salt;
  return same_space && BeginAlike(seq, other, begin)
             ? static_cast<std::int32_t>(differ.first - from)
             : 0;
}

}  // namespace

void StepBuilder::Start() {
  plan_.Clear();
  row_tokens_.clear();
  row_tokens_start_.clear();
  slots_.clear();
  wanted_.clear();
}

StepBuilder::Shared StepBuilder::FindShared(const Sequence& seq) const {
  Shared shared;
  if (sharing_ == Sharing::kOff || seq.mean != nullptr) return shared;
  for (std::size_t r = 0; r < plan_.rows.size(); ++r) {
    const PlannedRow& row = plan_.rows[r];
    const std::int32_t num_alike = NumAlike(seq, row);
    if (num_alike <= shared.num_tokens) continue;
    shared.num_tokens = num_alike;
    shared.first = row_tokens_start_[r] + At(seq.num_computed - row.sequence->num_computed);
    if (num_alike == seq.num_pending()) break;
  }
  return shared;
}

int StepBuilder::NumNewLogits(const Sequence& seq, const Shared& shared, int num_tokens) const {
  int num_new = seq.NumLogits(num_tokens);
  for (std::int32_t i = 0; i < std::min(shared.num_tokens, num_tokens); ++i) {
    const bool is_there = wanted_[At(row_tokens_[shared.first + At(i)])];
    if (is_there && seq.WantsLogits(i, num_tokens)) --num_new;
  }
  return num_new;
}

void StepBuilder::Add(Sequence& seq, const Shared& shared, int num_tokens) {
  const int end = seq.num_computed + num_tokens;
  const auto pages = seq.lease.pages().first(At((end + page_size_ - 1) / page_size_));
  plan_.rows.push_back({.sequence = &seq,
                        .num_tokens = num_tokens,
                        .num_shared = std::min(shared.num_tokens, num_tokens),
                        .num_scores = seq.NumScores(num_tokens),
                        .num_hidden = seq.NumHidden(num_tokens),
                        .samples = seq.SamplesAfter(num_tokens)});
  row_tokens_start_.push_back(row_tokens_.size());
  AddTokens(seq, shared, num_tokens);
  if (num_tokens > shared.num_tokens) AddBatchRow(seq, pages);
  if (const auto copy = seq.lease.pending_copy()) plan_.batch.copies.push_back(*copy);
}

void StepBuilder::AddTokens(const Sequence& seq, const Shared& shared, int num_tokens) {
  Batch& batch = plan_.batch;
  const auto pages = seq.lease.pages();
  for (std::int32_t i = 0; i < num_tokens; ++i) {
    const std::int32_t position = seq.num_computed + i;
    auto token = static_cast<std::int32_t>(batch.num_tokens());
    if (i < shared.num_tokens) {
      token = row_tokens_[shared.first + At(i)];
    } else {
      batch.tokens.push_back(seq.tokens[At(position)]);
      batch.position.push_back(position);
      wanted_.push_back(false);
    }
    row_tokens_.push_back(token);
    slots_.emplace_back(
        token, Index(pages[At(position / page_size_)]) * page_size_ + position % page_size_);
    if (!seq.WantsLogits(i, num_tokens)) continue;
    wanted_[At(token)] = true;
    plan_.logits.push_back(token);
  }
  plan_.logits_start.push_back(static_cast<std::int32_t>(plan_.logits.size()));
  const auto end = static_cast<std::int32_t>(batch.num_tokens());
  for (std::int32_t i = plan_.rows.back().num_hidden; i > 0; --i) {
    batch.hidden_tokens.push_back(end - i);
  }
}

void StepBuilder::AddBatchRow(const Sequence& seq, std::span<const PageId> pages) {
  Batch& batch = plan_.batch;
  batch.seq.push_back(seq.request->id);
  batch.start.push_back(static_cast<std::int32_t>(batch.num_tokens()));
  batch.pages.insert(batch.pages.end(), pages.begin(), pages.end());
  batch.page_start.push_back(static_cast<std::int32_t>(batch.pages.size()));
}

void StepBuilder::Finish() {
  FinishSlots();
  FinishLogits();
}

void StepBuilder::FinishSlots() {
  Batch& batch = plan_.batch;
  batch.slot_start.assign(batch.num_tokens() + 1, 0);
  for (const auto& [token, slot] : slots_) ++batch.slot_start[At(token) + 1];
  for (std::size_t t = 0; t < batch.num_tokens(); ++t) {
    batch.slot_start[t + 1] += batch.slot_start[t];
  }
  batch.slots.resize(slots_.size());
  next_slot_ = batch.slot_start;
  for (const auto& [token, slot] : slots_) batch.slots[At(next_slot_[At(token)]++)] = slot;
}

// Until here plan_.logits names tokens of the batch.
void StepBuilder::FinishLogits() {
  Batch& batch = plan_.batch;
  logits_of_.assign(batch.num_tokens(), 0);
  for (std::size_t row = 0; row < batch.num_rows(); ++row) {
    for (std::int32_t token = batch.start[row]; token < batch.start[row + 1]; ++token) {
      if (!wanted_[At(token)]) continue;
      logits_of_[At(token)] = static_cast<std::int32_t>(batch.num_logits());
      batch.logits_tokens.push_back(token);
    }
    batch.logits_start.push_back(static_cast<std::int32_t>(batch.num_logits()));
  }
  for (std::int32_t& logits : plan_.logits) logits = logits_of_[At(logits)];
}

}  // namespace espalier
