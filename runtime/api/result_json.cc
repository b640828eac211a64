#include "runtime/api/result_json.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "runtime/local/token_text.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

Json Number(float logprob) { return std::isfinite(logprob) ? Json(logprob) : Json(nullptr); }

std::vector<double> Softmax(const std::vector<double>& scores) {
  const double most = *std::max_element(scores.begin(), scores.end());
  std::vector<double> shares;
  for (const double score : scores) shares.push_back(std::exp(score - most));
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= sum;
  return shares;
}

void AddChoice(const GeneratedChoice& choice, const Tokenizer& tokenizer, Json& to) {
  to["text"] = choice.text;
  to["ids"] = choice.tokens;
  to["finish_reason"] = FinishName(choice.finish);
  if (choice.matched_token >= 0) to["matched"] = choice.matched_token;
  if (!choice.matched_stop.empty()) to["matched"] = choice.matched_stop;
  if (!choice.logprobs.empty()) to["logprobs"] = LogprobsJson(choice.logprobs, tokenizer);
}

template <typename Counts>
Json CountsJson(const Counts& usage) {
  return {{"prompt_tokens", usage.prompt_tokens},
          {"cached_tokens", usage.cached_tokens},
          {"completion_tokens", usage.completion_tokens},
          {"forced_tokens", usage.forced_tokens},
          {"accepted_draft_tokens", usage.accepted_draft_tokens}};
}

}  // namespace

Json UsageJson(const Usage& usage) { return CountsJson(usage); }
Json UsageJson(const CallUsage& usage) { return CountsJson(usage); }

Json LogprobsJson(const std::vector<TokenLogprob>& tokens, const Tokenizer& tokenizer) {
  Json list = Json::array();
  for (const TokenLogprob& token : tokens) {
    Json item = {{"id", token.token},
                 {"text", TokenText(tokenizer, token.token)},
                 {"logprob", Number(token.logprob)}};
    for (const auto& [id, logprob] : token.top) {
      item["top"].push_back(
          {{"id", id}, {"text", TokenText(tokenizer, id)}, {"logprob", Number(logprob)}});
    }
    list.push_back(std::move(item));
  }
  return list;
}

Json ResultJson(const Generated& generated, const Tokenizer& tokenizer) {
  Json result = Json::object();
  if (generated.choices().size() == 1) {
    AddChoice(generated.choices().front(), tokenizer, result);
  } else {
    for (const GeneratedChoice& choice : generated.choices()) {
      Json& output = result["outputs"].emplace_back(Json::object());
      AddChoice(choice, tokenizer, output);
    }
  }
  if (!generated.prompt_logprobs().empty()) {
    result["prompt_logprobs"] = LogprobsJson(generated.prompt_logprobs(), tokenizer);
  }
  result["usage"] = UsageJson(generated.usage());
  result["seed"] = generated.seed();
  return result;
}

Json ChoicesJson(const std::vector<std::string>& choices, const program::Decision& decision) {
  Json list = Json::array();
  const std::vector<double> probability = Softmax(decision.scores);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    list.push_back(
        {{"text", choices[i]}, {"score", decision.scores[i]}, {"probability", probability[i]}});
  }
  return list;
}

Json ScoredJson(const std::vector<std::string>& choices, const program::Decision& decision,
                const Usage& usage) {
  return {{"text", choices[decision.choice]},
          {"choices", ChoicesJson(choices, decision)},
          {"finish_reason", "stop"},
          {"usage", UsageJson(usage)}};
}

Json ErrorJson(const Status& status) {
  return {{"error", {{"code", CodeName(status.code())}, {"message", status.message()}}}};
}

}  // namespace espalier
