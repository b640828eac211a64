#include "runtime/local/choice_scorer.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "runtime/local/prompt_pieces.h"

namespace espalier {
namespace {

struct EncodedChoices {
  std::vector<std::vector<TokenId>> paths;
  std::size_t start = 0;  // of what is scored, in each
};

EncodedChoices EncodeBehind(const Tokenizer& tokenizer, const std::vector<TokenId>& prompt,
                            const std::vector<std::string>& choices) {
  EncodedChoices encoded{.paths = {}, .start = prompt.size()};
  for (const std::string& choice : choices) {
    std::vector<TokenId>& path = encoded.paths.emplace_back(prompt);
    const std::vector<TokenId> tokens = tokenizer.Encode(choice, SpecialTokens::kParse);
    path.insert(path.end(), tokens.begin(), tokens.end());
  }
  return encoded;
}

EncodedChoices EncodeChoices(const Tokenizer& tokenizer, const std::vector<TokenId>& prompt,
                             const ScoreRequest& request) {
  EncodedChoices encoded{.paths = {}, .start = prompt.size()};
  if (request.boundary == Boundary::kStays) return EncodeBehind(tokenizer, prompt, request.choices);
  for (const std::string& text : request.choices) {
    ChoiceTokens choice = EncodeChoice(tokenizer, prompt, request.prompt, text);
    // A choice may leave nothing to score where it only changes how the prompt is tokenized.
    encoded.start = std::min({encoded.start, choice.start, choice.tokens.size() - 1});
    encoded.paths.push_back(std::move(choice.tokens));
  }
  const bool has_probabilities = encoded.start > 0 || prompt.empty();
  return has_probabilities ? encoded : EncodeBehind(tokenizer, prompt, request.choices);
}

}  // namespace

ChoiceScorer::ChoiceScorer(EngineClient& client, ScoreRequest request, Done done)
    : client_(client), num_choices_(request.choices.size()), done_(std::move(done)) {
  const Tokenizer& tokenizer = client_.model().tokenizer();
  const std::vector<TokenId> prompt = EncodePieces(tokenizer, request.prompt);
  scores_.usage.prompt_tokens = static_cast<std::int32_t>(prompt.size());
  scores_.usage.cached_tokens = scores_.usage.prompt_tokens;  // until a path had less
  scores_.conditional.resize(num_choices_);
  GenerateRequest tree;
  tree.cache_salt = std::move(request.cache_salt);
  tree.priority = request.priority;
  tree.retention_s = request.retention_s;
  tree.arrival = request.arrival;
  tree.sampling.max_new_tokens = 0;
  tree.sampling.seed = 0;
  std::vector<ScoredPath> alone;
  EncodedChoices encoded = EncodeChoices(tokenizer, prompt, request);
  const auto start = static_cast<std::int32_t>(encoded.start);
  for (std::vector<TokenId>& path : encoded.paths) {
    if (request.unconditional) alone.push_back({std::vector(path.begin() + start, path.end()), 0});
    tree.paths.push_back({std::move(path), start});
  }
  scores_.unconditional.resize(alone.size());
  std::move(alone.begin(), alone.end(), std::back_inserter(tree.paths));
  num_open_ = tree.paths.size();
  ticket_ =
      client_.Submit(std::move(tree), [this](TokenEvent event) { OnScore(std::move(event)); });
}

void ChoiceScorer::OnScore(TokenEvent event) {
  const auto path = static_cast<std::size_t>(event.choice);
  const bool is_alone = path >= num_choices_;
  std::vector<TokenLogprob>& to =
      is_alone ? scores_.unconditional[path - num_choices_] : scores_.conditional[path];
  std::move(event.prompt_logprobs.begin(), event.prompt_logprobs.end(), std::back_inserter(to));
  if (event.finish == FinishReason::kNone) return;
  if (event.finish == FinishReason::kError && scores_.status.ok()) scores_.status = event.error;
  if (event.finish == FinishReason::kCancelled && scores_.status.ok()) {
    scores_.status = Status(Code::kCancelled, "cancelled");
  }
  if (!is_alone) {
    scores_.usage.cached_tokens = std::min(scores_.usage.cached_tokens, event.usage.cached_tokens);
  }
  if (--num_open_ == 0) Finish();
}

void ChoiceScorer::Finish() {
  const Done done = std::move(done_);  // it may destroy this scorer
  done(std::move(scores_));
}

}  // namespace espalier
