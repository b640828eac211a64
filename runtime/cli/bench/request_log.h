// RequestLog: what a run's requests were and when they were answered, as their client saw it.
//
// Times are of the clock that is handed in. First-token latency counts from when a request
// was submitted to its first token, or its end where it has none: queueing counts. Latency
// between tokens is that of one event to the next, a token's share of it.
//
// Thread safety: none.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "runtime/cli/bench/prompt_sharing.h"
#include "runtime/local/engine_client.h"

namespace espalier {

class RequestLog final : public RequestObserver {
 public:
  using Clock = std::function<double()>;  // seconds from some start
  explicit RequestLog(Clock clock) : clock_(std::move(clock)) {}

  void Submitted(Ticket ticket, const GenerateRequest& request) override;
  void Happened(Ticket ticket, const TokenEvent& event) override;

  const PromptSharing& sharing() const { return sharing_; }
  const std::vector<double>& first_token_s() const { return first_token_s_; }
  const std::vector<double>& between_tokens_s() const { return between_tokens_s_; }
  std::int64_t num_choices() const { return num_choices_; }  // that have ended
  std::int64_t output_tokens() const { return output_tokens_; }
  std::int64_t forced_tokens() const { return forced_tokens_; }
  // Of the first choice that ended with one.
  const Status& error() const { return error_; }
  // How many choices had at least so many tokens of their prompt from the cache.
  std::int64_t NumCached(std::int32_t num_tokens) const;

 private:
  struct Choice {
    std::vector<TokenId> prompt, output;  // of a path: the tokens that run
    double last_s = 0;                    // its last event, or when it was submitted
  };
  struct Open {
    std::vector<Choice> choices;
    bool is_tree = false;
    bool has_first = false;
    std::size_t num_ended = 0;
  };

  void End(Ticket ticket, const Open& request, Choice& choice, const TokenEvent& last);

  const Clock clock_;
  std::unordered_map<std::uint64_t, Open> open_;  // by ticket
  PromptSharing sharing_;
  std::vector<double> first_token_s_, between_tokens_s_;
  std::vector<std::int32_t> cached_;  // of each choice's prompt
  std::int64_t num_choices_ = 0, output_tokens_ = 0, forced_tokens_ = 0;
  Status error_;
};

}  // namespace espalier
