// Results as the JSON that --json and --jsonl print.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "frontend_lang/backend.h"
#include "frontend_lang/program/choices.h"
#include "kernels/base/status.h"
#include "runtime/local/generated.h"
#include "runtime/tokenizer/tokenizer.h"

namespace espalier {

// The counts of interfaces.md's `usage`, of a request or of a call.
nlohmann::ordered_json UsageJson(const Usage& usage);
nlohmann::ordered_json UsageJson(const CallUsage& usage);

// [{"id", "text", "logprob", "top"?}]; a logprob is null where there is none.
nlohmann::ordered_json LogprobsJson(const std::vector<TokenLogprob>& tokens,
                                    const Tokenizer& tokenizer);

// {"text", "ids", "finish_reason", "matched"?, "logprobs"?, "prompt_logprobs"?, "usage",
// "seed"}; of several choices {"outputs": [the first five of each], "usage", "seed"}.
nlohmann::ordered_json ResultJson(const Generated& generated, const Tokenizer& tokenizer);

// [{"text", "score", "probability"}]; the probabilities are the softmax of the scores.
nlohmann::ordered_json ChoicesJson(const std::vector<std::string>& choices,
                                   const program::Decision& decision);

// {"text", "choices": ChoicesJson, "finish_reason": "stop", "usage"}
nlohmann::ordered_json ScoredJson(const std::vector<std::string>& choices,
                                  const program::Decision& decision, const Usage& usage);

// {"error": {"code", "message"}}
nlohmann::ordered_json ErrorJson(const Status& status);

}  // namespace espalier
