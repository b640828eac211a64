// Generated: what one request has produced, put together from its events.
//
// Thread safety: none on one object.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/engine/request.h"
#include "runtime/tokenizer/detokenizer.h"

namespace espalier {

// "stop", "length", "abort", "error"; "" while it goes on.
std::string_view FinishName(FinishReason reason);

struct GeneratedChoice {
  std::string text;  // whole characters
  std::vector<TokenId> tokens;
  std::vector<TokenLogprob> logprobs;  // of `tokens`, if asked
  FinishReason finish = FinishReason::kNone;
  std::string matched_stop;
  TokenId matched_token = -1;
  std::vector<float> embedding;  // of the prompt, if asked
};

class Generated {
 public:
  explicit Generated(std::int32_t num_choices)
      : choices_(static_cast<std::size_t>(num_choices)), detokenizers_(choices_.size()) {}

  // Takes the event in. Returns the text that it added to its choice.
  std::string Add(TokenEvent event);

  bool done() const { return num_done_ == choices_.size(); }
  const std::vector<GeneratedChoice>& choices() const { return choices_; }
  const std::vector<TokenLogprob>& prompt_logprobs() const { return prompt_logprobs_; }
  // The prompt counted once, completions summed over the choices.
  const Usage& usage() const { return usage_; }
  std::uint64_t seed() const { return seed_; }
  // The first choice's that failed or was cancelled; ok if none was.
  const Status& status() const { return status_; }

 private:
  void Finish(GeneratedChoice& choice, const TokenEvent& event);

  std::vector<GeneratedChoice> choices_;
  std::vector<Detokenizer> detokenizers_;  // one a choice
  std::vector<TokenLogprob> prompt_logprobs_;
  std::size_t num_done_ = 0;
  Usage usage_;
  std::uint64_t seed_ = 0;
  Status status_;
};

}  // namespace espalier
