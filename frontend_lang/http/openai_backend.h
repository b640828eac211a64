// OpenAiBackend: the program language's Backend on a server that speaks OpenAI's protocol.
//
// A prompt in roles goes to /v1/chat/completions, any other to /v1/completions. What the
// protocol has no words for is refused by name: regex, ebnf, top_k and so on, a
// json_schema outside chat, and a gen that goes on within an assistant's message.
// select asks /v1/completions to echo prompt + choice with log-probabilities.
//
// Source: OpenAI API reference, completions and chat completions.
//
// Thread safety: none; one thread.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "frontend_lang/http/server_backend.h"

namespace espalier {

class OpenAiBackend final : public ServerBackend {
 public:
  // `model`: the name that requests bear.
  OpenAiBackend(std::unique_ptr<HttpClient> client, std::string model)
      : ServerBackend(std::move(client)), model_(std::move(model)) {}

  bool takes_messages() const override { return true; }
  CallId Start(GenCall call) override;
  CallId Start(ScoreCall call) override;
  Result<ChatModel> Chat(Deadline deadline) override;
  Status FlushCache(Deadline deadline) override;
  Result<Facts> ServerFacts(Deadline deadline) override;

 private:
  Result<Json> Body(const GenCall& call);
  void ScoreTexts(CallId id, std::shared_ptr<CallEvent> event, const ScoreCall& call);

  const std::string model_;
};

}  // namespace espalier
