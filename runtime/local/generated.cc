#include "runtime/local/generated.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "kernels/base/check.h"

namespace espalier {

std::string_view FinishName(FinishReason reason) {
  switch (reason) {
    case FinishReason::kNone: return "";
    case FinishReason::kStop: return "stop";
    case FinishReason::kLength: return "length";
    case FinishReason::kCancelled: return "abort";
    case FinishReason::kError: return "error";
  }
  return "";
}

std::string Generated::Add(TokenEvent event) {
  const auto index = static_cast<std::size_t>(event.choice);
  ESP_CHECK(index < choices_.size()) << "choice " << event.choice << " was not asked for";
  GeneratedChoice& choice = choices_[index];
  std::string added = detokenizers_[index].Feed(event.text);
  if (event.finish != FinishReason::kNone) added += detokenizers_[index].Finish();
  choice.text += added;
  choice.tokens.insert(choice.tokens.end(), event.tokens.begin(), event.tokens.end());
  std::move(event.logprobs.begin(), event.logprobs.end(), std::back_inserter(choice.logprobs));
  if (!event.prompt_logprobs.empty()) prompt_logprobs_ = std::move(event.prompt_logprobs);
  if (event.finish != FinishReason::kNone) Finish(choice, event);
  if (!event.embedding.empty()) choice.embedding = std::move(event.embedding);
  return added;
}

void Generated::Finish(GeneratedChoice& choice, const TokenEvent& event) {
  ++num_done_;
  choice.finish = event.finish;
  choice.matched_stop = event.matched_stop;
  choice.matched_token = event.matched_token;
  seed_ = event.seed;
  usage_.prompt_tokens = std::max(usage_.prompt_tokens, event.usage.prompt_tokens);
  if (event.choice == 0) usage_.cached_tokens = event.usage.cached_tokens;
  usage_.completion_tokens += event.usage.completion_tokens;
  usage_.forced_tokens += event.usage.forced_tokens;
  usage_.accepted_draft_tokens += event.usage.accepted_draft_tokens;
  if (!status_.ok()) return;
  if (event.finish == FinishReason::kError) status_ = event.error;
  if (event.finish == FinishReason::kCancelled) status_ = {Code::kCancelled, "cancelled"};
}

}  // namespace espalier
