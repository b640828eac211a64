#include "runtime/engine/scheduler.h"

#include <algorithm>
#include <utility>

#include "kernels/base/check.h"
#include "runtime/engine/stopwatch.h"

namespace espalier {
namespace {

int NumScores(const Sequence& seq, int num_tokens) {
  const int begin = std::max(seq.num_computed, seq.num_scored - 1);
  const int end = std::min(seq.num_computed + num_tokens, seq.score_end() - 1);
  return std::max(end - begin, 0);
}

bool SamplesAfter(const Sequence& seq, int num_tokens) {
  return num_tokens == seq.num_pending() && seq.samples();
}

}  // namespace

Scheduler::Scheduler(PrefixCache& cache, const SchedulerOptions& options,
                     const Vocabulary& vocabulary)
    : cache_(cache), options_(options), vocabulary_(vocabulary) {
  ESP_CHECK(options.max_tokens > 0 && options.max_rows > 0 && options.max_logits > 0);
  if (options.speller != nullptr && options.jump_forward) {
    forced_ = std::make_unique<ForcedTokens>(*options.speller);
  }
}

void Scheduler::Add(const std::shared_ptr<const QueuedRequest>& request,
                    std::vector<TokenEvent>& events) {
  for (int choice = 0; choice < request->asked.sampling.n; ++choice) {
    SequencePtr seq = std::make_unique<Sequence>(request, choice, vocabulary_);
    if (request->asked.sampling.complete && options_.speller != nullptr && seq->matcher) {
      seq->ending = std::make_unique<Ending>(*options_.speller, *seq->matcher);
    }
    TokenEvent event;
    Force(*seq, event);
    if (!seq->finished) Report(*seq, event);
    if (seq->finished || !event.tokens.empty() || !event.text.empty()) {
      events.push_back(std::move(event));
    }
    if (!seq->finished) waiting_.push_back(std::move(seq));
  }
}

void Scheduler::Refuse(const QueuedRequest& request, FinishReason reason, const Status& error,
                       std::vector<TokenEvent>& events) {
  for (int choice = 0; choice < request.asked.sampling.n; ++choice) {
    TokenEvent& event = events.emplace_back();
    event.request = request.id;
    event.choice = choice;
    event.finish = reason;
    event.error = error;
    event.seed = request.seed;
    event.usage.prompt_tokens = request.num_prompt();
    ++counts_.num_finished;
  }
}

void Scheduler::Cancel(SeqId request, std::vector<TokenEvent>& events) {
  ESP_CHECK(plan_.rows.empty()) << "cancel between steps only";
  const auto cancel = [&](const SequencePtr& seq) {
    if (seq->request->id != request) return false;
    Finish(*seq, FinishReason::kCancelled, events.emplace_back());
    return true;
  };
  std::erase_if(running_, cancel);
  std::erase_if(waiting_, cancel);
}

void Scheduler::CancelAll(std::vector<TokenEvent>& events) {
  ESP_CHECK(plan_.rows.empty()) << "cancel between steps only";
  for (const SequencePtr& seq : running_) {
    Finish(*seq, FinishReason::kCancelled, events.emplace_back());
  }
  for (const SequencePtr& seq : waiting_) {
    Finish(*seq, FinishReason::kCancelled, events.emplace_back());
  }
  running_.clear();
  waiting_.clear();
}

const StepPlan& Scheduler::Plan() {
  ESP_CHECK(plan_.rows.empty()) << "Plan() twice without Commit()";
  plan_.Clear();
  AdmitWaiting();
  // A pass that plans no row has preempted one, so the next finds more room.
  while (plan_.rows.empty() && !running_.empty()) PlanRows();
  return plan_;
}

void Scheduler::PlanRows() {
  Budget budget{options_.max_tokens, options_.max_logits, 0};
  for (const SequencePtr& seq : running_) budget.ready += seq->num_pending() == 1 ? 1 : 0;
  for (std::size_t i = 0; i < running_.size() && budget.tokens > 0; ++i) {
    Sequence& seq = *running_[i];
    if (seq.num_pending() == 1) --budget.ready;
    const int num_tokens = ChunkSize(seq, budget);
    if (num_tokens <= 0) continue;
    if (!MakeRoom(seq, seq.num_computed + num_tokens)) break;
    AddRow(seq, num_tokens);
    budget.tokens -= num_tokens;
    budget.logits -= plan_.rows.back().num_scores + (plan_.rows.back().samples ? 1 : 0);
  }
}

// How many pending tokens of `seq` may run; not positive if none. The first row of a
// step takes one at least, whatever is reserved: else those that come to be ready could
// stall it for ever.
int Scheduler::ChunkSize(const Sequence& seq, const Budget& budget) const {
  int reserved = seq.num_pending() == 1 ? 0 : budget.ready;
  if (plan_.rows.empty()) reserved = std::min({reserved, budget.tokens - 1, budget.logits - 1});
  const int max_logits = budget.logits - reserved;
  int num_tokens = std::min(seq.num_pending(), budget.tokens - reserved);
  while (num_tokens > 0) {
    const int num_logits = NumScores(seq, num_tokens) + (SamplesAfter(seq, num_tokens) ? 1 : 0);
    if (num_logits <= max_logits) break;
    num_tokens -= std::max(num_logits - max_logits, 1);  // a token has at most one
  }
  return num_tokens;
}

// Gets pages for num_tokens tokens, preempting newer sequences if it must. Returns
// false if `seq` itself was the newest, and had to go.
bool Scheduler::MakeRoom(Sequence& seq, int num_tokens) {
  for (;;) {
    {
      const Stopwatch stopwatch(counts_.radix_seconds);
      if (cache_.Extend(seq.lease, num_tokens)) return true;
    }
    ESP_CHECK(running_.size() > 1) << "one sequence alone outgrew the cache";
    const bool is_newest = running_.back().get() == &seq;
    PreemptNewest();
    if (is_newest) return false;
  }
}

void Scheduler::PreemptNewest() {
  SequencePtr seq = std::move(running_.back());
  running_.pop_back();
  GiveBack(*seq);
  seq->preempted = true;
  ++counts_.num_preemptions;
  waiting_.push_front(std::move(seq));
}

// Keeps in the cache what `seq` has computed, and gives up its pages.
void Scheduler::GiveBack(Sequence& seq) {
  const Stopwatch stopwatch(counts_.radix_seconds);
  if (options_.prefix_cache && seq.num_computed > 0) {
    cache_.Finish(seq.lease,
                  std::span(seq.tokens).first(static_cast<std::size_t>(seq.num_computed)));
  } else {
    seq.lease.Release();
  }
  seq.num_computed = 0;
}

void Scheduler::AddRow(Sequence& seq, int num_tokens) {
  Batch& batch = plan_.batch;
  const int page_size = cache_.page_size();
  const int end = seq.num_computed + num_tokens;
  const bool samples = SamplesAfter(seq, num_tokens);
  const auto pages =
      seq.lease.pages().first(static_cast<std::size_t>((end + page_size - 1) / page_size));

  plan_.rows.push_back({&seq, num_tokens, NumScores(seq, num_tokens), samples});
  for (int position = seq.num_computed; position < end; ++position) {
    if (seq.WantsScore(position) || (samples && position + 1 == end)) {
      batch.logits_tokens.push_back(static_cast<std::int32_t>(batch.num_tokens()));
    }
    batch.tokens.push_back(seq.tokens[static_cast<std::size_t>(position)]);
    batch.position.push_back(position);
    batch.slots.push_back(Index(pages[static_cast<std::size_t>(position / page_size)]) * page_size +
                          position % page_size);
    batch.slot_start.push_back(static_cast<std::int32_t>(batch.slots.size()));
  }
  batch.seq.push_back(seq.request->id);
  batch.start.push_back(static_cast<std::int32_t>(batch.num_tokens()));
  batch.logits_start.push_back(static_cast<std::int32_t>(batch.num_logits()));
  batch.pages.insert(batch.pages.end(), pages.begin(), pages.end());
  batch.page_start.push_back(static_cast<std::int32_t>(batch.pages.size()));
  if (const auto copy = seq.lease.pending_copy()) batch.copies.push_back(*copy);
}

}  // namespace espalier
