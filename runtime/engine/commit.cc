// The part of the scheduler that takes what came of a step.
#include <algorithm>
#include <iterator>
#include <utility>

#include "kernels/base/check.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/stopwatch.h"

namespace espalier {

void Scheduler::Commit(std::span<RowOutput> outputs, std::vector<TokenEvent>& events) {
  ESP_CHECK(outputs.size() == plan_.rows.size());
  for (std::size_t r = 0; r < outputs.size(); ++r) CommitRow(plan_.rows[r], outputs[r], events);
  plan_.rows.clear();
  std::erase_if(running_, [](const SequencePtr& seq) { return seq->finished; });
}

void Scheduler::CommitRow(const PlannedRow& row, RowOutput& output,
                          std::vector<TokenEvent>& events) {
  Sequence& seq = *row.sequence;
  const int num_before = seq.num_computed;
  seq.num_computed += row.num_tokens;
  seq.lease.CopyDone();
  counts_.computed_tokens += row.num_tokens;
  seq.num_prompt_logprobs += row.num_prompt_logits;
  std::move(output.prompt_logprobs.begin(), output.prompt_logprobs.end(),
            std::back_inserter(seq.prompt_logprobs));

  if (!output.error.ok()) {
    TokenEvent& event = events.emplace_back();
    event.error = std::move(output.error);
    Finish(seq, FinishReason::kError, event);
  } else if (row.samples) {
    CommitToken(seq, output, events.emplace_back());
  } else if (seq.num_pending() == 0) {
    Finish(seq, FinishReason::kLength, events.emplace_back());  // max_new_tokens is 0
  }
  if (!seq.finished) Publish(seq, num_before);
}

void Scheduler::CommitToken(Sequence& seq, RowOutput& output, TokenEvent& event) {
  if (seq.matcher != nullptr && !seq.matcher->Accept(output.token)) {
    event.error = {Code::kInternal, "the grammar refused a token that it had allowed"};
    Finish(seq, FinishReason::kError, event);
    return;
  }
  seq.tokens.push_back(output.token);
  seq.penalties.AddOutput(output.token);
  ++counts_.output_tokens;
  event.request = seq.request->id;
  event.choice = seq.choice;
  event.tokens.push_back(output.token);
  if (output.logprob) event.logprobs.push_back(*std::move(output.logprob));
  event.prompt_logprobs = std::exchange(seq.prompt_logprobs, {});

  StopChecker::Verdict verdict = seq.stop.Feed(output.token, event.text);
  if (verdict.stopped) {
    event.matched_stop = std::move(verdict.matched);
    event.matched_token = verdict.matched_token;
    Finish(seq, FinishReason::kStop, event);
  } else if (seq.matcher != nullptr && seq.matcher->finished()) {
    Finish(seq, FinishReason::kStop, event);  // only an end token could follow
  } else if (seq.num_output() >= seq.request->max_new_tokens) {
    Finish(seq, FinishReason::kLength, event);
  }
}

// Shares the pages that this step has filled. When the prompt is done and other choices
// wait for it, its last, partly filled page too: by finishing the lease and taking it up
// again, so that each choice copies that page.
void Scheduler::Publish(Sequence& seq, int num_before) {
  if (!options_.prefix_cache) return;
  const Stopwatch stopwatch(counts_.radix_seconds);
  const auto computed = std::span(seq.tokens).first(static_cast<std::size_t>(seq.num_computed));
  const bool prompt_done = num_before < seq.num_prompt() && seq.num_computed >= seq.num_prompt();
  const bool is_awaited = prompt_done && seq.request->asked.sampling.n > 1 &&
                          std::ranges::any_of(waiting_, [&](const SequencePtr& other) {
                            return other->request == seq.request;
                          });
  if (is_awaited) {
    cache_.Finish(seq.lease, computed);
    seq.lease = cache_.Acquire(computed, seq.request->asked.cache_salt);
    seq.num_computed = seq.lease.num_matched();
  } else if (seq.num_computed / cache_.page_size() > seq.lease.num_shared()) {
    cache_.Publish(seq.lease, computed);
  }
}

void Scheduler::Finish(Sequence& seq, FinishReason reason, TokenEvent& event) {
  const QueuedRequest& request = *seq.request;
  event.request = request.id;
  event.choice = seq.choice;
  event.finish = reason;
  event.seed = request.seed;
  event.usage = {.prompt_tokens = seq.num_prompt(),
                 .cached_tokens = seq.num_cached_prompt.value_or(0),
                 .completion_tokens = seq.num_output()};
  std::move(seq.prompt_logprobs.begin(), seq.prompt_logprobs.end(),
            std::back_inserter(event.prompt_logprobs));
  seq.stop.Flush(event.text);
  GiveBack(seq);
  seq.finished = true;
  ++counts_.num_finished;
}

}  // namespace espalier
