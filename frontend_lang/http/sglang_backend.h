// SglangBackend: the program language's Backend on a server that speaks SGLang's own
// protocol (POST /generate): SGLang, or another Espalier.
//
// A gen of one choice is streamed. A select is scored as SGLang's own client does it:
// how long is the prompt, then the log-probabilities of prompt + choice from two tokens
// before the prompt's end (tokens may join there), then, where the rule needs it, those
// of the choices' tokens alone.
//
// Calls go out as rounds: what the prompts of a round share is computed first (call_round.h).
//
// Source: SGLang, frontend runtime_endpoint (procedure of select, fields of /generate).
//
// Thread safety: none; one thread.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "frontend_lang/http/call_round.h"
#include "frontend_lang/http/server_backend.h"

namespace espalier {

class SglangBackend final : public ServerBackend {
 public:
  // `model_facts` is what GET /get_model_info gave. Asks the server for more, until the
  // deadline.
  SglangBackend(std::unique_ptr<HttpClient> client, nlohmann::json model_facts, Deadline deadline);

  CallId Start(GenCall call) override;
  CallId Start(ScoreCall call) override;
  void Cancel(CallId call) override;
  std::vector<CallEvent> Wait(Deadline deadline) override;
  Result<ChatModel> Chat(Deadline deadline) override;
  Status FlushCache(Deadline deadline) override;
  Result<Facts> ServerFacts(Deadline deadline) override;

 private:
  struct Scoring;

  Json Sampling(const GenOptions& options, std::uint64_t seed) const;
  void SendRound();
  void Send(CallId id, const GenCall& call);
  void ScorePrompt(const std::shared_ptr<Scoring>& scoring);
  void ScoreChoices(const std::shared_ptr<Scoring>& scoring, std::int64_t prompt_tokens);
  void ScoreAlone(const std::shared_ptr<Scoring>& scoring);

  const nlohmann::json model_facts_;
  bool takes_seeds_ = false;                      // sampling_seed, which older servers refuse
  CallRound round_;                               // since the last Wait
  std::vector<std::shared_ptr<CallRound>> held_;  // until what they share has been computed
  std::string known_text_;                        // what last was
};

}  // namespace espalier
