#include "runtime/api/openai_answer.h"

#include <cmath>

#include "runtime/local/token_text.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no infinity: OpenAI's own stand-in for a token of no probability.
constexpr float kLeastLogprob = -9999.0F;

Json Number(float logprob) {
  if (std::isnan(logprob)) return nullptr;
  return std::isfinite(logprob) ? logprob : kLeastLogprob;
}

Json ChatToken(TokenId token, float logprob, const Tokenizer& tokenizer) {
  const std::string bytes = tokenizer.Decode(std::span(&token, 1), SpecialTokens::kParse);
  Json list = Json::array();
  for (const char byte : bytes) list.push_back(static_cast<unsigned char>(byte));
  return {{"token", TokenText(tokenizer, token)},
          {"logprob", Number(logprob)},
          {"bytes", std::move(list)}};
}

}  // namespace

Json OpenAiFinish(FinishReason reason) {
  return reason == FinishReason::kNone ? Json(nullptr) : Json(FinishName(reason));
}

Json ChatLogprobs(std::span<const TokenLogprob> tokens, const Tokenizer& tokenizer) {
  Json content = Json::array();
  for (const TokenLogprob& token : tokens) {
    Json item = ChatToken(token.token, token.logprob, tokenizer);
    item["top_logprobs"] = Json::array();
    for (const auto& [id, logprob] : token.top) {
      item["top_logprobs"].push_back(ChatToken(id, logprob, tokenizer));
    }
    content.push_back(std::move(item));
  }
  return {{"content", std::move(content)}, {"refusal", nullptr}};
}

Json CompletionLogprobs(std::span<const TokenLogprob> tokens, std::size_t offset,
                        const Tokenizer& tokenizer) {
  Json result = {{"text_offset", Json::array()},
                 {"token_logprobs", Json::array()},
                 {"tokens", Json::array()},
                 {"top_logprobs", Json::array()}};
  for (const TokenLogprob& token : tokens) {
    std::string text = TokenText(tokenizer, token.token);
    result["text_offset"].push_back(offset);
    offset += text.size();
    result["token_logprobs"].push_back(Number(token.logprob));
    result["tokens"].push_back(std::move(text));
    Json top = token.top.empty() ? Json(nullptr) : Json::object();
    for (const auto& [id, logprob] : token.top) top[TokenText(tokenizer, id)] = Number(logprob);
    result["top_logprobs"].push_back(std::move(top));
  }
  return result;
}

Json OpenAiUsage(std::span<const Usage> usages) {
  Usage sum;
  for (const Usage& usage : usages) {
    sum.prompt_tokens += usage.prompt_tokens;
    sum.cached_tokens += usage.cached_tokens;
    sum.completion_tokens += usage.completion_tokens;
    sum.forced_tokens += usage.forced_tokens;
  }
  return {{"prompt_tokens", sum.prompt_tokens},
          {"completion_tokens", sum.completion_tokens},
          {"total_tokens", sum.prompt_tokens + sum.completion_tokens},
          {"prompt_tokens_details", {{"cached_tokens", sum.cached_tokens}}},
          {"completion_tokens_details", {{"reasoning_tokens", 0}}},
          {"forced_tokens", sum.forced_tokens}};
}

Json OpenAiChoice(std::size_t index, const GeneratedChoice& choice) {
  Json json = {{"index", index}, {"finish_reason", OpenAiFinish(choice.finish)}};
  json["matched_stop"] = nullptr;
  if (choice.matched_token >= 0) json["matched_stop"] = choice.matched_token;
  if (!choice.matched_stop.empty()) json["matched_stop"] = choice.matched_stop;
  return json;
}

}  // namespace espalier
