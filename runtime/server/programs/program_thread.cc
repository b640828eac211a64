#include "runtime/server/programs/program_thread.h"

#include <poll.h>

#include <algorithm>
#include <optional>
#include <utility>

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>

#include "frontend_lang/script/values/stack_limit.h"

namespace espalier {
namespace {

using Clock = std::chrono::steady_clock;

// Memory that is not touched is not taken. A program's own fibers have their own stacks.
constexpr std::size_t kStackBytes = std::size_t{4} << 20;
constexpr std::size_t kMostSeats = 256;  // further runs wait for their turn

}  // namespace

class ProgramThread::Seat final : public ProgramSeat {
 public:
  Seat(RunId run, Body body, std::shared_ptr<std::atomic<bool>> cancel,
       std::shared_ptr<const WakeFd> wake)
      : run_(run), body_(std::move(body)), cancel_(std::move(cancel)) {
    outbox_ = std::make_shared<Outbox>([news = news_, wake = std::move(wake)] {
      *news = true;
      wake->Wake();
    });
    boost::context::protected_fixedsize_stack stacks(kStackBytes);
    const boost::context::stack_context stack = stacks.allocate();
    stack_low_ = static_cast<const char*>(stack.sp) - stack.size;
    inside_ = boost::context::fiber(std::allocator_arg,
                                    boost::context::preallocated(stack.sp, stack.size, stack),
                                    stacks, [this](boost::context::fiber&& outside) {
                                      outside_ = std::move(outside);
                                      body_(*this);
                                      done_ = true;
                                      return std::move(outside_);
                                    });
  }

  // For the thread.
  RunId run() const { return run_; }
  bool done() const { return done_; }
  std::optional<Clock::time_point> until() const { return until_; }
  bool Ready() const {
    return !begun_ || *news_ || NewlyCancelled() || (until_ && Clock::now() >= *until_);
  }
  void Resume() {
    begun_ = true;
    const lang::OnStack on_stack(stack_low_, stack_depth_);
    inside_ = std::move(inside_).resume();
  }

  // For the run.
  std::shared_ptr<Outbox> outbox() override { return outbox_; }
  std::vector<TokenEvent> Take() override { return outbox_->TakeAll(); }
  bool Wait(Deadline deadline) override {
    while (!news_->exchange(false)) {
      if (NewlyCancelled()) {
        cancel_seen_ = true;
        return false;
      }
      if (deadline && Clock::now() >= *deadline) return false;
      Suspend(deadline);
    }
    return true;
  }
  void Pause(Clock::time_point until) override {
    while (Clock::now() < until && !cancelled()) Suspend(until);
  }
  bool cancelled() const override { return *cancel_; }
  void OnWait(std::function<void()> on_wait) override { on_wait_ = std::move(on_wait); }

 private:
  // The run is told once; after that it waits for the last events of what it has cancelled.
  bool NewlyCancelled() const { return *cancel_ && !cancel_seen_; }

  void Suspend(Deadline until) {
    if (on_wait_) on_wait_();
    until_ = until;
    outside_ = std::move(outside_).resume();
  }

  const RunId run_;
  const Body body_;
  const std::shared_ptr<std::atomic<bool>> cancel_;
  // The engine may push a last time while the seat goes.
  const std::shared_ptr<std::atomic<bool>> news_ = std::make_shared<std::atomic<bool>>(false);
  std::shared_ptr<Outbox> outbox_;
  std::function<void()> on_wait_;
  std::optional<Clock::time_point> until_;
  bool begun_ = false, done_ = false, cancel_seen_ = false;
  const void* stack_low_ = nullptr;
  int stack_depth_ = 0;
  boost::context::fiber inside_, outside_;
};

Result<std::unique_ptr<ProgramThread>> ProgramThread::Open() {
  std::unique_ptr<ProgramThread> thread(new ProgramThread);
  ESP_RETURN_IF_ERROR(thread->wake_->Open());
  thread->thread_ = std::thread([&own = *thread] { own.Run(); });
  return thread;
}

ProgramThread::~ProgramThread() {
  if (!thread_.joinable()) return;
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    for (const auto& [run, cancel] : cancels_) *cancel = true;
  }
  wake_->Wake();
  thread_.join();
}

ProgramThread::RunId ProgramThread::Start(Body body) {
  RunId run{};
  {
    const MutexLock lock(mutex_);
    run = RunId{++last_run_};
    cancels_.emplace(run, std::make_shared<std::atomic<bool>>(stopping_));
    started_.emplace_back(run, std::move(body));
  }
  wake_->Wake();
  return run;
}

void ProgramThread::Cancel(RunId run) {
  {
    const MutexLock lock(mutex_);
    const auto found = cancels_.find(run);
    if (found == cancels_.end()) return;
    *found->second = true;
  }
  wake_->Wake();
}

void ProgramThread::TakeStarted() {
  const MutexLock lock(mutex_);
  const std::size_t num_free = kMostSeats - seats_.size();
  const auto end =
      started_.begin() + static_cast<std::ptrdiff_t>(std::min(num_free, started_.size()));
  for (auto at = started_.begin(); at != end; ++at) {
    seats_.push_back(
        std::make_unique<Seat>(at->first, std::move(at->second), cancels_.at(at->first), wake_));
  }
  started_.erase(started_.begin(), end);
}

void ProgramThread::ResumeAll() {
  for (const auto& seat : seats_) {
    if (seat->Ready()) seat->Resume();
  }
  const MutexLock lock(mutex_);
  for (const auto& seat : seats_) {
    if (seat->done()) cancels_.erase(seat->run());
  }
  std::erase_if(seats_, [](const auto& seat) { return seat->done(); });
}

bool ProgramThread::Idle() {
  const bool any_ready =
      std::any_of(seats_.begin(), seats_.end(), [](const auto& seat) { return seat->Ready(); });
  const MutexLock lock(mutex_);
  return !any_ready && (started_.empty() || seats_.size() == kMostSeats);
}

bool ProgramThread::Stopped() {
  const MutexLock lock(mutex_);
  return stopping_ && seats_.empty() && started_.empty();
}

void ProgramThread::Run() {
  while (!Stopped()) {
    wake_->Clear();
    TakeStarted();
    ResumeAll();
    WakeFd::Deadline next;
    for (const auto& seat : seats_) {
      if (seat->until()) next = next ? std::min(*next, *seat->until()) : *seat->until();
    }
    if (Idle() && !Stopped()) wake_->Wait(next);
  }
}

}  // namespace espalier
