// POST /v1/chat/completions: OpenAI's.
#include <memory>
#include <utility>

#include "runtime/server/endpoints/chat_request.h"
#include "runtime/server/endpoints/chat_shape.h"
#include "runtime/server/endpoints/endpoints.h"
#include "runtime/server/endpoints/preparation.h"

namespace espalier::endpoints {

namespace {

Result<Prepared> PrepareChat(const ServedModel& served, const nlohmann::ordered_json& json,
                             std::uint64_t seed) {
  ESP_ASSIGN_OR_RETURN(const OpenAiBody body, ReadOpenAiBody(OpenAiApi::kChat, json));
  ESP_RETURN_IF_ERROR(CheckModel(served, body.model));
  OpenAiHead head = HeadOf(served, body, "chatcmpl-");
  head.object = "chat.completion";
  head.chunk_object = "chat.completion.chunk";
  ESP_ASSIGN_OR_RETURN(ChatAsked chat, AskChat(served, body, {head.id, SeedOf(seed, 0)}));
  auto shape = std::make_unique<ChatShape>(std::move(head), served.tokenizer(), chat.parts);
  return Prepared{.asked = std::move(chat.asked), .shape = std::move(shape)};
}

}  // namespace

void ChatCompletions(Service& service, const Exchange& exchange, std::string_view /*id*/) {
  PrepareAndAnswer(service, exchange, PrepareChat);
}

}  // namespace espalier::endpoints
