// Probes. None but health_generate needs the engine to have room.
#include <memory>
#include <utility>

#include "runtime/local/prompt.h"
#include "runtime/server/answer_shape.h"
#include "runtime/server/api_error.h"
#include "runtime/server/endpoints/endpoints.h"
#include "runtime/server/generation.h"
#include "runtime/server/request_id.h"

namespace espalier::endpoints {
namespace {

using Json = nlohmann::ordered_json;

class HealthShape : public AnswerShape {
 public:
  Result<Json> Whole(const Runs& /*runs*/) override { return Json{{"status", "ok"}}; }
  News Piece(const RequestRun& /*run*/, std::size_t /*request*/,
             const RequestRun::Piece& /*piece*/) override {
    return {};
  }
};

bool RefuseDraining(const Service& service, const Exchange& exchange) {
  if (!service.leaving()) return false;
  exchange->Answer(ErrorAnswer(Status(Code::kCancelled, "the server is shutting down"), 503));
  return true;
}

}  // namespace

void Health(Service& service, const Exchange& exchange, std::string_view /*id*/) {
  if (!RefuseDraining(service, exchange)) AnswerJson(*exchange, {{"status", "ok"}});
}

// One token, generated. A busy engine is a healthy one, and is not given more to do.
void HealthGenerate(Service& service, const Exchange& exchange, std::string_view /*id*/) {
  if (RefuseDraining(service, exchange)) return;
  if (!service.idle()) return AnswerJson(*exchange, {{"status", "ok"}});
  LineRequest request;
  request.generate.emplace();
  request.generate->prompt = EncodePrompt(service.tokenizer(), "Hi");
  request.generate->sampling.max_new_tokens = 1;
  request.generate->sampling.seed = 0;
  Asked asked;
  asked.requests.push_back(std::move(request));
  asked.ids.push_back(NewId("health-"));
  StartGeneration(service, exchange, std::move(asked), std::make_unique<HealthShape>());
}

void Ping(Service& /*service*/, const Exchange& exchange, std::string_view /*id*/) {
  AnswerText(*exchange, "pong");
}

}  // namespace espalier::endpoints
