// wait_for (waiting.h), step by step as CPython 3.11 does it.
#include <memory>
#include <optional>
#include <utility>

#include "frontend_lang/script/asyncio/waiting.h"
#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/machine/error_object.h"

namespace espalier::script::asyncio {

EventLoop::Action Release(const Value& future, const Value& result) {
  return [=](Machine&) -> Fault {
    if (!AsFuture(future)->done()) AsFuture(future)->SetResult(result);
    return Fault();
  };
}

namespace {

using Given = NativeCoroutine::Given;

// wait_for: waits for the future or the time, whichever comes first.
struct Timed {
  enum class Phase { kStart, kWaiting, kCancelling };

  Value awaitable, future, waiter;
  std::optional<double> seconds;
  EventLoop::TimerId timer;
  std::uint64_t callback = 0;
  Phase phase = Phase::kStart;
  Value cancelled = Value::Unset();  // what cancelled the wait itself

  Outcome<bool> Start(Machine& machine, Value& next);
  Outcome<bool> Woken(Machine& machine, const Given& given, Value& next);
  Outcome<bool> GiveUp(Machine& machine, Value& next);
  Outcome<bool> Ended(Machine& machine, Value& next);
};

Outcome<bool> Timed::Start(Machine& machine, Value& next) {
  ESP_TRY_ASSIGN(EventLoop* const loop, NeedLoop(machine));
  ESP_TRY_ASSIGN(future, loop->Ensure(machine, awaitable));
  next = future;
  phase = Phase::kWaiting;
  if (!seconds) {
    waiter = future;
    return true;
  }
  waiter = loop->NewFuture();
  if (*seconds <= 0) {
    if (!AsFuture(future)->done()) return GiveUp(machine, next);
    return Ended(machine, next);
  }
  timer = loop->CallLater(*seconds, Release(waiter, Value()));
  callback = AsFuture(future)->AddCallback(
      [waiter = waiter](Machine& on, const Value&) { return Release(waiter, Value())(on); });
  next = waiter;
  return true;
}

Outcome<bool> Timed::Woken(Machine& machine, const Given& given, Value& next) {
  if (seconds) AsFuture(future)->loop().CancelTimer(timer);
  if (AsFuture(future)->done()) return Ended(machine, next);
  if (!given.error.is_unset()) {
    if (!seconds) return Throwing(given.error);
    cancelled = given.error;
  }
  AsFuture(future)->RemoveCallback(callback);
  return GiveUp(machine, next);
}

// Cancels the future and waits for its end.
Outcome<bool> Timed::GiveUp(Machine&, Value& next) {
  phase = Phase::kCancelling;
  EventLoop& loop = AsFuture(future)->loop();
  waiter = loop.NewFuture();
  AsFuture(future)->AddCallback(
      [waiter = waiter](Machine& on, const Value&) { return Release(waiter, Value())(on); });
  AsFuture(future)->Cancel(Value::Unset());
  next = waiter;
  return true;
}

Outcome<bool> Timed::Ended(Machine& machine, Value& next) {
  if (!cancelled.is_unset()) return Throwing(cancelled);
  auto result = AsFuture(future)->Result(machine);
  if (result.ok()) {
    next = std::move(*result);
    return false;
  }
  Fault fault = result.TakeFault();
  if (phase != Phase::kCancelling || !IsA(fault.error(), "CancelledError")) return fault;
  Value error = NewError(machine.heap(), "TimeoutError");
  auto& object = *Exactly<ErrorObject>(error);
  object.cause = fault.error().object;
  object.suppress_context = true;
  return Throwing(std::move(error));
}

}  // namespace

Outcome<Value> WaitFor(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(auto bound, BindArguments("wait_for", args, {"fut", "timeout"}, 2));
  auto timed = std::make_shared<Timed>();
  timed->awaitable = bound[0];
  if (!bound[1].is_none()) {
    ESP_TRY_ASSIGN(timed->seconds, SecondsOf(bound[1]));
  }
  return host.heap().New<NativeCoroutine>(
      [timed](Machine& machine, const Given& given, Value& next) {
        switch (timed->phase) {
          case Timed::Phase::kStart: return timed->Start(machine, next);
          case Timed::Phase::kWaiting: return timed->Woken(machine, given, next);
          default: return timed->Ended(machine, next);
        }
      });
}

}  // namespace espalier::script::asyncio
