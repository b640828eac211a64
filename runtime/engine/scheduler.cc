#include "runtime/engine/scheduler.h"

#include <algorithm>
#include <utility>

#include "kernels/base/check.h"
#include "runtime/engine/stopwatch.h"

namespace espalier {

Scheduler::Scheduler(PrefixCache& cache, const SchedulerOptions& options,
                     const Vocabulary& vocabulary)
    : cache_(cache),
      options_(options),
      vocabulary_(vocabulary),
      builder_(plan_, cache.page_size(),
               options.prefix_cache && options.in_batch_sharing ? StepBuilder::Sharing::kOn
                                                                : StepBuilder::Sharing::kOff) {
  ESP_CHECK(options.max_tokens > 0 && options.max_rows > 0 && options.max_logits > 0);
  if (options.speller != nullptr && options.jump_forward) {
    forced_ = std::make_unique<ForcedTokens>(*options.speller);
  }
}

void Scheduler::Add(const std::shared_ptr<const QueuedRequest>& request,
                    std::vector<TokenEvent>& events) {
  for (int choice = 0; choice < request->num_choices(); ++choice) {
    SequencePtr seq = std::make_unique<Sequence>(request, choice, vocabulary_);
    const GenerateRequest& asked = request->asked;
    seq->share = shares_.Of(asked.caller.empty() ? asked.cache_salt : asked.caller);
    if (asked.sampling.complete && options_.speller != nullptr && seq->matcher) {
      seq->ending = std::make_unique<Ending>(*options_.speller, *seq->matcher);
    }
    TokenEvent event;
    Force(*seq, event);
    if (!seq->finished) Report(*seq, event);
    if (seq->num_pending() == 0) Finish(*seq, FinishReason::kLength, event);  // of one token
    if (seq->finished || !event.tokens.empty() || !event.text.empty()) {
      events.push_back(std::move(event));
    }
    if (seq->finished) continue;
    shares_.Enter(*seq->share);
    waiting_.push_back(std::move(seq));
  }
}

void Scheduler::Refuse(const QueuedRequest& request, FinishReason reason, const Status& error,
                       std::vector<TokenEvent>& events) {
  for (int choice = 0; choice < request.num_choices(); ++choice) {
    TokenEvent& event = events.emplace_back();
    event.request = request.id;
    event.choice = choice;
    event.finish = reason;
    event.error = error;
    event.seed = request.seed;
    event.usage.prompt_tokens = static_cast<std::int32_t>(request.prompt(choice).size());
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
  std::erase_if(waiting_, [&](const SequencePtr& seq) {
    if (!cancel(seq)) return false;
    shares_.Leave(*seq->share);
    return true;
  });
}

void Scheduler::CancelAll(std::vector<TokenEvent>& events) {
  ESP_CHECK(plan_.rows.empty()) << "cancel between steps only";
  for (const SequencePtr& seq : running_) {
    Finish(*seq, FinishReason::kCancelled, events.emplace_back());
  }
  for (const SequencePtr& seq : waiting_) {
    shares_.Leave(*seq->share);
    Finish(*seq, FinishReason::kCancelled, events.emplace_back());
  }
  running_.clear();
  waiting_.clear();
}

const StepPlan& Scheduler::Plan() {
  ESP_CHECK(plan_.rows.empty()) << "Plan() twice without Commit()";
  builder_.Start();
  AdmitWaiting();
  // A pass that plans no row has preempted one, so the next finds more room.
  while (plan_.rows.empty() && !running_.empty()) PlanRows();
  builder_.Finish();
  return plan_;
}

void Scheduler::PlanRows() {
  Budget budget{options_.max_tokens, options_.max_logits, 0};
  for (const SequencePtr& seq : running_) budget.ready += seq->num_pending() == 1 ? 1 : 0;
  // To the end, even without room: what others run costs nothing, and who would miss it now
  // would have to run it alone.
  for (std::size_t i = 0; i < running_.size();) {
    Sequence& seq = *running_[i];
    if (seq.num_pending() == 1) --budget.ready;
    const StepBuilder::Shared shared = builder_.FindShared(seq);
    const int num_tokens = ChunkSize(seq, shared, budget);
    if (num_tokens > 0 && !MakeRoom(i, seq.num_computed + num_tokens)) continue;  // it is gone
    ++i;
    if (num_tokens <= 0) continue;
    budget.logits -= builder_.NumNewLogits(seq, shared, num_tokens);
    builder_.Add(seq, shared, num_tokens);
    budget.tokens -= num_tokens - plan_.rows.back().num_shared;
  }
}

// How many pending tokens of `seq` may run; not positive if none. The first row of a
// step takes one at least, whatever is reserved: else those that come to be ready could
// stall it for ever. A chunk ends with a page, where it can: so all that it ran is found in
// the cache by those that go on beside it.
int Scheduler::ChunkSize(const Sequence& seq, const StepBuilder::Shared& shared,
                         const Budget& budget) const {
  int reserved = seq.num_pending() == 1 ? 0 : budget.ready;
  if (plan_.rows.empty()) reserved = std::min({reserved, budget.tokens - 1, budget.logits - 1});
  const int max_logits = budget.logits - reserved;
  int num_tokens =
      std::min(seq.num_pending(), shared.num_tokens + std::max(budget.tokens - reserved, 0));
  while (num_tokens > 0) {
    const int num_logits = builder_.NumNewLogits(seq, shared, num_tokens);
    if (num_logits <= max_logits) break;
    num_tokens -= std::max(num_logits - max_logits, 1);  // a token has at most one
  }
  const int past_page = (seq.num_computed + num_tokens) % cache_.page_size();
  return num_tokens < seq.num_pending() && past_page < num_tokens ? num_tokens - past_page
                                                                  : num_tokens;
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

}  // namespace espalier
