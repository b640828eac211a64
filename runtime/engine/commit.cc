// The part of the scheduler that takes what came of a step.
#include <algorithm>
#include <iterator>
#include <utility>

#include "kernels/base/check.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/stopwatch.h"

namespace espalier {
namespace {

// Whether `token` would be the output's last, stop strings aside.
bool MayEnd(Sequence& seq, TokenId token) {
  const std::vector<TokenId>& stops = seq.request->asked.sampling.stop_token_ids;
  if (seq.num_output() + 1 >= seq.request->max_new_tokens) return true;
  if (std::ranges::find(stops, token) != stops.end() || !seq.matcher->Accept(token)) return true;
  const bool finished = seq.matcher->finished();
  seq.matcher->Rollback(1);
  return finished;
}

}  // namespace

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
  CountTokens(row, num_before);
  for (TokenLogprob& score : output.scores) {
    const bool is_prompt = seq.num_scored++ < seq.num_prompt();
    (is_prompt ? seq.prompt_logprobs : seq.output_logprobs).push_back(std::move(score));
  }

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

// What others have run of a prompt counts as cached, the first time that it is there.
void Scheduler::CountTokens(const PlannedRow& row, int num_before) {
  Sequence& seq = *row.sequence;
  counts_.computed_tokens += row.num_tokens - row.num_shared;
  const int begin = std::max(num_before, seq.num_once_computed);
  const int end = std::min(num_before + row.num_shared, seq.num_prompt());
  if (end > begin) {
    *seq.num_cached_prompt += end - begin;
    counts_.cached_tokens += end - begin;
  }
  seq.num_once_computed = std::max(seq.num_once_computed, seq.num_computed);
}

void Scheduler::CommitToken(Sequence& seq, RowOutput& output, TokenEvent& event) {
  event.prompt_logprobs = std::exchange(seq.prompt_logprobs, {});
  if (Append(seq, output.token, std::move(output.logprob), event)) Force(seq, event);
  if (!seq.finished) Report(seq, event);
}

// Takes the next token of the output. Returns false if it was the last.
bool Scheduler::Append(Sequence& seq, TokenId token, std::optional<TokenLogprob> logprob,
                       TokenEvent& event) {
  if (seq.matcher != nullptr && !seq.matcher->Accept(token)) {
    event.error = {Code::kInternal, "the grammar refused a token that it had allowed"};
    Finish(seq, FinishReason::kError, event);
    return false;
  }
  seq.tokens.push_back(token);
  seq.penalties.AddOutput(token);
  ++counts_.output_tokens;
  seq.share->served += FairShares::kOutputWeight;
  if (logprob) {
    seq.output_logprobs.push_back(*std::move(logprob));
    seq.num_scored = seq.num_tokens();
  }

  StopChecker::Verdict verdict = seq.stop.Feed(token, event.text);
  if (!verdict.error.ok()) {
    event.error = std::move(verdict.error);
    Finish(seq, FinishReason::kError, event);
  } else if (verdict.stopped) {
    event.matched_stop = std::move(verdict.matched);
    event.matched_token = verdict.matched_token;
    Finish(seq, FinishReason::kStop, event);
  } else if (seq.matcher != nullptr && seq.matcher->finished()) {
    Finish(seq, FinishReason::kStop, event);  // only an end token could follow
  } else if (seq.num_output() >= seq.request->max_new_tokens) {
    const bool is_whole = seq.ending != nullptr && seq.matcher->done();
    Finish(seq, is_whole ? FinishReason::kStop : FinishReason::kLength, event);
  }
  return !seq.finished;
}

// Appends what the grammar forces. A token whose log-probability is wanted must run before
// the output ends, so what would end it is left to sampling then.
void Scheduler::Force(Sequence& seq, TokenEvent& event) {
  if (forced_ == nullptr || seq.matcher == nullptr || !seq.samples()) return;
  const SamplingParams& params = seq.request->asked.sampling;
  const bool is_scored = params.return_logprob || seq.num_scored < seq.score_end();
  if (is_scored && (!params.stop.empty() || !params.stop_regex.empty())) return;
  if (seq.ending != nullptr && seq.ending->has_begun()) return;
  for (TokenId token : forced_->After(seq.tokens, *seq.matcher)) {
    if (is_scored && MayEnd(seq, token)) return;
    if (seq.ending != nullptr) {
      token = seq.ending->Choose(token, seq.tokens, seq.request->max_new_tokens - seq.num_output());
    }
    ++seq.num_forced;
    ++counts_.forced_tokens;
    if (!Append(seq, token, std::nullopt, event)) return;
    if (seq.ending != nullptr && seq.ending->has_begun()) return;
  }
}

// Adds to the event the output tokens that have what is asked of them.
void Scheduler::Report(Sequence& seq, TokenEvent& event) {
  event.request = seq.request->id;
  event.choice = seq.choice;
  const bool is_scored = seq.request->asked.sampling.return_logprob;
  const int end = (is_scored ? seq.num_scored : seq.num_tokens()) - seq.num_prompt();
  if (end <= seq.num_reported) return;
  const auto output = seq.tokens.begin() + seq.num_prompt();
  event.tokens.assign(output + seq.num_reported, output + end);
  event.logprobs = std::exchange(seq.output_logprobs, {});
  seq.num_reported = end;
}

// Shares the pages that this step has filled. When the prompt is done and other choices
// wait for it, its last, partly filled page too: by finishing the lease and taking it up
// again, so that each choice copies that page.
void Scheduler::Publish(Sequence& seq, int num_before) {
  if (!options_.prefix_cache) return;
  const Stopwatch stopwatch(counts_.radix_seconds);
  const auto computed = std::span(seq.tokens).first(static_cast<std::size_t>(seq.num_computed));
  const bool prompt_done = num_before < seq.num_prompt() && seq.num_computed >= seq.num_prompt();
  const bool is_awaited = prompt_done && seq.request->num_choices() > 1 &&
                          std::ranges::any_of(waiting_, [&](const SequencePtr& other) {
                            return other->request == seq.request;
                          });
  if (is_awaited) {
    cache_.Finish(seq.lease, computed);
    seq.lease = Lease(seq, computed);
    seq.num_computed = seq.lease.num_matched();
  } else if (seq.num_computed / cache_.page_size() > seq.lease.num_shared()) {
    cache_.Publish(seq.lease, computed);
  }
}

void Scheduler::Finish(Sequence& seq, FinishReason reason, TokenEvent& event) {
  const QueuedRequest& request = *seq.request;
  Report(seq, event);
  event.finish = reason;
  event.seed = request.seed;
  event.usage = {.prompt_tokens = seq.num_prompt(),
                 .cached_tokens = seq.num_cached_prompt.value_or(0),
                 .completion_tokens = seq.num_reported,
                 .forced_tokens = seq.num_forced};
  std::move(seq.prompt_logprobs.begin(), seq.prompt_logprobs.end(),
            std::back_inserter(event.prompt_logprobs));
  seq.stop.Flush(event.text);
  const bool is_whole = seq.mean != nullptr && seq.mean->num_added() == seq.num_tokens();
  if (is_whole) event.embedding = seq.mean->Mean();
  GiveBack(seq);
  const bool is_whole_output = reason == FinishReason::kStop || reason == FinishReason::kLength;
  if (is_whole_output && seq.samples()) seq.share->output.Learn(seq.num_output());
  seq.finished = true;
  ++counts_.num_finished;
}

}  // namespace espalier
