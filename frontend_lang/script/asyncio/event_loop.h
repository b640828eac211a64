// EventLoop: what asyncio.run drives. Callbacks run in the order in which they became
// ready; a timer is ready when nothing else is.
//
// Its clock counts callbacks and the time that the program has waited, not how long the
// code between takes, so that a program which only sleeps always does the same. While it
// waits the other strands run (see Strands).
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "frontend_lang/script/machine/machine.h"

namespace espalier::script::asyncio {

class Future;
class Task;

class EventLoop final : public lang::Extension {
 public:
  using Action = std::function<Fault(Machine&)>;
  // When a timer is due, and which of those due then.
  using TimerId = std::pair<double, std::uint64_t>;

  static constexpr std::int64_t kActionBytes = 128;  // about

  explicit EventLoop(Heap& heap) : Extension(heap, lang::Type::kExtension) {}

  ~EventLoop() override { EventLoop::Clear(); }

  std::string_view TypeName() const override { return "_UnixSelectorEventLoop"; }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;

  void CallSoon(Action action) {
    heap().ChargeOutside(kActionBytes);
    ready_.push_back(std::move(action));
  }
  TimerId CallLater(double delay_seconds, Action action);
  void CancelTimer(const TimerId& timer) {
    if (timers_.erase(timer) > 0) heap().ChargeOutside(-kActionBytes);
  }
  double time() const { return now_; }

  Value NewFuture();
  // The coroutine as a task that runs from the next round on.
  Value NewTask(const Value& coroutine, std::string_view name = {});
  // The awaitable itself where it is a future, otherwise as a task.
  Outcome<Value> Ensure(Machine& machine, const Value& awaitable);

  // Runs until the future is done, and gives its result.
  Outcome<Value> RunUntil(Machine& machine, const Value& future);
  // The same for an awaitable, as the loop of the machine's task.
  Outcome<Value> RunAsCurrent(Machine& machine, const Value& awaitable);
  // Cancels all tasks and runs until they have ended.
  Fault CancelAll(Machine& machine);
  bool running() const { return running_; }
  bool closed() const { return closed_; }
  void Close() { closed_ = true; }

  // A function that runs beside the loop; `future` gets what it returns.
  void RunBeside(Machine& machine, const Value& future, std::function<Outcome<Value>()> body);
  // Something outside the loop will call Post, once: the loop may wait for it.
  void ExpectPost() { ++num_expected_; }
  // From outside: the action runs in the next round. REQUIRES: it was expected.
  void Post(Action action);

  Value current_task;                    // whose step runs now, or None
  std::map<std::uint64_t, Value> tasks;  // not yet done, by number

 private:
  void Clear() override;
  Outcome<bool> RunOnce(Machine& machine);
  Fault WaitForNews(Machine& machine);
  void SyncClock(Machine& machine);

  std::deque<Action> ready_;
  std::map<TimerId, Action> timers_;
  double now_ = 0;
  std::optional<ProgramClock::Duration> waited_;  // of the program's time: what now_ counts
  std::uint64_t num_timers_ = 0, num_tasks_ = 0;
  int num_expected_ = 0;        // calls of Post
  std::function<void()> wake_;  // while it waits for them
  // As CPython's pool of threads: a function begins at once in a new one, but one that is
  // idle takes it when the loop next waits.
  int num_workers_ = 0, num_busy_ = 0;
  bool running_ = false, closed_ = false;
};

// The running loop, or null.
EventLoop* RunningLoop(Machine& machine);
// The same; a RuntimeError when there is none.
Outcome<EventLoop*> NeedLoop(Host& host);

}  // namespace espalier::script::asyncio
