// A line of `generate --jsonl`: from JSON to a request of the engine.
//
// Keys: one of prompt, ids, messages; any sampling option by its native name (max_tokens
// is another name of max_new_tokens); at most one of regex, json_schema, ebnf,
// structural_tag, choices; json_whitespace, property_order, json_formats, json_forms,
// choices_method, cache_salt, priority, retention_s. Any other key is an error that names it, and
// what was probably meant.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>

#include "frontend_lang/program/choices.h"
#include "grammar/constraint.h"
#include "kernels/base/status.h"
#include "runtime/engine/request.h"
#include "runtime/local/chat_prompt.h"
#include "runtime/local/choice_scorer.h"
#include "runtime/tokenizer/tokenizer.h"

namespace espalier {

// What every line starts from.
struct LineDefaults {
  const Tokenizer* tokenizer = nullptr;
  std::shared_ptr<const ChatPrompt> chat;
  SamplingParams sampling;    // from the flags
  ConstraintSpec constraint;  // from the flags
  // Where they are known, a prompt that cannot fit is refused before it is tokenized.
  std::int64_t context_length = 0;      // tokens
  std::size_t longest_token_bytes = 0;  // of the vocabulary
};

std::size_t LongestTokenBytes(const Vocabulary& vocabulary);

// kLimit if `num_bytes` of text are more tokens than the context holds, whatever they are.
Status CheckPromptBytes(std::size_t num_bytes, const LineDefaults& defaults);

// What is to be run; one of the two at least. Choices that are a constraint are scored too:
// the result says how likely each is.
struct LineRequest {
  std::optional<GenerateRequest> generate;  // unless choices_method was given
  std::optional<ScoreRequest> score;        // choices was given
  program::ChoicesMethod method = program::ChoicesMethod::kTokenLengthNormalized;
};

// `seed`: of a request that names none.
Result<LineRequest> ParseRequestLine(const nlohmann::ordered_json& line,
                                     const LineDefaults& defaults, std::uint64_t seed);

}  // namespace espalier
