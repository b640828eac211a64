// POST /v1/completions: OpenAI's.
#include <memory>
#include <utility>

#include "runtime/api/openai_answer.h"
#include "runtime/server/endpoints/endpoints.h"
#include "runtime/server/endpoints/ignored_fields.h"
#include "runtime/server/endpoints/openai_shape.h"
#include "runtime/server/endpoints/preparation.h"

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

Result<Completion> Ask(const ServedModel& served, const OpenAiBody& body, const std::string& id,
                       std::uint64_t seed) {
  Completion completion;
  completion.asked.stream = body.stream;
  completion.asked.timeout_s = body.timeout_s;
  completion.asked.headers = IgnoredHeaders(body.unknown);
  completion.asked.names = body.renamed;
  for (const Json& prompt : body.prompts) {
    Json line = body.line;
    line[prompt.is_array() ? "ids" : "prompt"] = prompt;
    if (body.echo && line.value("return_logprob", false)) line["logprob_start_len"] = 0;
    ESP_ASSIGN_OR_RETURN(
        LineRequest request,
        ParseRequestLine(line, served.defaults(), SeedOf(seed, completion.asked.requests.size())));
    if (body.echo) {
      completion.echoes.push_back(
          prompt.is_string()
              ? prompt.get<std::string>()
              : served.tokenizer().Decode(request.generate->prompt, SpecialTokens::kParse));
    }
    completion.asked.requests.push_back(std::move(request));
    completion.asked.ids.push_back(body.request_id.empty() ? id : body.request_id);
  }
  return completion;
}

Result<Prepared> PrepareCompletion(const ServedModel& served, const Json& json,
                                   std::uint64_t seed) {
  ESP_ASSIGN_OR_RETURN(const OpenAiBody body, ReadOpenAiBody(OpenAiApi::kCompletions, json));
  ESP_RETURN_IF_ERROR(CheckModel(served, body.model));
  OpenAiHead head = HeadOf(served, body, "cmpl-");
  head.object = head.chunk_object = "text_completion";
  Result<Completion> completion = Ask(served, body, head.id, seed);
  if (!completion.ok()) return InNamesOf(body.renamed, completion.status());
  auto shape = std::make_unique<CompletionShape>(std::move(head), served.tokenizer(),
                                                 std::move(completion->echoes));
  return Prepared{.asked = std::move(completion->asked), .shape = std::move(shape)};
}

}  // namespace

void Completions(Service& service, const Exchange& exchange, std::string_view /*id*/) {
  PrepareAndAnswer(service, exchange, PrepareCompletion);
}

}  // namespace espalier::endpoints
