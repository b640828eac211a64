// Backend: what a program needs of a model. runtime implements it in process;
// frontend_lang implements it over HTTP; tests script a fake one.
//
// Calls run concurrently: Start returns at once, Wait gives what happened since. Those
// started between two Waits are a round: a backend does well to look at them together.
// All of a call's events come in order, the last one with done = true. What may wait has a
// deadline; where that passes a question fails with kLimit.
//
// Thread safety: none; one thread drives a program and its backend.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend_lang/chat/chat_turn.h"
#include "frontend_lang/prompt.h"
#include "kernels/base/status.h"

namespace espalier {

enum class CallId : std::uint64_t {};

// What a gen may say. Unset fields take the backend's defaults.
struct GenOptions {
  std::optional<int> max_tokens, min_tokens, n, top_k, top_logprobs_num, logprob_start_len;
  std::optional<double> temperature, top_p, min_p;
  std::optional<double> frequency_penalty, presence_penalty, repetition_penalty;
  std::optional<bool> ignore_eos, complete, return_logprob, return_text_in_logprobs;
  std::vector<std::string> stop, stop_regex;
  std::vector<int> stop_token_ids;
  std::optional<std::string> regex, json_schema, ebnf;  // at most one
};

// A hint: which call of a program this is for, counted from 1 as they began; 0: not known.
// A program's later calls may go by when it began: it will be done with what it holds the
// sooner.
enum class ProgramCall : std::uint64_t {};

struct GenCall {
  Prompt prompt;  // the whole text so far; special tokens in it are parsed
  GenOptions options;
  std::uint64_t seed = 0;
  // Where the backend takes messages and the prompt is in roles: the conversation, the
  // message that the gen is part of last, with what it holds so far.
  std::vector<ChatTurn> messages;
  ProgramCall program{};
};

// Log-probabilities of each choice's tokens after `prompt`.
struct ScoreCall {
  Prompt prompt;
  std::vector<std::string> choices;
  bool unconditional = false;  // also without the prompt
  ProgramCall program{};
};

struct CallUsage {
  std::int64_t prompt_tokens = 0, cached_tokens = 0, completion_tokens = 0, forced_tokens = 0,
               accepted_draft_tokens = 0;
};

struct ScoredToken {
  std::optional<double> logprob;  // unset: the first token of a text
  int token = 0;
  std::string text;
};

struct GenOutput {  // one choice of a gen
  std::string text;
  std::vector<int> tokens;           // those that it was generated as; empty: not known
  std::string finish_reason;         // "stop", "length", "abort"
  std::string matched_stop;          // the stop string that ended it, or
  std::optional<int> matched_token;  // the stop token
  std::vector<ScoredToken> logprobs;
  std::vector<std::vector<ScoredToken>> top_logprobs;
};

struct CallEvent {
  CallId call{};
  std::string text;  // increment of choice 0; whole characters
  bool done = false;
  // The rest comes with done.
  Status status;
  std::vector<GenOutput> outputs;                         // GenCall: n of them
  std::vector<ScoredToken> prompt_logprobs;               // from logprob_start_len on
  std::vector<std::vector<ScoredToken>> choice_logprobs;  // ScoreCall: one a choice
  std::vector<std::vector<ScoredToken>> unconditional_logprobs;
  CallUsage usage;
};

class Backend {
 public:
  // When to stop waiting; unset: never.
  using Deadline = std::optional<std::chrono::steady_clock::time_point>;

  virtual ~Backend() = default;

  // Whether a gen's call wants GenCall::messages.
  virtual bool takes_messages() const { return false; }

  // Never blocks. A refused call answers by an event with a status.
  virtual CallId Start(GenCall call) = 0;
  virtual CallId Start(ScoreCall call) = 0;
  virtual void Cancel(CallId call) = 0;  // its last event still comes

  // Blocks until a started call has news, or gives none at the deadline. REQUIRES: a call
  // is unfinished.
  virtual std::vector<CallEvent> Wait(Deadline deadline) = 0;

  // The model's chat template (Jinja) and the strings it may name.
  struct ChatModel {
    std::string chat_template;  // empty: the model has none, or it is not known
    std::string chat_format;    // then: a name that ChatFormat knows, or ""
    std::string bos, eos;
    std::string name;
  };
  virtual Result<ChatModel> Chat(Deadline deadline) = 0;

  virtual Status FlushCache(Deadline deadline) = 0;
  using Facts = std::vector<std::pair<std::string, std::string>>;
  virtual Result<Facts> ServerFacts(Deadline deadline) = 0;
};

}  // namespace espalier
