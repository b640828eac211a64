// POST /generate: SGLang's.
#include <chrono>
#include <memory>
#include <set>
#include <utility>

#include "runtime/api/sglang_answer.h"
#include "runtime/api/sglang_body.h"
#include "runtime/server/endpoints/endpoints.h"
#include "runtime/server/endpoints/ignored_fields.h"
#include "runtime/server/endpoints/preparation.h"
#include "runtime/server/request_id.h"

namespace espalier::endpoints {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

// Several choices of one prompt come as a list too.
class GenerateShape : public AnswerShape {
 public:
  GenerateShape(const Tokenizer& tokenizer, const SglangBody& body, std::vector<std::string> ids)
      : tokenizer_(tokenizer),
        is_list_(body.is_list),
        return_logprob_(body.return_logprob),
        text_in_logprobs_(body.text_in_logprobs),
        ids_(std::move(ids)) {}

  Result<Json> Whole(const Runs& runs) override {
    Json list = Json::array();
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const RequestRun& run = *runs[i];
      const std::size_t num_choices = run.generates() ? run.generated().choices().size() : 1;
      for (std::size_t choice = 0; choice < num_choices; ++choice) {
        list.push_back(SglangAnswer(run, choice, Options(i), tokenizer_));
      }
    }
    return !is_list_ && list.size() == 1 ? list.front() : list;
  }

  // The text is cumulative, so a client that is behind gets the newest only.
  News Piece(const RequestRun& run, std::size_t request, const RequestRun::Piece& piece) override {
    const std::vector<GeneratedChoice>& choices = run.generated().choices();
    const bool ended = choices[piece.choice].finish != FinishReason::kNone;
    if (piece.text.empty() && !ended) return {};
    News news{.latest_of = request * choices.size() + piece.choice};
    // Those of the prompt are long, and stay as they are: once, and with the end.
    SglangOptions options = Options(request);
    options.prompt_logprobs = told_.insert(*news.latest_of).second || ended;
    Json event = SglangAnswer(run, piece.choice, options, tokenizer_);
    if (is_list_ || choices.size() > 1) event["index"] = *news.latest_of;
    AddEvent(event, news.text);
    return news;
  }

  // Those that only score their choices have nothing to say before.
  void End(const Runs& runs, std::string& stream) override {
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (runs[i]->generates()) continue;
      Json event = SglangAnswer(*runs[i], 0, Options(i), tokenizer_);
      if (is_list_) event["index"] = i;
      AddEvent(event, stream);
    }
  }

 private:
  SglangOptions Options(std::size_t request) const {
    return {.id = ids_[request],
            .return_logprob = return_logprob_,
            .text_in_logprobs = text_in_logprobs_,
            .e2e_latency_s = std::chrono::duration<double>(Clock::now() - start_).count()};
  }

  const Tokenizer& tokenizer_;
  const bool is_list_, return_logprob_, text_in_logprobs_;
  const std::vector<std::string> ids_;
  const Clock::time_point start_ = Clock::now();
  std::set<std::size_t> told_;  // choices of which an event was made
};

FieldNames Names() {
  return {{"ids", "input_ids"},
          {"prompt", "text"},
          {"schema", "sampling_params.json_schema"},
          {"json_schema", "sampling_params.json_schema"},
          {"regex", "sampling_params.regex"},
          {"ebnf", "sampling_params.ebnf"}};
}

Result<Asked> Ask(const ServedModel& served, const SglangBody& body, std::uint64_t seed) {
  Asked asked;
  asked.stream = body.stream;
  asked.timeout_s = body.timeout_s;
  asked.headers = IgnoredHeaders(body.unknown);
  asked.names = Names();
  for (const SglangBody::Item& item : body.items) {
    ESP_ASSIGN_OR_RETURN(
        LineRequest request,
        ParseRequestLine(item.line, served.defaults(), SeedOf(seed, asked.requests.size())));
    asked.requests.push_back(std::move(request));
    asked.ids.push_back(item.rid.empty() ? NewId("") : item.rid);
  }
  return asked;
}

Result<Prepared> PrepareGenerate(const ServedModel& served, const Json& json, std::uint64_t seed) {
  ESP_ASSIGN_OR_RETURN(const SglangBody body, ReadSglangBody(json));
  Result<Asked> asked = Ask(served, body, seed);
  if (!asked.ok()) return InNamesOf(Names(), asked.status());
  auto shape = std::make_unique<GenerateShape>(served.tokenizer(), body, asked->ids);
  return Prepared{.asked = *std::move(asked), .shape = std::move(shape)};
}

}  // namespace

void Generate(Service& service, const Exchange& exchange, std::string_view /*id*/) {
  PrepareAndAnswer(service, exchange, PrepareGenerate);
}

}  // namespace espalier::endpoints
