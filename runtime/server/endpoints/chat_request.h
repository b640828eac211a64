// A chat's body to the request that the engine gets: for the endpoints that are chats.
//
// Thread safety: io thread only.
#pragma once

#include <string>

#include "kernels/base/status.h"
#include "runtime/api/openai_body.h"
#include "runtime/api/tool_format.h"
#include "runtime/server/generation.h"

namespace espalier::endpoints {

struct ChatAsked {
  Asked asked;
  const ToolFormat* format = nullptr;  // how calls are written; null: no tools
};

// `id`: of the request, unless the body names one. Errors are in the body's own names.
Result<ChatAsked> AskChat(Service& service, const OpenAiBody& body, const std::string& id);

}  // namespace espalier::endpoints
