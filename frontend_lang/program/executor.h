// Executor: runs the fibers of a program and moves its prompt states forward.
//
// One thread drives all: run every fiber that can run, then wait for the backend or the
// first deadline, then carry out what its news allow. The backend is made when the first
// call needs it. At the run's time limit whatever waits fails.
//
// Thread safety: none; one thread a program.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "frontend_lang/backend.h"
#include "frontend_lang/chat/chat_format.h"
#include "frontend_lang/program/fiber.h"
#include "frontend_lang/program/prompt_state.h"
#include "frontend_lang/program/run_observer.h"
#include "frontend_lang/script/machine/machine.h"
#include "frontend_lang/trace/trace.h"

namespace espalier::program {

struct ExecutorOptions {
  std::uint64_t seed = 0;
  std::function<Result<std::unique_ptr<Backend>>()> make_backend;
  std::function<void(std::string_view)> note;         // one line for stderr; may be null
  std::function<void(int done, int total)> progress;  // of run_batch; may be null
  Trace* trace = nullptr;                             // written to where it is given
  RunObserver* observer = nullptr;                    // told where it is given
  // Sleeps until then; null: the thread does. It may return early.
  std::function<void(std::chrono::steady_clock::time_point)> pause;
  std::function<bool()> stopped;  // whether the run is to stop: asked after each wait; may be null
};

class Executor {
 public:
  Executor(script::Machine& machine, ExecutorOptions options);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  // Runs `body` in a fiber, and whatever it starts, until all fibers have ended and
  // no call is unfinished.
  void Run(std::function<void()> body);

  // ---- For code that runs in a fiber.

  // A fiber of its own, which uses on behalf of whom the current one does; `seed` is the
  // root of its program calls. Beyond kMostFibers it begins when others have ended.
  static constexpr std::size_t kMostFibers = 12'000;
  void Spawn(std::uint64_t seed, std::function<void()> body);
  // Runs the fiber that was spawned last until it waits, unless it has to wait for others.
  void RunNewest();
  Fiber& current() { return *current_; }
  // Waits until `done` holds, looking again whenever `state` changes (or, where it is
  // null, whenever a fiber ends). A limit error when the run is to stop.
  lang::Fault WaitUntil(PromptState* state, const std::function<bool()>& done);

  // Waits until Unpark or the deadline, on the machine's clock(). A limit error when the
  // run is to stop.
  using Sleep = script::Strands::Sleep;
  lang::Fault Park(script::Strands::Deadline deadline, Sleep sleep);
  void Unpark(Fiber& fiber);

  // Calls back once, when `state` next changes.
  void Watch(PromptState& state, std::function<void()> watcher);

  // Runs `work` on the stack that the executor runs on, however deep the fiber is in its
  // own: for what needs more than a fiber may have left.
  void OnOwnStack(const std::function<void()>& work);

  // `name`: of the function that it is for.
  PromptState* NewState(std::uint64_t seed, GenOptions defaults, std::string_view name);
  std::vector<PromptState*> Fork(PromptState& parent, int count);
  void Append(PromptState& state, Segment segment);
  void Set(PromptState& state, std::string_view name, lang::Value value);
  // The value of a variable, as soon as there is one.
  lang::Outcome<lang::Value> Read(PromptState& state, std::string_view name);
  // Waits until everything appended is carried out, and its function, where that runs in
  // another fiber, has ended; the error of a failed state.
  lang::Fault Sync(PromptState& state);
  // The same without the error. A limit error when the run is to stop.
  lang::Fault WaitUntilEnded(PromptState& state);
  // The exception of a failed state, to be raised or given away; a program can catch it,
  // a limit of the backend too. REQUIRES: the state has failed.
  lang::Value ExceptionOf(PromptState& state);
  lang::Fault ErrorOf(PromptState& state);

  // The state fails with what its function raised: whoever reads it gets the exception.
  void FailWith(PromptState& state, lang::Fault fault);
  // The function that was running beside its state's readers has ended.
  void FunctionEnded(PromptState& state);

  // Roles speak in this chat format from now on, whatever the model's own is.
  Status SetChatFormat(std::string_view name);

  Result<Backend*> backend();
  const ExecutorOptions& options() const { return options_; }
  script::Machine& machine() { return machine_; }
  void Note(const std::string& line) const {
    if (options_.note) options_.note(line);
  }
  bool stopping() const { return !abort_.empty(); }
  // Stops everything: fibers that wait get a limit error with this message.
  void Abort(std::string message);
  // The same for the fiber that runs too: its next step is one too many.
  void Stop(std::string message);

 private:
  PromptState* AddState(std::uint64_t seed, GenOptions defaults, ProgramCall program);
  void TraceCall(PromptState& state, Trace::Call call);
  void TellText(PromptState& state, std::string_view variable);
  void TellPiece(PromptState& state, const GenSegment& gen, std::string_view text);
  void Loop();
  void StartFibers();
  void ResumeFiber(Fiber& fiber);
  void WaitForNews();
  void HandleEvents(Backend::Deadline deadline);
  bool MaySkip() const;
  void UnparkDue();
  void Stream(PromptState& state, const CallEvent& event);
  void Finish(PromptState& state, CallEvent& event);
  void FinishGen(PromptState& state, const GenSegment& gen, CallEvent& event);
  void FinishSelect(PromptState& state, const SelectSegment& select, CallEvent& event);
  void Advance(PromptState& state);
  void AdvanceOne(PromptState& state);
  void Charge(PromptState& state);
  void CarryOut(PromptState& state, Segment segment);
  void StartGen(PromptState& state, GenSegment gen);
  void StartSelect(PromptState& state, SelectSegment select);
  Result<TurnText> Around(const PromptState& state, const std::string& role);
  void BeginRole(PromptState& state, const std::string& role);
  void EndRole(PromptState& state, const std::string& role);
  void StartForks(PromptState& parent, const ForkSegment& fork);
  std::vector<std::string> Stops(const GenOptions& options) const;
  void Fail(PromptState& state, const std::string& what, const Status& status);
  void Wake(PromptState& state);
  bool FunctionRunsElsewhere(const PromptState& state) const {
    return state.function_runs() && state.function() != current_;
  }
  Result<const ChatFormat*> roles();
  bool OutOfTime() const;

  script::Machine& machine_;
  const ExecutorOptions options_;
  std::unique_ptr<Backend> backend_;
  std::optional<ChatFormat> roles_;  // the program's choice, or the model's once asked for
  StackPool stacks_;
  struct Unstarted {
    std::uint64_t seed;
    CallUsage* usage;
    std::function<void()> body;
  };
  std::unordered_map<Fiber*, std::unique_ptr<Fiber>> fibers_;
  std::deque<Unstarted> unstarted_;
  std::deque<Fiber*> ready_;
  std::vector<Fiber*> waiting_for_fibers_;
  // By deadline, then by who came first; without a deadline last.
  std::map<std::pair<script::ProgramClock::TimePoint, std::uint64_t>, Fiber*> parked_;
  std::uint64_t num_parks_ = 0;
  int num_real_sleeps_ = 0;   // of parked_: with a deadline that is not to be skipped
  Fiber* current_ = nullptr;  // null: the executor's own stack
  const std::function<void()>* asked_ = nullptr;  // what the fiber wants done there
  std::vector<std::unique_ptr<PromptState>> states_;
  std::uint64_t num_programs_ = 0;        // called
  std::map<CallId, PromptState*> calls_;  // unfinished
  std::deque<PromptState*> to_advance_;
  bool advancing_ = false;
  std::string abort_;  // why everything stops, or ""
};

}  // namespace espalier::program
