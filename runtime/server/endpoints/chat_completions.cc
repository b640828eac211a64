// POST /v1/chat/completions: OpenAI's.
#include <memory>
#include <utility>

#include "runtime/api/chat_messages.h"
#include "runtime/api/openai_answer.h"
#include "runtime/server/endpoints/endpoints.h"
#include "runtime/server/endpoints/openai_shape.h"
#include "runtime/server/generation.h"

namespace espalier::endpoints {
namespace {

using Json = nlohmann::ordered_json;

class ChatShape : public OpenAiShape {
 public:
  using OpenAiShape::OpenAiShape;

 protected:
  Json Choice(const RequestRun& /*run*/, std::size_t /*request*/,
              const GeneratedChoice& choice) override {
    return {{"message", {{"role", "assistant"}, {"content", choice.text}, {"refusal", nullptr}}},
            {"logprobs", Logprobs(choice.logprobs)}};
  }

  // The first chunk says whose text it is; the last, if it has no text, says nothing.
  Json ChunkChoice(const RequestRun& /*run*/, std::size_t /*request*/, const News& news) override {
    Json delta = Json::object();
    if (news.is_first) delta["role"] = "assistant";
    if (news.is_first || !news.text.empty()) delta["content"] = news.text;
    return {{"delta", std::move(delta)}, {"logprobs", Logprobs(news.logprobs)}};
  }

 private:
  Json Logprobs(std::span<const TokenLogprob> tokens) const {
    return tokens.empty() ? Json(nullptr) : ChatLogprobs(tokens, tokenizer());
  }
};

Result<Asked> Ask(Service& service, const OpenAiBody& body, const std::string& id) {
  ESP_ASSIGN_OR_RETURN(const Json messages, TemplateMessages(body.messages));
  ChatRequest chat{.messages = messages, .extra = body.template_arguments};
  chat.end = body.add_generation_prompt ? ChatPrompt::End::kOpen : ChatPrompt::End::kClosed;
  if (body.continue_final_message) chat.end = ChatPrompt::End::kContinued;
  Json line = body.line;
  ESP_ASSIGN_OR_RETURN(line["prompt"], service.defaults().chat->Render(chat));
  // Up to the end of the context, unless told otherwise.
  if (!line.contains("max_new_tokens")) {
    line["max_new_tokens"] = service.model().context_length();
  }
  ESP_ASSIGN_OR_RETURN(LineRequest request,
                       ParseRequestLine(line, service.defaults(), service.NextSeed()));
  request.score.reset();  // the answer has no place for scores
  Asked asked;
  asked.stream = body.stream;
  asked.headers = HeadersFor(body);
  asked.requests.push_back(std::move(request));
  asked.ids.push_back(body.request_id.empty() ? id : body.request_id);
  return asked;
}

}  // namespace

void ChatCompletions(Service& service, const Exchange& exchange, std::string_view /*id*/) {
  const Result<Json> json = BodyJson(*exchange);
  if (!json.ok()) return Refuse(*exchange, json.status());
  const Result<OpenAiBody> body = ReadOpenAiBody(OpenAiApi::kChat, *json);
  if (!body.ok()) return Refuse(*exchange, body.status());
  if (Status status = CheckModel(service, *body); !status.ok()) {
    return RefuseModel(*exchange, status);
  }
  OpenAiHead head = HeadOf(service, *body, "chatcmpl-");
  head.object = "chat.completion";
  head.chunk_object = "chat.completion.chunk";
  Result<Asked> asked = Ask(service, *body, head.id);
  if (!asked.ok()) return Refuse(*exchange, asked.status());
  auto shape = std::make_unique<ChatShape>(std::move(head), service.tokenizer());
  StartGeneration(service, exchange, std::move(asked).value(), std::move(shape));
}

}  // namespace espalier::endpoints
