// POST /v1/embeddings: OpenAI's. The mean of the last hidden states, of length 1.
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "runtime/api/embedding_json.h"
#include "runtime/api/embeddings_body.h"
#include "runtime/server/answer_shape.h"
#include "runtime/server/endpoints/endpoints.h"
#include "runtime/server/endpoints/ignored_fields.h"
#include "runtime/server/endpoints/openai_shape.h"
#include "runtime/server/endpoints/preparation.h"
#include "runtime/server/request_id.h"

namespace espalier::endpoints {
namespace {

using Json = nlohmann::ordered_json;

// Numbers of one answer: each is written in about twelve bytes.
constexpr std::int64_t kMostNumbers = 8'000'000;

class EmbeddingShape : public AnswerShape {
 public:
  EmbeddingShape(std::string model, EmbeddingsBody::Encoding encoding)
      : model_(std::move(model)), encoding_(encoding) {}

  Result<Json> Whole(const Runs& runs) override {
    Json list = Json::array();
    std::int64_t num_tokens = 0;
    for (const auto& run : runs) {
      const GeneratedChoice& choice = run->generated().choices().front();
      if (choice.finish != FinishReason::kLength) {
        return Status(Code::kCancelled, "the request was aborted");
      }
      ESP_ASSIGN_OR_RETURN(const std::vector<float> unit, Normalized(choice.embedding));
      list.push_back({{"object", "embedding"},
                      {"index", list.size()},
                      {"embedding", EmbeddingJson(unit, encoding_)}});
      num_tokens += run->usage().prompt_tokens;
    }
    return Json{{"object", "list"},
                {"data", std::move(list)},
                {"model", model_},
                {"usage", {{"prompt_tokens", num_tokens}, {"total_tokens", num_tokens}}}};
  }

  News Piece(const RequestRun& /*run*/, std::size_t /*request*/,
             const RequestRun::Piece& /*piece*/) override {
    return {};
  }

 private:
  const std::string model_;
  const EmbeddingsBody::Encoding encoding_;
};

Status CheckSize(const ServedModel& served, const EmbeddingsBody& body) {
  const std::int64_t size = served.hidden_size();
  if (body.dimensions != 0 && body.dimensions != size) {
    return {Code::kInvalidArgument,
            fmt::format("dimensions must be {}, which this model's embeddings have", size)};
  }
  if (size * static_cast<std::int64_t>(body.lines.size()) <= kMostNumbers) return Status();
  return {Code::kLimit, fmt::format("input must be a list of at most {} texts for this model",
                                    kMostNumbers / size)};
}

Result<Asked> Ask(const ServedModel& served, const EmbeddingsBody& body) {
  Asked asked;
  asked.timeout_s = body.timeout_s;
  asked.headers = IgnoredHeaders(body.unknown);
  asked.names = {{"ids", "input"}, {"prompt", "input"}};
  const std::string id = body.request_id.empty() ? NewId("embd-") : body.request_id;
  for (const Json& line : body.lines) {
    Result<LineRequest> request = ParseRequestLine(line, served.defaults(), 0);
    if (!request.ok()) return InNamesOf(asked.names, request.status());
    request->generate->embeds = true;
    asked.requests.push_back(*std::move(request));
    asked.ids.push_back(id);
  }
  return asked;
}

Result<Prepared> PrepareEmbeddings(const ServedModel& served, const Json& json,
                                   std::uint64_t /*seed: nothing is drawn*/) {
  ESP_ASSIGN_OR_RETURN(const EmbeddingsBody body, ReadEmbeddingsBody(json));
  ESP_RETURN_IF_ERROR(CheckModel(served, body.model));
  ESP_RETURN_IF_ERROR(CheckSize(served, body));
  ESP_ASSIGN_OR_RETURN(Asked asked, Ask(served, body));
  auto shape = std::make_unique<EmbeddingShape>(served.name(), body.encoding);
  return Prepared{.asked = std::move(asked), .shape = std::move(shape)};
}

}  // namespace

void Embeddings(Service& service, const Exchange& exchange, std::string_view /*id*/) {
  PrepareAndAnswer(service, exchange, PrepareEmbeddings);
}

}  // namespace espalier::endpoints
