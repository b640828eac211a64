#include "frontend_lang/script/asyncio/event_loop.h"
#include "frontend_lang/script/asyncio/waiting.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>

#include "frontend_lang/script/asyncio/future.h"
#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/values/repr.h"

namespace espalier::script::asyncio {
namespace {

constexpr double kCallbackSeconds = 1e-6;  // what each callback seems to take

EventLoop& SelfOf(const Value& self) { return *static_cast<EventLoop*>(self.object()); }

Outcome<Value> RunUntilComplete(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("run_until_complete", args, 1, 1));
  return SelfOf(self).RunAsCurrent(static_cast<Machine&>(host), args.positional[0]);
}

Outcome<Value> CreateTask(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(auto bound, BindArguments("create_task", args, {"coro", "name"}, 1));
  return SelfOf(self).Ensure(static_cast<Machine&>(host), bound[0]);
}

Outcome<Value> CreateFuture(Host&, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("create_future", args, 0, 0));
  return SelfOf(self).NewFuture();
}

// function(args...) as a callback
EventLoop::Action CallOf(std::span<const Value> call) {
  return [values = std::vector<Value>(call.begin(), call.end())](Machine& machine) -> Fault {
    auto result = machine.Call(values[0], Args{std::span(values).subspan(1), {}});
    return result.ok() ? Fault() : result.TakeFault();
  };
}

Outcome<Value> CallSoonMethod(Host&, const Value& self, const Args& args) {
  if (args.positional.empty()) return lang::TypeError("call_soon() needs a callback");
  SelfOf(self).CallSoon(CallOf(args.positional));
  return Value();
}

Outcome<Value> CallLaterMethod(Host&, const Value& self, const Args& args) {
  if (args.positional.size() < 2) {
    return lang::TypeError("call_later() needs a delay and a callback");
  }
  ESP_TRY_ASSIGN(const double delay_s, SecondsOf(args.positional[0]));
  SelfOf(self).CallLater(delay_s, CallOf(args.positional.subspan(1)));
  return Value();
}

Outcome<Value> TimeMethod(Host&, const Value& self, const Args&) {
  return Value::Float(SelfOf(self).time());
}
Outcome<Value> IsRunning(Host&, const Value& self, const Args&) {
  return Value::Bool(SelfOf(self).running());
}
Outcome<Value> IsClosed(Host&, const Value& self, const Args&) {
  return Value::Bool(SelfOf(self).closed());
}
Outcome<Value> CloseMethod(Host&, const Value& self, const Args&) {
  SelfOf(self).Close();
  return Value();
}

// run_in_executor(executor, function, *args)
Outcome<Value> RunInExecutor(Host& host, const Value& self, const Args& args) {
  if (args.positional.size() < 2) return lang::TypeError("run_in_executor() needs a function");
  auto& machine = static_cast<Machine&>(host);
  Value future = SelfOf(self).NewFuture();
  std::vector<Value> call(args.positional.begin() + 1, args.positional.end());
  SelfOf(self).RunBeside(machine, future, [&machine, call = std::move(call)] {
    return machine.Call(call[0], Args{std::span(call).subspan(1), {}});
  });
  return future;
}

constexpr std::pair<std::string_view, lang::NativeCode> kMethods[] = {
    {"run_until_complete", RunUntilComplete},
    {"create_task", CreateTask},
    {"create_future", CreateFuture},
    {"call_soon", CallSoonMethod},
    {"call_later", CallLaterMethod},
    {"time", TimeMethod},
    {"is_running", IsRunning},
    {"is_closed", IsClosed},
    {"close", CloseMethod},
    {"run_in_executor", RunInExecutor},
};

}  // namespace

Outcome<Value> EventLoop::GetAttr(Host&, std::string_view name) {
  for (const auto& [method, code] : kMethods) {
    if (method == name) return heap().New<lang::NativeFunction>(method, code, Value(this));
  }
  return Value::Unset();
}

