// PromptState: one running prompt of a program: what is appended, what is generated,
// and the variables that hold it.
//
//   1. Segments are carried out in order; at most one call to the model runs at a time.
//   2. A variable of a gen is known from the moment the gen is appended, and has a
//      value once it is carried out.
//   3. After a failure nothing more is carried out; error() names the gen.
//   4. A fork begins when its parent gets to the fork, with everything up to there.
//   5. A state that streams grows while a gen runs: streamed_text() is text() and what the
//      running gen has said, and the one only ever continues the other.
//
// The Executor alone moves a state forward.
//
// Thread safety: none; one thread a program.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_lang/backend.h"
#include "frontend_lang/chat/chat_format.h"
#include "frontend_lang/program/segment.h"
#include "frontend_lang/script/machine/objects.h"
#include "frontend_lang/trace/trace.h"

namespace espalier::program {

class Fiber;

class PromptState {
 public:
  PromptState(std::uint64_t seed, GenOptions defaults, ProgramCall program)
      : seed_(seed), program_(program), defaults_(std::move(defaults)) {}

  bool idle() const { return started_ && !running_ && pending_.empty(); }
  bool failed() const { return !error_.ok(); }
  const Status& error() const { return error_; }
  bool raised() const { return !raised_.is_unset(); }  // error() is of the program's own
  const Prompt& prompt() const { return text_; }
  std::string text() const { return text_.Text(); }

  // After Stream() the state's function runs in a fiber of its own, beside its readers,
  // until EndFunction().
  void Stream() { streams_ = function_runs_ = true; }
  void SetFunction(const Fiber* fiber) { function_ = fiber; }
  void EndFunction() { function_runs_ = false; }
  bool streams() const { return streams_; }
  bool function_runs() const { return function_runs_; }
  const Fiber* function() const { return function_; }  // null: it has not begun
  // What the running gen has said so far, and the variable that it is for; both may be "".
  std::string_view partial() const {
    return running_ ? std::string_view(running_->partial) : std::string_view();
  }
  std::string_view partial_name() const;
  const std::vector<ChatTurn>& messages() const { return messages_; }
  const CallUsage& usage() const { return usage_; }

  // A variable: null if unknown; Unset while it has no value.
  const lang::Value* Find(std::string_view name) const;
  void Set(std::string_view name, lang::Value value);
  const std::vector<std::string>& names() const { return names_; }  // in order of appearance
  const lang::Value* Meta(std::string_view name) const;             // null: none
  void SetMeta(const std::string& name, lang::Value meta);

  // What the state occupies, apart from the values of its variables.
  std::int64_t SizeBytes() const;
  // What a fork of it occupies at first: it shares the text.
  std::int64_t ForkBytes() const;

  std::uint64_t NextForkSeed() { return 2 * num_forks_++ + 1; }
  std::uint64_t seed() const { return seed_; }
  ProgramCall program() const { return program_; }
  const GenOptions& defaults() const { return defaults_; }
  std::string ForkedText() const { return text_.Text(fork_start_); }
  int number() const { return number_; }  // of the run's states, from 0
  TraceStateId trace_id() const { return trace_id_; }

 private:
  friend class Executor;

  struct Running {
    CallId call{};
    Segment segment;      // GenSegment or SelectSegment
    std::string partial;  // of a gen, in a state that streams
    TraceCallId trace_id = Trace::kNoCall;
    std::size_t told_bytes = 0;  // of its text: what the observer has heard
  };

  const std::uint64_t seed_;
  const ProgramCall program_;  // a fork has its parent's
  const GenOptions defaults_;
  std::uint64_t num_gens_ = 0, num_forks_ = 0;
  bool started_ = true;  // false: a fork that waits for its parent
  bool streams_ = false, function_runs_ = false;
  const Fiber* function_ = nullptr;
  Prompt text_;
  std::size_t fork_start_ = 0;
  std::size_t num_names_at_fork_ = 0;
  std::deque<Segment> pending_;
  std::int64_t pending_bytes_ = 0, messages_bytes_ = 0, names_bytes_ = 0, meta_bytes_ = 0;
  std::int64_t charged_bytes_ = 0;  // of SizeBytes(), to the heap
  std::optional<Running> running_;
  std::map<std::string, lang::Value, std::less<>> variables_, meta_;
  std::vector<std::string> names_;
  std::vector<ChatTurn> messages_;
  std::string role_;        // the open one, or ""
  std::string role_after_;  // the text that will end it
  std::size_t role_start_ = 0;
  std::vector<std::pair<std::string, std::size_t>> scopes_;  // open ones, with their starts
  Status error_;
  lang::Value raised_ = lang::Value::Unset();  // the exception that error_ tells of, if one did
  bool error_seen_ = false;
  CallUsage usage_;
  CallUsage* call_usage_ = nullptr;  // of the call of the program that it belongs to
  int number_ = 0;
  std::size_t told_end_ = 0;  // of text_: what the observer has heard
  TraceStateId trace_id_ = Trace::kNoState;
  std::size_t traced_end_ = 0;  // of text_: what calls in the trace have told
  std::vector<Fiber*> waiters_;
  std::vector<std::function<void()>> watchers_;
};

}  // namespace espalier::program
