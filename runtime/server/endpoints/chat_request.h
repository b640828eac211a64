// A chat's body to the request that the engine gets: for the endpoints that are chats.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "kernels/base/status.h"
#include "runtime/api/openai_body.h"
#include "runtime/api/reasoning_reader.h"
#include "runtime/api/tool_format.h"
#include "runtime/server/generation.h"
#include "runtime/server/served_model.h"

namespace espalier::endpoints {

// What an answer may hold beside text.
struct AnswerParts {
  const ToolFormat* format = nullptr;               // how calls are written; null: no tools
  std::optional<ReasoningReader::Start> reasoning;  // where it is to be told apart
};

struct ChatAsked {
  Asked asked;
  AnswerParts parts;
};

// The text that the body's chat is to the model, with its tools. Fails in the body's own names.
Result<std::string> ChatText(const ServedModel& served, const OpenAiBody& body);

struct ChatAsking {
  std::string id;          // of the request, unless the body names one
  std::uint64_t seed = 0;  // likewise
};

// Errors are in the body's own names.
Result<ChatAsked> AskChat(const ServedModel& served, const OpenAiBody& body,
                          const ChatAsking& asking);

}  // namespace espalier::endpoints
