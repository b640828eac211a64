#include "runtime/engine/row_sampler.h"

#include "runtime/engine/softmax.h"

namespace espalier {

RowSampler::RowSampler(ThreadPool& pool, std::size_t num_logits, std::size_t vocab_size)
    : pool_(pool), num_logits_(num_logits), vocab_size_(vocab_size) {
  for (int i = 0; i < pool.num_threads(); ++i) samplers_.emplace_back(vocab_size);
}

std::span<RowOutput> RowSampler::Run(const StepPlan& plan, std::span<const float> logits,
                                     std::span<const RowMask> masks) {
  if (outputs_.size() < plan.rows.size()) outputs_.resize(plan.rows.size());
  const Job job{plan, logits, masks};
  pool_.ParallelFor(static_cast<int>(plan.rows.size()), [this, &job](int row, int thread) {
    RunRow(job, static_cast<std::size_t>(row), samplers_[static_cast<std::size_t>(thread)]);
  });
  return std::span(outputs_).first(plan.rows.size());
}

void RowSampler::RunRow(const Job& job, std::size_t r, Sampler& sampler) {
  const PlannedRow& row = job.plan.rows[r];
  RowOutput& output = outputs_[r];
  output.Clear();
  if (!job.masks[r].error.ok()) {
    output.error = job.masks[r].error;
    return;
  }
  ScoreTokens(job, r, output);
  if (row.samples && output.error.ok()) {
    SampleToken(row, LogitsOf(job, r, row.num_scores), job.masks[r].mask, sampler, output);
  }
}

// The row's logits number i.
std::span<const float> RowSampler::LogitsOf(const Job& job, std::size_t r, int i) const {
  const auto at = static_cast<std::size_t>(job.plan.logits_start[r] + i);
  const auto index = static_cast<std::size_t>(job.plan.logits[at]);
  return job.logits.subspan(index * num_logits_, vocab_size_);
}

void RowSampler::ScoreTokens(const Job& job, std::size_t r, RowOutput& output) const {
  const PlannedRow& row = job.plan.rows[r];
  const Sequence& seq = *row.sequence;
  const int num_top = seq.request->asked.sampling.top_logprobs_num;
  for (int i = 0; i < row.num_scores; ++i) {
    const std::span<const float> of_token = LogitsOf(job, r, i);
    if (!AreUsable(of_token)) {
      output.error = {Code::kInternal, "the model gave logits that are not numbers"};
      return;
    }
    const auto token = static_cast<std::size_t>(seq.num_scored + i);
    output.scores.push_back(LogSoftmax(of_token, seq.tokens[token], num_top));
  }
}

void RowSampler::SampleToken(const PlannedRow& row, std::span<const float> logits,
                             const TokenMask* mask, Sampler& sampler, RowOutput& output) const {
  const Sequence& seq = *row.sequence;
  const SamplingParams& params = seq.request->asked.sampling;
  const Result<TokenId> token = sampler.Sample({.logits = logits,
                                                .params = &params,
                                                .penalties = &seq.penalties,
                                                .mask = mask,
                                                .banned = seq.stop.BannedTokens(),
                                                .seed = seq.request->seed,
                                                .choice = seq.choice,
                                                .position = seq.num_tokens()});
  if (!token.ok()) {
    output.error = token.status();
    return;
  }
  output.token = token.value();
  if (seq.ending != nullptr) {
    output.token = seq.ending->Choose(output.token, seq.tokens,
                                      seq.request->max_new_tokens - seq.num_output());
  }
  if (params.return_logprob) {
    output.logprob = LogSoftmax(logits, output.token, params.top_logprobs_num);
  }
}

}  // namespace espalier
