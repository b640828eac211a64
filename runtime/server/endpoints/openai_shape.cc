#include "runtime/server/endpoints/openai_shape.h"

#include <utility>

#include <fmt/format.h>

#include "runtime/api/openai_answer.h"
#include "runtime/api/result_json.h"
#include "runtime/server/request_id.h"

namespace espalier::endpoints {
namespace {

using Json = nlohmann::ordered_json;

std::vector<Usage> UsagesOf(const Runs& runs) {
  std::vector<Usage> usages;
  for (const auto& run : runs) usages.push_back(run->usage());
  return usages;
}

// Its members behind those of `to`.
void Append(Json&& members, Json& to) {
  for (auto& [name, value] : members.items()) to[name] = std::move(value);
}

// Where choices were given: how likely each is, as SGLang's answers have it.
void AddScores(const Runs& runs, Json& answer) {
  Json scores = Json::array();
  for (const auto& run : runs) {
    if (run->decision()) scores.push_back(ChoicesJson(run->choices(), *run->decision()));
  }
  if (scores.empty()) return;
  answer["meta_info"]["choices"] = runs.size() == 1 ? scores.front() : scores;
}

}  // namespace

Json OpenAiShape::Head(std::string_view object) const {
  return {{"id", head_.id},
          {"object", object},
          {"created", head_.created_s},
          {"model", head_.model},
          {"system_fingerprint", nullptr}};
}

Result<Json> OpenAiShape::Whole(const Runs& runs) {
  Json choices = Json::array();
  for (std::size_t request = 0; request < runs.size(); ++request) {
    for (const GeneratedChoice& choice : runs[request]->generated().choices()) {
      Json json = OpenAiChoice(choices.size(), choice);
      Append(Choice(*runs[request], request, choice), json);
      choices.push_back(std::move(json));
    }
  }
  Json answer = Head(head_.object);
  answer["choices"] = std::move(choices);
  answer["usage"] = OpenAiUsage(UsagesOf(runs));
  answer["seed"] = static_cast<std::int64_t>(runs.front()->generated().seed());
  AddScores(runs, answer);
  return answer;
}

OpenAiShape::Sent& OpenAiShape::SentOf(std::size_t index) {
  if (sent_.size() <= index) sent_.resize(index + 1);
  return sent_[index];
}

AnswerShape::News OpenAiShape::Piece(const RequestRun& run, std::size_t request,
                                     const RequestRun::Piece& piece) {
  const std::vector<GeneratedChoice>& choices = run.generated().choices();
  const GeneratedChoice& choice = choices[piece.choice];
  const bool ended = choice.finish != FinishReason::kNone;
  if (piece.text.empty() && !ended) return {};
  const std::size_t index = request * choices.size() + piece.choice;
  Sent& sent = SentOf(index);
  Json json = OpenAiChoice(index, choice);
  Append(ChunkChoice(run, request,
                     {.index = index,
                      .choice = &choice,
                      .text = piece.text,
                      .is_first = !std::exchange(sent.any, true),
                      .logprobs = std::span(choice.logprobs).subspan(sent.num_logprobs)}),
         json);
  sent.num_logprobs = choice.logprobs.size();
  Json chunk = Head(head_.chunk_object);
  chunk["choices"] = Json::array({std::move(json)});
  if (head_.include_usage) chunk["usage"] = nullptr;
  News news;
  AddEvent(chunk, news.text);
  return news;
}

void OpenAiShape::End(const Runs& runs, std::string& stream) {
  if (!head_.include_usage) return;
  Json chunk = Head(head_.chunk_object);
  AddScores(runs, chunk);
  chunk["choices"] = Json::array();
  chunk["usage"] = OpenAiUsage(UsagesOf(runs));
  AddEvent(chunk, stream);
}

OpenAiHead HeadOf(const ServedModel& served, const OpenAiBody& body, std::string_view id_prefix) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return {.id = NewId(id_prefix),
          .created_s = std::chrono::duration_cast<std::chrono::seconds>(now).count(),
          .model = served.name(),
          .include_usage = body.include_usage};
}

Status CheckModel(const ServedModel& served, const std::string& model) {
  if (model.empty() || model == served.name() || model == "default") return Status();
  return Status(Code::kNotFound, fmt::format("model '{}' is not served here; '{}' is",
                                             model.substr(0, 200), served.name()));
}

}  // namespace espalier::endpoints
