// What was generated, as answers of OpenAI's /v1/completions and /v1/chat/completions.
//
// Source: OpenAI's API reference.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "runtime/engine/request.h"
#include "runtime/local/generated.h"
#include "runtime/tokenizer/tokenizer.h"

namespace espalier {

// "stop", "length", "abort"; null while it goes on.
nlohmann::ordered_json OpenAiFinish(FinishReason reason);

// {"content": [{"token", "logprob", "bytes", "top_logprobs"}], "refusal": null}
nlohmann::ordered_json ChatLogprobs(std::span<const TokenLogprob> tokens,
                                    const Tokenizer& tokenizer);

// {"text_offset", "token_logprobs", "tokens", "top_logprobs"}, the first token's text at
// character `offset`. A token that is no text by itself is spelled "bytes:\xf0\x9f".
nlohmann::ordered_json CompletionLogprobs(std::span<const TokenLogprob> tokens, std::size_t offset,
                                          const Tokenizer& tokenizer);

// Characters that a token adds to a text: those that begin in it.
std::size_t NumCharacters(TokenId token, const Tokenizer& tokenizer);

// {"prompt_tokens", "completion_tokens", "total_tokens", "prompt_tokens_details"}, summed.
nlohmann::ordered_json OpenAiUsage(std::span<const Usage> usages);

// The choice's members beside its text or message and its logprobs: {"index",
// "finish_reason", "matched_stop"}.
nlohmann::ordered_json OpenAiChoice(std::size_t index, const GeneratedChoice& choice);

}  // namespace espalier
