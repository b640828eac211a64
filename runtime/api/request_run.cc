#include "runtime/api/request_run.h"

#include <utility>

#include "runtime/local/token_text.h"

namespace espalier {
namespace {

program::TokenScores Scored(const std::vector<std::vector<TokenLogprob>>& rows,
                            const Tokenizer& tokenizer) {
  program::TokenScores scores;
  for (const std::vector<TokenLogprob>& row : rows) scores.push_back(ToScored(row, tokenizer));
  return scores;
}

}  // namespace

RequestRun::RequestRun(EngineClient& client, const Tokenizer& tokenizer, LineRequest request,
                       Listener listener)
    : client_(client),
      tokenizer_(tokenizer),
      listener_(std::move(listener)),
      method_(request.method),
      num_open_((request.generate ? 1 : 0) + (request.score ? 1 : 0)) {
  if (request.generate) {
    generated_.emplace(request.generate->sampling.n);
    num_prompt_ = request.generate->prompt.size();
    ticket_ = client_.Submit(std::move(*request.generate),
                             [this](TokenEvent event) { OnToken(std::move(event)); });
  }
  if (request.score) {
    choices_ = request.score->choices;
    scorer_ = std::make_unique<ChoiceScorer>(
        client_, std::move(*request.score),
        [this](ChoiceScores scores) { OnScores(std::move(scores)); });
  }
}

void RequestRun::Cancel() {
  if (generated_ && !generated_->done()) client_.Cancel(ticket_);
  if (scorer_) scorer_->Cancel();
}

void RequestRun::OnToken(TokenEvent event) {
  const auto choice = static_cast<std::size_t>(event.choice);
  const Piece piece{choice, generated_->Add(std::move(event))};
  if (listener_.on_piece) listener_.on_piece(piece);
  if (generated_->done()) Close(generated_->status());
}

void RequestRun::OnScores(ChoiceScores scores) {
  scorer_.reset();  // it has ended
  if (!scores.status.ok()) return Close(scores.status);
  Result<program::Decision> decision = program::Decide(
      method_, Scored(scores.conditional, tokenizer_), Scored(scores.unconditional, tokenizer_));
  score_usage_ = scores.usage;
  const Status status = decision.status();
  if (decision.ok()) decision_ = std::move(decision).value();
  Close(status);
}

// A part has ended.
void RequestRun::Close(const Status& status) {
  if (status_.ok()) status_ = status;
  if (--num_open_ > 0) {
    if (!status.ok()) Cancel();  // nobody will see the rest
    return;
  }
  const auto on_done = listener_.on_done;  // outlives the run, which it may destroy
  on_done();
}

}  // namespace espalier
