// Bodies of OpenAI's /v1/completions and /v1/chat/completions: to a native request.
//
// Beside OpenAI's own fields: the native names of sampling options and constraints, and
// what vLLM's clients send (guided_*, structured_outputs, min_tokens, ...). A field that
// changes the answer and that we cannot honour is an error that names it; one that only
// labels a request (user, metadata, ...) is passed over.
//
// Source: OpenAI's API reference; vLLM's protocol for the extras.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "kernels/base/status.h"
#include "runtime/api/field_names.h"

namespace espalier {

enum class OpenAiApi : unsigned char { kCompletions, kChat };

struct OpenAiBody {
  // Keys of a request line but for the prompt.
  nlohmann::ordered_json line = nlohmann::ordered_json::object();
  std::vector<nlohmann::ordered_json> prompts;  // kCompletions: strings or lists of ids
  nlohmann::ordered_json messages;              // kChat
  nlohmann::ordered_json template_arguments;    // chat_template_kwargs; null: none
  nlohmann::ordered_json tools, tool_choice, parallel_tool_calls;  // null: not given
  std::string model;                                               // as the body names it
  std::string request_id;
  double timeout_s = 0;  // 0: none is asked for
  bool stream = false;
  bool include_usage = false;
  bool echo = false;
  bool add_generation_prompt = true;
  bool continue_final_message = false;
  bool separate_reasoning = true;
  std::vector<std::string> unknown;  // fields that nobody here knows
  FieldNames renamed;                // of what `line` names otherwise than the body
};

// kInvalidArgument or kUnsupported, with the field's name in front.
Result<OpenAiBody> ReadOpenAiBody(OpenAiApi api, const nlohmann::ordered_json& body);

}  // namespace espalier
