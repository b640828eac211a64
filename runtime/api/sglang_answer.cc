#include "runtime/api/sglang_answer.h"

#include <cmath>
#include <span>

#include "runtime/api/result_json.h"
#include "runtime/local/token_text.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

class LogprobLists {
 public:
  LogprobLists(const SglangOptions& options, const Tokenizer& tokenizer)
      : with_text_(options.text_in_logprobs), tokenizer_(tokenizer) {}

  Json Tokens(std::span<const TokenLogprob> tokens) const {
    Json list = Json::array();
    for (const TokenLogprob& token : tokens) list.push_back(Triple(token.token, token.logprob));
    return list;
  }

  // A position without any is null.
  Json Top(std::span<const TokenLogprob> tokens) const {
    Json list = Json::array();
    for (const TokenLogprob& token : tokens) {
      Json position = token.top.empty() ? Json(nullptr) : Json::array();
      for (const auto& [id, logprob] : token.top) position.push_back(Triple(id, logprob));
      list.push_back(std::move(position));
    }
    return list;
  }

 private:
  Json Triple(TokenId token, float logprob) const {
    return Json::array({std::isfinite(logprob) ? Json(logprob) : Json(nullptr), token,
                        with_text_ ? Json(TokenText(tokenizer_, token)) : Json(nullptr)});
  }

  const bool with_text_;
  const Tokenizer& tokenizer_;
};

Json Finish(const GeneratedChoice& choice) {
  switch (choice.finish) {
    case FinishReason::kNone: return nullptr;
    case FinishReason::kLength: return {{"type", "length"}, {"length", choice.tokens.size()}};
    case FinishReason::kCancelled:
    case FinishReason::kError: return {{"type", "abort"}, {"message", "Abort before completion"}};
    case FinishReason::kStop: break;
  }
  Json finish = {{"type", "stop"}};
  if (choice.matched_token >= 0) finish["matched"] = choice.matched_token;
  if (!choice.matched_stop.empty()) finish["matched"] = choice.matched_stop;
  return finish;
}

void AddLogprobs(std::span<const TokenLogprob> prompt, const GeneratedChoice& choice,
                 const LogprobLists& lists, Json& meta) {
  meta["input_token_logprobs"] = lists.Tokens(prompt);
  meta["output_token_logprobs"] = lists.Tokens(choice.logprobs);
  meta["input_top_logprobs"] = lists.Top(prompt);
  meta["output_top_logprobs"] = lists.Top(choice.logprobs);
}

// Of a request that scores its choices and generates nothing.
Json ScoredAnswer(const RequestRun& run, Json meta) {
  const Usage& usage = run.usage();
  meta["finish_reason"] = {{"type", "stop"}};
  meta["prompt_tokens"] = usage.prompt_tokens;
  meta["cached_tokens"] = usage.cached_tokens;
  meta["completion_tokens"] = 0;
  meta["choices"] = ChoicesJson(run.choices(), *run.decision());
  return {{"text", run.choices()[run.decision()->choice]},
          {"output_ids", Json::array()},
          {"meta_info", std::move(meta)}};
}

}  // namespace

Json SglangAnswer(const RequestRun& run, std::size_t choice_index, const SglangOptions& options,
                  const Tokenizer& tokenizer) {
  Json meta = {{"id", options.id}, {"finish_reason", nullptr}};
  if (!run.generates()) return ScoredAnswer(run, std::move(meta));
  const GeneratedChoice& choice = run.generated().choices()[choice_index];
  const Usage& usage = run.usage();
  meta["finish_reason"] = Finish(choice);
  meta["prompt_tokens"] = run.prompt_tokens();
  meta["completion_tokens"] = choice.tokens.size();
  meta["cached_tokens"] = usage.cached_tokens;
  meta["forced_tokens"] = usage.forced_tokens;
  meta["accepted_draft_tokens"] = usage.accepted_draft_tokens;
  meta["weight_version"] = "default";
  meta["e2e_latency"] = options.e2e_latency_s;
  if (choice.finish != FinishReason::kNone) meta["seed"] = run.generated().seed();
  if (options.return_logprob) {
    std::span<const TokenLogprob> prompt;
    if (options.prompt_logprobs) prompt = run.generated().prompt_logprobs();
    AddLogprobs(prompt, choice, LogprobLists(options, tokenizer), meta);
  }
  if (run.decision()) meta["choices"] = ChoicesJson(run.choices(), *run.decision());
  return {{"text", choice.text}, {"output_ids", choice.tokens}, {"meta_info", std::move(meta)}};
}

}  // namespace espalier
