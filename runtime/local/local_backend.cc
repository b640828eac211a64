#include "runtime/local/local_backend.h"

#include <fmt/format.h>

#include "runtime/local/gen_options.h"
#include "runtime/local/prompt_pieces.h"
#include "runtime/local/token_text.h"

namespace espalier {
namespace {

std::uint64_t Key(CallId call) { return static_cast<std::uint64_t>(call); }

CallUsage ToCallUsage(const Usage& usage) {
  return {usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens, usage.forced_tokens,
          usage.accepted_draft_tokens};
}

Status CheckChoices(const ScoreCall& call) {
  if (call.choices.empty()) return {Code::kInvalidArgument, "select: there are no choices"};
  for (std::size_t i = 0; i < call.choices.size(); ++i) {
    const std::string what = fmt::format("select: choice {}", i + 1);
    if (call.choices[i].empty()) return {Code::kInvalidArgument, what + " is empty"};
    ESP_RETURN_IF_ERROR(CheckUtf8(call.choices[i], what));
  }
  return CheckPieces(call.prompt, "select: the prompt");
}

}  // namespace

void LocalBackend::Refuse(CallId call, Status status) {
  CallEvent event;
  event.call = call;
  event.done = true;
  event.status = std::move(status);
  news_.push_back(std::move(event));
}

// When the program began.
std::uint64_t LocalBackend::ArrivalOf(ProgramCall program) {
  constexpr std::size_t kMostPrograms = 4096;  // a forgotten one counts as new
  if (program == ProgramCall{}) return 0;
  const std::uint64_t arrival =
      arrivals_.try_emplace(program, model_->engine().num_submitted() + 1).first->second;
  if (arrivals_.size() > kMostPrograms) arrivals_.erase(arrivals_.begin());
  return arrival;
}

Result<GenerateRequest> LocalBackend::ToRequest(const GenCall& call) const {
  ESP_RETURN_IF_ERROR(CheckPieces(call.prompt, "gen: the prompt"));
  GenerateRequest request;
  ESP_ASSIGN_OR_RETURN(request.sampling, ToSamplingParams(call.options));
  request.constraint = ToConstraint(call.options);
  request.sampling.seed = call.seed;
  request.prompt = EncodePieces(model_->tokenizer(), call.prompt);
  return request;
}

CallId LocalBackend::Start(GenCall call) {
  const CallId id = NextCall();
  Result<GenerateRequest> request = ToRequest(call);
  if (!request.ok()) {
    Refuse(id, request.status());
    return id;
  }
  request->arrival = ArrivalOf(call.program);
  Gen& gen = gens_.emplace(Key(id), Gen{{}, Generated(request->sampling.n)}).first->second;
  gen.ticket = client_.Submit(std::move(request).value(),
                              [this, id](TokenEvent event) { OnToken(id, std::move(event)); });
  return id;
}

CallId LocalBackend::Start(ScoreCall call) {
  const CallId id = NextCall();
  if (Status status = CheckChoices(call); !status.ok()) {
    Refuse(id, std::move(status));
    return id;
  }
  ScoreRequest request{.prompt = std::move(call.prompt),
                       .choices = std::move(call.choices),
                       .unconditional = call.unconditional,
                       .arrival = ArrivalOf(call.program)};
  scorers_[Key(id)] = std::make_unique<ChoiceScorer>(
      client_, std::move(request),
      [this, id](ChoiceScores scores) { OnScores(id, std::move(scores)); });
  return id;
}

void LocalBackend::Cancel(CallId call) {
  if (const auto gen = gens_.find(Key(call)); gen != gens_.end()) {
    client_.Cancel(gen->second.ticket);
  }
  if (const auto scorer = scorers_.find(Key(call)); scorer != scorers_.end()) {
    scorer->second->Cancel();
  }
}

std::vector<CallEvent> LocalBackend::Wait(Deadline deadline) {
  if (!news_.empty()) client_.Poll();
  while (news_.empty() && client_.Wait(deadline)) {
  }
  return std::exchange(news_, {});
}

void LocalBackend::OnToken(CallId call, TokenEvent event) {
  const auto found = gens_.find(Key(call));
  Generated& generated = found->second.generated;
  const bool is_first = event.choice == 0;
  CallEvent news;
  news.call = call;
  std::string text = generated.Add(std::move(event));
  if (is_first) news.text = std::move(text);
  if (!generated.done()) {
    if (!news.text.empty()) news_.push_back(std::move(news));
    return;
  }
  news.done = true;
  news.status = generated.status();
  news.usage = ToCallUsage(generated.usage());
  news.prompt_logprobs = ToScored(generated.prompt_logprobs(), model_->tokenizer());
  for (const GeneratedChoice& choice : generated.choices()) {
    news.outputs.push_back(ToOutput(choice));
  }
  gens_.erase(found);
  news_.push_back(std::move(news));
}

void LocalBackend::OnScores(CallId call, ChoiceScores scores) {
  CallEvent news;
  news.call = call;
  news.done = true;
  news.status = std::move(scores.status);
  news.usage = ToCallUsage(scores.usage);
  for (const auto& tokens : scores.conditional)
    news.choice_logprobs.push_back(ToScored(tokens, model_->tokenizer()));
  for (const auto& tokens : scores.unconditional) {
    news.unconditional_logprobs.push_back(ToScored(tokens, model_->tokenizer()));
  }
  scorers_.erase(Key(call));
  news_.push_back(std::move(news));
}

GenOutput LocalBackend::ToOutput(const GeneratedChoice& choice) const {
  GenOutput output;
  output.text = choice.text;
  output.tokens = choice.tokens;
  output.finish_reason = FinishName(choice.finish);
  output.matched_stop = choice.matched_stop;
  if (choice.matched_token >= 0) output.matched_token = choice.matched_token;
  output.logprobs = ToScored(choice.logprobs, model_->tokenizer());
  for (const TokenLogprob& token : choice.logprobs) {
    std::vector<ScoredToken>& top = output.top_logprobs.emplace_back();
    for (const auto& [id, logprob] : token.top) {
      top.push_back({logprob, id, TokenText(model_->tokenizer(), id)});
    }
  }
  return output;
}

Result<Backend::ChatModel> LocalBackend::Chat(Deadline) {
  return ChatModelOf(model_->gguf(), model_->tokenizer(), model_->name());
}

Status LocalBackend::FlushCache(Deadline) {
  model_->engine().FlushCache();
  return Status();
}

Result<Backend::Facts> LocalBackend::ServerFacts(Deadline) {
  return Facts{
      {"model_path", model_->name()},
      {"context_length", fmt::format("{}", model_->context_length())},
      {"max_total_num_tokens", fmt::format("{}", model_->kv_cache().tokens)},
  };
}

}  // namespace espalier
