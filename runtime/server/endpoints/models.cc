// OpenAI's list of models: the one that is served.
#include <fmt/format.h>

#include "runtime/server/answer_shape.h"
#include "runtime/server/endpoints/endpoints.h"

namespace espalier::endpoints {
namespace {

using Json = nlohmann::ordered_json;

Json ModelJson(Service& service) {
  return {{"id", service.served().name()},
          {"object", "model"},
          {"created", service.served().start_time_s()},
          {"owned_by", "espalier"},
          {"root", service.served().name()},
          {"parent", nullptr},
          {"max_model_len", service.model().context_length()}};
}

}  // namespace

void Models(Service& service, const Exchange& exchange, std::string_view /*id*/) {
  AnswerJson(*exchange, {{"object", "list"}, {"data", Json::array({ModelJson(service)})}});
}

void Model(Service& service, const Exchange& exchange, std::string_view id) {
  if (id != service.served().name()) {
    return RefuseModel(
        *exchange,
        Status(Code::kNotFound, fmt::format("model '{}' is not served here", id.substr(0, 200))));
  }
  AnswerJson(*exchange, ModelJson(service));
}

void RefuseModel(HttpExchange& exchange, const Status& status) {
  const Json body = {{"error",
                      {{"message", status.message()},
                       {"type", "invalid_request_error"},
                       {"param", "model"},
                       {"code", "model_not_found"}}}};
  exchange.Answer({.status = 404, .body = BodyText(body)});
}

}  // namespace espalier::endpoints