void EventLoop::Clear() {
  heap().ChargeOutside(-kActionBytes * static_cast<std::int64_t>(ready_.size() + timers_.size()));
  ready_.clear();
  timers_.clear();
  tasks.clear();
  current_task = Value();
}

EventLoop::TimerId EventLoop::CallLater(double delay_seconds, Action action) {
  const TimerId id{now_ + std::max(delay_seconds, 0.0), num_timers_++};
  heap().ChargeOutside(kActionBytes);
  timers_.emplace(id, std::move(action));
  return id;
}

Value EventLoop::NewFuture() { return heap().New<Future>(*this); }

Value EventLoop::NewTask(const Value& coroutine, std::string_view name) {
  const std::uint64_t number = ++num_tasks_;
  const std::string given = name.empty() ? "Task-" + std::to_string(number) : std::string(name);
  Value task = heap().New<Task>(*this, coroutine, number, given);
  tasks.emplace(number, task);
  static_cast<Task*>(task.object())->StepSoon(Value::Unset());
  return task;
}

Outcome<Value> EventLoop::Ensure(Machine& machine, const Value& awaitable) {
  if (AsFuture(awaitable) != nullptr) return awaitable;
  const auto* generator = Exactly<Generator>(awaitable);
  if ((generator != nullptr && generator->is_coroutine()) ||
      Exactly<NativeCoroutine>(awaitable) != nullptr) {
    return NewTask(awaitable);
  }
  if (generator == nullptr && machine.HasSpecial(awaitable, "__await__")) {
    ESP_TRY_ASSIGN(const Value iterator, machine.AwaitIterator(awaitable));
    if (iterator.IfExtension<Resumable>() != nullptr) return NewTask(iterator);
    return NewTask(heap().New<NativeCoroutine>(
        [iterator](Machine& on, const NativeCoroutine::Given& given, Value& next) {
          return StepAwaited(on, iterator, given, next);
        }));
  }
  return lang::TypeError("An asyncio.Future, a coroutine or an awaitable is required");
}

void EventLoop::SyncClock(Machine& machine) {
  const ProgramClock::Duration waited = machine.clock().waited();
  now_ += std::chrono::duration<double>(waited - waited_.value_or(waited)).count();
  waited_ = waited;
}

// Until the next timer, or the next Post. As CPython it sleeps whole milliseconds, so timers
// that are due at about the same time come in one round.
Fault EventLoop::WaitForNews(Machine& machine) {
  ESP_TRY(machine.Step());
  Strands::Deadline deadline;
  ProgramClock::Duration left{};
  if (!timers_.empty()) {
    constexpr double kLongest = 1e9;
    const double seconds = std::min(timers_.begin()->first.first - now_, kLongest);
    left = std::chrono::ceil<std::chrono::milliseconds>(std::chrono::duration<double>(seconds));
    deadline = machine.clock().Now() + left;
  }
  if (machine.strands() != nullptr) {
    ESP_TRY(machine.strands()->Wait(wake_, deadline, Strands::Sleep::kSkipped));
  } else {
    machine.clock().Skip(left);
  }
  SyncClock(machine);
  return Fault();
}

// One round: what is ready at its beginning. False when there was nothing to do.
Outcome<bool> EventLoop::RunOnce(Machine& machine) {
  SyncClock(machine);
  if (num_expected_ > 0 && !ready_.empty()) {  // the others' turn, without waiting
    ESP_TRY(machine.strands()->Wait(wake_, machine.clock().Now(), Strands::Sleep::kSkipped));
  }
  while (ready_.empty() && (num_expected_ > 0 || !timers_.empty()) &&
         !(!timers_.empty() && timers_.begin()->first.first <= now_)) {
    ESP_TRY(WaitForNews(machine));
  }
  while (!timers_.empty() && timers_.begin()->first.first <= now_) {
    ready_.push_back(std::move(timers_.begin()->second));
    timers_.erase(timers_.begin());
  }
  if (ready_.empty()) return false;
  for (std::size_t count = ready_.size(); count > 0 && !ready_.empty(); --count) {
    ESP_TRY(machine.Step());
    const Action action = std::move(ready_.front());
    ready_.pop_front();
    heap().ChargeOutside(-kActionBytes);
    now_ += kCallbackSeconds;
    ESP_TRY(action(machine));
  }
  return true;
}

