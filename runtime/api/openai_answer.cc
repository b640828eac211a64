#include "runtime/api/openai_answer.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "runtime/local/prompt.h"
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

std::string BytesOf(TokenId token, const Tokenizer& tokenizer) {
  return tokenizer.Decode(std::span(&token, 1), SpecialTokens::kParse);
}

// As OpenAI's completions name a token, part of a character or not.
std::string Spelled(TokenId token, const Tokenizer& tokenizer) {
  const std::string bytes = BytesOf(token, tokenizer);
  if (CheckUtf8(bytes, "a token").ok()) return TokenText(tokenizer, token);
  std::string text = "bytes:";
  for (const char byte : bytes) text += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
  return text;
}

Json ChatToken(TokenId token, float logprob, const Tokenizer& tokenizer) {
  const std::string bytes = BytesOf(token, tokenizer);
  Json list = Json::array();
  for (const char byte : bytes) list.push_back(static_cast<unsigned char>(byte));
  return {{"token", TokenText(tokenizer, token)},
          {"logprob", Number(logprob)},
          {"bytes", std::move(list)}};
}

}  // namespace

std::size_t NumCharacters(TokenId token, const Tokenizer& tokenizer) {
  const std::string text = BytesOf(token, tokenizer);
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

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
    result["text_offset"].push_back(offset);
    offset += NumCharacters(token.token, tokenizer);
    result["token_logprobs"].push_back(Number(token.logprob));
    result["tokens"].push_back(Spelled(token.token, tokenizer));
    Json top = token.top.empty() ? Json(nullptr) : Json::object();
    for (const auto& [id, logprob] : token.top) top[Spelled(id, tokenizer)] = Number(logprob);
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
