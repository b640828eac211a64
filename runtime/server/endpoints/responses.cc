// POST /v1/responses: OpenAI's, stateless.
#include <memory>
#include <utility>

#include "runtime/api/responses_body.h"
#include "runtime/server/endpoints/chat_request.h"
#include "runtime/server/endpoints/endpoints.h"
#include "runtime/server/endpoints/openai_shape.h"
#include "runtime/server/endpoints/preparation.h"
#include "runtime/server/endpoints/response_items.h"

namespace espalier::endpoints {
namespace {

using Json = nlohmann::ordered_json;

// What the answer says of its request.
Json Echo(const Json& body) {
  Json echo = Json::object();
  constexpr std::pair<const char*, const char*> kFields[] = {{"instructions", "null"},
                                                             {"max_output_tokens", "null"},
                                                             {"parallel_tool_calls", "true"},
                                                             {"temperature", "1.0"},
                                                             {"top_p", "1.0"},
                                                             {"tool_choice", "\"auto\""},
                                                             {"tools", "[]"},
                                                             {"metadata", "{}"},
                                                             {"truncation", "\"disabled\""},
                                                             {"previous_response_id", "null"}};
  for (const auto& [name, otherwise] : kFields) {
    const auto found = body.find(name);
    echo[name] = found != body.end() && !found->is_null() ? *found : Json::parse(otherwise);
  }
  echo["text"] = body.value("text", Json{{"format", {{"type", "text"}}}});
  return echo;
}

class ResponseShape : public AnswerShape {
 public:
  ResponseShape(OpenAiHead head, Json echo, const ToolFormat* format)
      : head_(std::move(head)), echo_(std::move(echo)), format_(format), items_(format) {}

  Result<Json> Whole(const Runs& runs) override {
    ResponseItems items(format_);
    Json unheard = Json::array();
    items.Feed(runs[0]->generated().choices()[0].text, unheard);
    items.Finish(unheard);
    return Response(items.items(), runs[0].get());
  }

  News Piece(const RequestRun& /*run*/, std::size_t /*request*/,
             const RequestRun::Piece& piece) override {
    News news;
    if (piece.text.empty()) return news;
    Begin(news.text);
    Json events = Json::array();
    items_.Feed(piece.text, events);
    Tell(std::move(events), news.text);
    return news;
  }

  void End(const Runs& runs, std::string& stream) override {
    Begin(stream);
    Json events = Json::array();
    items_.Finish(events);
    const Json response = Response(items_.items(), runs[0].get());
    events.push_back(
        {{"type", response["status"] == "completed" ? "response.completed" : "response.incomplete"},
         {"response", response}});
    Tell(std::move(events), stream);
  }

 private:
  void Begin(std::string& stream) {
    if (std::exchange(begun_, true)) return;
    const Json response = Response(Json::array(), nullptr);
    Tell(Json::array({{{"type", "response.created"}, {"response", response}},
                      {{"type", "response.in_progress"}, {"response", response}}}),
         stream);
  }

  void Tell(Json events, std::string& stream) {
    for (Json& event : events) {
      event["sequence_number"] = num_events_++;
      stream += "event: " + event["type"].get_ref<const std::string&>() + "\n";
      AddEvent(event, stream);
    }
  }

  // `run` null: it has just begun.
  Json Response(const Json& output, const RequestRun* run) const {
    Json response = {{"id", head_.id},
                     {"object", "response"},
                     {"created_at", head_.created_s},
                     {"model", head_.model},
                     {"status", "in_progress"},
                     {"error", nullptr},
                     {"incomplete_details", nullptr},
                     {"output", output},
                     {"usage", nullptr}};
    response.update(echo_);
    if (run == nullptr) return response;
    const FinishReason finish = run->generated().choices()[0].finish;
    response["status"] = finish == FinishReason::kStop ? "completed" : "incomplete";
    if (finish != FinishReason::kStop) {
      response["incomplete_details"] = {{"reason", "max_output_tokens"}};
    }
    const Usage& usage = run->usage();
    response["usage"] = {{"input_tokens", usage.prompt_tokens},
                         {"input_tokens_details", {{"cached_tokens", usage.cached_tokens}}},
                         {"output_tokens", usage.completion_tokens},
                         {"output_tokens_details", {{"reasoning_tokens", 0}}},
                         {"total_tokens", usage.prompt_tokens + usage.completion_tokens}};
    return response;
  }

  const OpenAiHead head_;
  const Json echo_;
  const ToolFormat* const format_;
  ResponseItems items_;  // of a stream
  bool begun_ = false;
  int num_events_ = 0;
};

Result<Prepared> PrepareResponse(const ServedModel& served, const Json& json, std::uint64_t seed) {
  ESP_ASSIGN_OR_RETURN(const OpenAiBody body, ReadResponsesBody(json));
  ESP_RETURN_IF_ERROR(CheckModel(served, body.model));
  OpenAiHead head = HeadOf(served, body, "resp_");
  ESP_ASSIGN_OR_RETURN(ChatAsked chat, AskChat(served, body, {head.id, SeedOf(seed, 0)}));
  auto shape = std::make_unique<ResponseShape>(std::move(head), Echo(json), chat.parts.format);
  return Prepared{.asked = std::move(chat.asked), .shape = std::move(shape)};
}

}  // namespace

void Responses(Service& service, const Exchange& exchange, std::string_view /*id*/) {
  PrepareAndAnswer(service, exchange, PrepareResponse);
}

}  // namespace espalier::endpoints