Outcome<Value> EventLoop::RunUntil(Machine& machine, const Value& future) {
  const Value held(this);
  while (!AsFuture(future)->done()) {
    ESP_TRY_ASSIGN(const bool did, RunOnce(machine));
    if (!did) {
      return lang::Raise("RuntimeError", "asyncio waits for something that nothing will do");
    }
  }
  return AsFuture(future)->Result(machine);
}

Outcome<Value> EventLoop::RunAsCurrent(Machine& machine, const Value& awaitable) {
  if (closed_) return lang::Raise("RuntimeError", "Event loop is closed");
  if (running_) return lang::Raise("RuntimeError", "This event loop is already running");
  if (RunningLoop(machine) != nullptr) {
    return lang::Raise("RuntimeError", "Cannot run the event loop while another loop is running");
  }
  ESP_TRY_ASSIGN(const Value future, Ensure(machine, awaitable));
  const Value outer = std::exchange(machine.task().event_loop, Value(this));
  running_ = true;
  auto result = RunUntil(machine, future);
  running_ = false;
  machine.task().event_loop = outer;
  return result;
}

Fault EventLoop::CancelAll(Machine& machine) {
  if (tasks.empty()) return Fault();
  const Value outer = std::exchange(machine.task().event_loop, Value(this));
  std::vector<Value> all;
  for (const auto& [number, task] : tasks) all.push_back(task);
  for (const Value& task : all) AsFuture(task)->Cancel(Value::Unset());
  Fault fault;
  while (fault.ok() && !tasks.empty()) {
    auto did = RunOnce(machine);
    if (!did.ok()) {
      fault = did.TakeFault();
    } else if (!*did) {
      break;
    }
  }
  machine.task().event_loop = outer;
  return fault;
}

void EventLoop::Post(Action action) {
  --num_expected_;
  CallSoon(std::move(action));
  if (wake_) wake_();
}

void EventLoop::RunBeside(Machine& machine, const Value& future,
                          std::function<Outcome<Value>()> body) {
  const auto settle = [](const Value& to, Machine& on, Outcome<Value> outcome) {
    Future& target = *AsFuture(to);
    if (target.done()) return;
    if (outcome.ok()) return target.SetResult(std::move(*outcome));
    Fault fault = outcome.TakeFault();
    on.ObjectOf(fault.error());
    target.SetError(fault.error().object);
  };
  if (machine.strands() == nullptr) {
    return CallSoon([=, body = std::move(body)](Machine& on) -> Fault {
      settle(future, on, body());
      return Fault();
    });
  }
  ExpectPost();
  const Value held(this);
  const bool is_new = num_busy_++ == num_workers_;
  if (is_new) ++num_workers_;
  const auto run = [=, this, &machine, body = std::move(body)] {
    auto outcome = body();
    --num_busy_;
    static_cast<EventLoop*>(held.object())
        ->Post([=, outcome =
                       std::make_shared<Outcome<Value>>(std::move(outcome))](Machine& on) -> Fault {
          settle(future, on, std::move(*outcome));
          return Fault();
        });
  };
  machine.strands()->Start(run, is_new ? Strands::Begin::kNow : Strands::Begin::kLater);
}

EventLoop* RunningLoop(Machine& machine) { return Exactly<EventLoop>(machine.task().event_loop); }

Outcome<EventLoop*> NeedLoop(Host& host) {
  EventLoop* loop = RunningLoop(static_cast<Machine&>(host));
  if (loop == nullptr) return lang::Raise("RuntimeError", "no running event loop");
  return loop;
}

}  // namespace espalier::script::asyncio
