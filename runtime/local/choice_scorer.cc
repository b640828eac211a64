#include "runtime/local/choice_scorer.h"

#include <iterator>
#include <utility>

#include "runtime/local/prompt_pieces.h"

namespace espalier {

ChoiceScorer::ChoiceScorer(EngineClient& client, ScoreRequest request, Done done)
    : client_(client),
      group_(client.NewGroup()),
      request_(std::move(request)),
      done_(std::move(done)),
      prompt_tokens_(EncodePieces(client_.model().tokenizer(), request_.prompt)) {
  if (prompt_tokens_.empty()) {
    SubmitChoices();
    return;
  }
  Submit(prompt_tokens_, std::nullopt, [this](TokenEvent event) { OnPrompt(std::move(event)); });
}

void ChoiceScorer::Cancel() {
  for (const Ticket ticket : open_) client_.Cancel(ticket);
}

void ChoiceScorer::Submit(std::vector<TokenId> tokens, std::optional<std::int32_t> logprob_start,
                          EngineClient::Sink sink) {
  GenerateRequest request;
  request.prompt = std::move(tokens);
  request.cache_salt = request_.cache_salt;
  request.sampling.max_new_tokens = 0;
  request.sampling.temperature = 0;
  request.sampling.return_logprob = logprob_start.has_value();
  request.sampling.logprob_start_len = logprob_start;
  request.sampling.seed = 0;
  ++num_open_;
  open_.push_back(client_.SubmitInGroup(group_, std::move(request), std::move(sink)));
}

void ChoiceScorer::Finish() {
  const Done done = std::move(done_);  // it may destroy this scorer
  done(std::move(scores_));
}

void ChoiceScorer::OnPrompt(TokenEvent event) {
  if (event.finish == FinishReason::kNone) return;
  --num_open_;
  scores_.usage = event.usage;
  if (event.finish == FinishReason::kError || event.finish == FinishReason::kCancelled) {
    scores_.status =
        event.finish == FinishReason::kError ? event.error : Status(Code::kCancelled, "cancelled");
    Finish();
    return;
  }
  SubmitChoices();
}

void ChoiceScorer::SubmitChoices() {
  const std::size_t num_choices = request_.choices.size();
  scores_.conditional.resize(num_choices);
  if (request_.unconditional) scores_.unconditional.resize(num_choices);
  for (std::size_t i = 0; i < num_choices; ++i) {
    ChoiceTokens choice = EncodeChoice(client_.model().tokenizer(), prompt_tokens_, request_.prompt,
                                       request_.choices[i]);
    std::vector<TokenId> alone(
        std::next(choice.tokens.begin(), static_cast<std::ptrdiff_t>(choice.start)),
        choice.tokens.end());
    Submit(std::move(choice.tokens), static_cast<std::int32_t>(choice.start),
           [this, i](TokenEvent event) { OnScore(scores_.conditional[i], std::move(event)); });
    if (!request_.unconditional) continue;
    Submit(std::move(alone), 0,
           [this, i](TokenEvent event) { OnScore(scores_.unconditional[i], std::move(event)); });
  }
}

void ChoiceScorer::OnScore(std::vector<TokenLogprob>& to, TokenEvent event) {
  std::move(event.prompt_logprobs.begin(), event.prompt_logprobs.end(), std::back_inserter(to));
  if (event.finish == FinishReason::kNone) return;
  if (event.finish == FinishReason::kError && scores_.status.ok()) scores_.status = event.error;
  if (event.finish == FinishReason::kCancelled && scores_.status.ok()) {
    scores_.status = Status(Code::kCancelled, "cancelled");
  }
  if (--num_open_ == 0) Finish();
}

}  // namespace espalier
