// POST /v1/chat/completions: OpenAI's.
#include <memory>
#include <utility>

#include "runtime/server/endpoints/chat_request.h"
#include "runtime/server/endpoints/chat_shape.h"
#include "runtime/server/endpoints/endpoints.h"

namespace espalier::endpoints {

void ChatCompletions(Service& service, const Exchange& exchange, std::string_view /*id*/) {
  const Result<nlohmann::ordered_json> json = BodyJson(*exchange);
  if (!json.ok()) return Refuse(*exchange, json.status());
  const Result<OpenAiBody> body = ReadOpenAiBody(OpenAiApi::kChat, *json);
  if (!body.ok()) return Refuse(*exchange, body.status());
  if (Status status = CheckModel(service, *body); !status.ok()) {
    return RefuseModel(*exchange, status);
  }
  OpenAiHead head = HeadOf(service, *body, "chatcmpl-");
  head.object = "chat.completion";
  head.chunk_object = "chat.completion.chunk";
  Result<ChatAsked> chat = AskChat(service, *body, head.id);
  if (!chat.ok()) return Refuse(*exchange, chat.status());
  auto shape = std::make_unique<ChatShape>(std::move(head), service.tokenizer(), chat->parts);
  StartGeneration(service, exchange, std::move(chat->asked), std::move(shape));
}

}  // namespace espalier::endpoints
