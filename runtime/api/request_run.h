// RequestRun: one request on its way through the engine: its output, the scores of its
// choices, or both.
//
// Thread safety: none; the thread of its EngineClient.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frontend_lang/program/choices.h"
#include "kernels/base/status.h"
#include "runtime/api/request_line.h"
#include "runtime/local/choice_scorer.h"
#include "runtime/local/engine_client.h"
#include "runtime/local/generated.h"

namespace espalier {

class RequestRun {
 public:
  // What one event added to one choice of the output.
  struct Piece {
    std::size_t choice = 0;
    std::string text;
  };
  struct Listener {
    std::function<void(const Piece& piece)> on_piece;  // may be null
    std::function<void()> on_done;                     // once; may destroy the run
  };

  // Starts at once; the listener is called inside the client's Poll or Wait. `client` and
  // `tokenizer` must outlive it; an unfinished run may be destroyed only with its client.
  RequestRun(EngineClient& client, const Tokenizer& tokenizer, LineRequest request,
             Listener listener);
  RequestRun(const RequestRun&) = delete;
  RequestRun& operator=(const RequestRun&) = delete;

  void Cancel();  // it still ends by on_done

  bool done() const { return num_open_ == 0; }
  const Status& status() const { return status_; }  // the first failure

  bool generates() const { return generated_.has_value(); }
  const Generated& generated() const { return *generated_; }  // REQUIRES: generates()
  const Usage& usage() const { return generated_ ? generated_->usage() : score_usage_; }
  std::size_t prompt_tokens() const { return num_prompt_; }  // from the start on
  // Once the choices are scored.
  const std::optional<program::Decision>& decision() const { return decision_; }
  const std::vector<std::string>& choices() const { return choices_; }

 private:
  void OnToken(TokenEvent event);
  void OnScores(ChoiceScores scores);
  void Close(const Status& status);

  EngineClient& client_;
  const Tokenizer& tokenizer_;
  const Listener listener_;
  const program::ChoicesMethod method_;
  int num_open_ = 0;  // parts under way
  Ticket ticket_{};
  std::optional<Generated> generated_;
  std::vector<std::string> choices_;
  std::unique_ptr<ChoiceScorer> scorer_;
  std::optional<program::Decision> decision_;
  std::size_t num_prompt_ = 0;
  Usage score_usage_;
  Status status_;
};

}  // namespace espalier
