// SglangBackend: the program language's Backend on a server that speaks SGLang's own
// protocol (POST /generate): SGLang, or another Espalier.
//
// A gen of one choice is streamed. A select is scored as SGLang's own client does it:
// how long is the prompt, then the log-probabilities of prompt + choice from two tokens
// before the prompt's end (tokens may join there), then, where the rule needs it, those
// of the choices' tokens alone.
//
// Source: SGLang, frontend runtime_endpoint (procedure of select, fields of /generate).
//
// Thread safety: none; one thread.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "frontend_lang/http/server_backend.h"

namespace espalier {

class SglangBackend final : public ServerBackend {
 public:
  // `model_facts` is what GET /get_model_info gave.
  SglangBackend(std::unique_ptr<HttpClient> client, nlohmann::json model_facts);

  CallId Start(GenCall call) override;
  CallId Start(ScoreCall call) override;
  Result<ChatModel> Chat() override;
  Status FlushCache() override;
  Result<std::vector<std::pair<std::string, std::string>>> ServerFacts() override;

 private:
  struct Scoring;

  Json Sampling(const GenOptions& options, std::uint64_t seed) const;
  void ScoreChoices(const std::shared_ptr<Scoring>& scoring, std::int64_t prompt_tokens);
  void ScoreAlone(const std::shared_ptr<Scoring>& scoring);

  const nlohmann::json model_facts_;
  bool takes_seeds_ = false;  // sampling_seed, which older servers refuse
};

}  // namespace espalier
