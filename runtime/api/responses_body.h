// The body of OpenAI's /v1/responses: to that of a chat.
//
// The server keeps nothing: a field that refers to what it would have kept
// (previous_response_id, conversation, background) is refused.
//
// Source: OpenAI's API reference, responses.
//
// Thread safety: pure functions.
#pragma once

#include <nlohmann/json.hpp>

#include "kernels/base/status.h"
#include "runtime/api/openai_body.h"

namespace espalier {

// kInvalidArgument or kUnsupported, with the field's name in front.
Result<OpenAiBody> ReadResponsesBody(const nlohmann::ordered_json& body);

}  // namespace espalier
