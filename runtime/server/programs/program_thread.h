// ProgramThread: the one thread that served programs run on, many at a time.
//
// A run is a function in a fiber with a stack of its own. It holds the thread until it
// waits for the engine (or sleeps), at its seat; meanwhile others run. The engine pushes a
// run's events to its seat's outbox, which wakes the thread.
//
// A run that computes holds up the others for as long as its limits let it.
//
// Thread safety: Start and Cancel are thread-safe; a seat is for its own run.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <unordered_map>
#include <vector>

#include "kernels/base/mutex.h"
#include "kernels/base/status.h"
#include "runtime/local/event_port.h"
#include "runtime/local/wake_fd.h"

namespace espalier {

// Where a run waits.
class ProgramSeat : public EventPort {
 public:
  // Lets the others run until then, or until Cancel.
  virtual void Pause(std::chrono::steady_clock::time_point until) = 0;
  virtual bool cancelled() const = 0;
  // Called whenever the run is about to wait.
  virtual void OnWait(std::function<void()> on_wait) = 0;
};

class ProgramThread {
 public:
  enum class RunId : std::uint64_t {};
  using Body = std::function<void(ProgramSeat& seat)>;

  // Starts it. kOverloaded if this process has no file descriptor left.
  static Result<std::unique_ptr<ProgramThread>> Open();
  // Cancels what runs, and waits for its end.
  ~ProgramThread();

  RunId Start(Body body);
  // The run's next wait, or the one that it is in, ends at once. Unknown ones are ignored.
  void Cancel(RunId run);

 private:
  class Seat;
  ProgramThread() = default;

  void Run();
  void TakeStarted();
  void ResumeAll();
  bool Idle();     // no run has something to do now
  bool Stopped();  // nor will any

  const std::shared_ptr<WakeFd> wake_ = std::make_shared<WakeFd>();  // the engine keeps it too
  Mutex mutex_;
  std::uint64_t last_run_ ESP_GUARDED_BY(mutex_) = 0;
  bool stopping_ ESP_GUARDED_BY(mutex_) = false;
  std::vector<std::pair<RunId, Body>> started_ ESP_GUARDED_BY(mutex_);
  std::unordered_map<RunId, std::shared_ptr<std::atomic<bool>>> cancels_ ESP_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<Seat>> seats_;  // the thread's own
  std::thread thread_;
};

}  // namespace espalier
