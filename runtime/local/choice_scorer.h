// Scoring choices: the log-probability of each choice's tokens after a prompt, and,
// if asked, without it.
//
// The choices are one request of the engine, a token tree: the prompt, and what choices
// begin with in common, run once, and the whole tree in one forward pass where a step has
// room for it.
//
// A choice is tokenized together with the prompt (prompt_pieces.h), which may change the prompt's
// last tokens. All choices are scored over the same text: from the first token that any of them
// changes. Where that is the first of all, which has no probability, the prompt's tokens stay.
//
// Thread safety: none; the thread of its EngineClient.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "frontend_lang/prompt.h"
#include "runtime/engine/request.h"
#include "runtime/local/engine_client.h"

namespace espalier {

enum class Boundary : std::uint8_t { kMayMerge, kStays };  // of the prompt's tokens

struct ScoreRequest {
  Prompt prompt;
  std::vector<std::string> choices;
  Boundary boundary = Boundary::kMayMerge;
  bool unconditional = false;
  std::string cache_salt;
  std::int32_t priority = 0;  // this and the next two as of a GenerateRequest
  std::optional<double> retention_s;
  std::uint64_t arrival = 0;
};

struct ChoiceScores {
  Status status;
  // [choices][tokens]; NaN for the first token of a text.
  std::vector<std::vector<TokenLogprob>> conditional;
  std::vector<std::vector<TokenLogprob>> unconditional;  // empty if not asked
  Usage usage;                                           // of the prompt alone, once
};

class ChoiceScorer {
 public:
  using Done = std::function<void(ChoiceScores scores)>;

  // Starts at once. `done` runs inside the client's Poll or Wait, once, and may
  // destroy the scorer. `client` must outlive it; an unfinished scorer may be
  // destroyed only with its client.
  // REQUIRES: there is a choice, and none is empty.
  ChoiceScorer(EngineClient& client, ScoreRequest request, Done done);
  void Cancel() { client_.Cancel(ticket_); }

 private:
  void OnScore(TokenEvent event);
  void Finish();

  EngineClient& client_;
  const std::size_t num_choices_;
  Done done_;
  ChoiceScores scores_;
  Ticket ticket_{};
  std::size_t num_open_ = 0;  // paths: the choices after the prompt, then those without it
};

}  // namespace espalier
