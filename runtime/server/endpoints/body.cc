#include <utility>

#include <fmt/format.h>

#include "runtime/local/json_text.h"
#include "runtime/local/prompt.h"
#include "runtime/server/answer_shape.h"
#include "runtime/server/api_error.h"
#include "runtime/server/endpoints/endpoints.h"

namespace espalier::endpoints {

Result<nlohmann::ordered_json> BodyJson(std::string_view body) {
  if (body.empty()) return nlohmann::ordered_json::object();
  ESP_RETURN_IF_ERROR(CheckUtf8(body, "the body"));
  ESP_ASSIGN_OR_RETURN(nlohmann::ordered_json json, ParseJson(body));
  if (!json.is_object()) {
    return Status(Code::kInvalidArgument, "the body must be a JSON object");
  }
  return json;
}

void Refuse(HttpExchange& exchange, const Status& status) {
  exchange.Answer(ErrorAnswer(status, ParamOf(status.message())));
}

void AnswerJson(HttpExchange& exchange, const nlohmann::ordered_json& json) {
  exchange.Answer({.body = BodyText(json)});
}

void AnswerText(HttpExchange& exchange, std::string text) {
  exchange.Answer({.content_type = "text/plain; charset=utf-8", .body = std::move(text)});
}

}  // namespace espalier::endpoints
