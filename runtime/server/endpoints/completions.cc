// POST /v1/completions: OpenAI's.
#include <memory>
#include <utility>

#include "runtime/api/openai_answer.h"
#include "runtime/server/endpoints/endpoints.h"
#include "runtime/server/endpoints/openai_shape.h"
#include "runtime/server/generation.h"

namespace espalier::endpoints {
namespace {

using Json = nlohmann::ordered_json;

class CompletionShape : public OpenAiShape {
 public:
  // `echoes`: what each request's text begins with, if the body asks for its prompt.
  CompletionShape(OpenAiHead head, const Tokenizer& tokenizer, std::vector<std::string> echoes)
      : OpenAiShape(std::move(head), tokenizer), echoes_(std::move(echoes)) {}

 protected:
  Json Choice(const RequestRun& run, std::size_t request, const GeneratedChoice& choice) override {
    const std::string echo = EchoOf(request);
    return {{"text", echo + choice.text},
            {"logprobs", Logprobs(run, choice.logprobs, !echo.empty(), 0)}};
  }

  Json ChunkChoice(const RequestRun& run, std::size_t request, const Chunk& news) override {
    const std::string echo = news.is_first ? EchoOf(request) : "";
    return {{"text", echo + news.text},
            {"logprobs", Logprobs(run, news.logprobs, !echo.empty(), Advance(run, news))}};
  }

 private:
  // Where the tokens of a chunk begin in the choice's text, which is told chunk by chunk.
  std::size_t Advance(const RequestRun& run, const Chunk& news) {
    if (ends_.size() <= news.index) ends_.resize(news.index + 1);
    const std::size_t start = ends_[news.index];
    const auto add = [&](std::span<const TokenLogprob> tokens) {
      for (const TokenLogprob& token : tokens) {
        ends_[news.index] += NumCharacters(token.token, tokenizer());
      }
    };
    if (news.is_first && !echoes_.empty()) add(run.generated().prompt_logprobs());
    add(news.logprobs);
    return start;
  }

  std::string EchoOf(std::size_t request) const { return echoes_.empty() ? "" : echoes_[request]; }

  Json Logprobs(const RequestRun& run, std::span<const TokenLogprob> output, bool with_prompt,
                std::size_t offset) const {
    std::vector<TokenLogprob> tokens;
    if (with_prompt) tokens = run.generated().prompt_logprobs();
    tokens.insert(tokens.end(), output.begin(), output.end());
    return tokens.empty() ? Json(nullptr) : CompletionLogprobs(tokens, offset, tokenizer());
  }

  const std::vector<std::string> echoes_;
  std::vector<std::size_t> ends_;  // of the tokens told, by index of the choice; in characters
};

struct Completion {
  Asked asked;
  std::vector<std::string> echoes;
};

Result<Completion> Ask(Service& service, const OpenAiBody& body, const std::string& id) {
  Completion completion;
  completion.asked.stream = body.stream;
  completion.asked.headers = HeadersFor(body);
  completion.asked.names = body.renamed;
  for (const Json& prompt : body.prompts) {
    Json line = body.line;
    line[prompt.is_array() ? "ids" : "prompt"] = prompt;
    if (body.echo && line.value("return_logprob", false)) line["logprob_start_len"] = 0;
    ESP_ASSIGN_OR_RETURN(LineRequest request,
                         ParseRequestLine(line, service.defaults(), service.NextSeed()));
    if (body.echo) {
      completion.echoes.push_back(
          prompt.is_string()
              ? prompt.get<std::string>()
              : service.tokenizer().Decode(request.generate->prompt, SpecialTokens::kParse));
    }
    completion.asked.requests.push_back(std::move(request));
    completion.asked.ids.push_back(body.request_id.empty() ? id : body.request_id);
  }
  return completion;
}

}  // namespace

void Completions(Service& service, const Exchange& exchange, std::string_view /*id*/) {
  const Result<Json> json = BodyJson(*exchange);
  if (!json.ok()) return Refuse(*exchange, json.status());
  const Result<OpenAiBody> body = ReadOpenAiBody(OpenAiApi::kCompletions, *json);
  if (!body.ok()) return Refuse(*exchange, body.status());
  if (Status status = CheckModel(service, *body); !status.ok()) {
    return RefuseModel(*exchange, status);
  }
  OpenAiHead head = HeadOf(service, *body, "cmpl-");
  head.object = head.chunk_object = "text_completion";
  Result<Completion> completion = Ask(service, *body, head.id);
  if (!completion.ok()) return Refuse(*exchange, InNamesOf(body->renamed, completion.status()));
  auto shape = std::make_unique<CompletionShape>(std::move(head), service.tokenizer(),
                                                 std::move(completion->echoes));
  StartGeneration(service, exchange, std::move(completion->asked), std::move(shape));
}

}  // namespace espalier::endpoints
