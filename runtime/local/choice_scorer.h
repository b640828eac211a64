// Scoring choices: the log-probability of each choice's tokens after a prompt, and,
// if asked, without it.
//
// The prompt runs first, alone; then all choices at once find it in the prefix
// cache, so it is computed once however many choices there are. A choice is
// tokenized together with the prompt (prompt_pieces.h).
//
// Thread safety: none; the thread of its EngineClient.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "frontend_lang/prompt.h"
#include "runtime/engine/request.h"
#include "runtime/local/engine_client.h"

namespace espalier {

struct ScoreRequest {
  Prompt prompt;
  std::vector<std::string> choices;
  bool unconditional = false;
  std::string cache_salt;
};

struct ChoiceScores {
  Status status;
  // [choices][tokens of the choice]; NaN for the first token of a text.
  std::vector<std::vector<TokenLogprob>> conditional;
  std::vector<std::vector<TokenLogprob>> unconditional;  // empty if not asked
  Usage usage;  // the prompt once; cached_tokens is what the first pass found of it
};

class ChoiceScorer {
 public:
  using Done = std::function<void(ChoiceScores scores)>;

  // Starts at once. `done` runs inside the client's Poll or Wait, once, and may
  // destroy the scorer. `client` must outlive it; an unfinished scorer may be
  // destroyed only with its client.
  // REQUIRES: there is a choice, and none is empty.
  ChoiceScorer(EngineClient& client, ScoreRequest request, Done done);
  void Cancel();

 private:
  void OnPrompt(TokenEvent event);
  void SubmitChoices();
  void Finish();
  void OnScore(std::vector<TokenLogprob>& to, TokenEvent event);
  void Submit(std::vector<TokenId> tokens, std::optional<std::int32_t> logprob_start,
              EngineClient::Sink sink);

  EngineClient& client_;
  const std::uint64_t group_;
  ScoreRequest request_;
  Done done_;
  std::vector<TokenId> prompt_tokens_;
  ChoiceScores scores_;
  std::vector<Ticket> open_;
  std::size_t num_open_ = 0;
};

}  // namespace espalier
