#include "frontend_lang/script/asyncio/future.h"

#include <algorithm>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/machine/error_object.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/stack_limit.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script::asyncio {
namespace {

// What await takes from a Future: the Future itself, until it is done.
class FutureWait final : public Resumable {
 public:
  FutureWait(Heap& heap, Value future) : Resumable(heap), future_(std::move(future)) {}

  std::string_view TypeName() const override { return "FutureIter"; }
  Outcome<bool> Send(Host& host, Value, Value& value) override {
    Future& future = *AsFuture(future_);
    if (future.done()) {
      ESP_TRY_ASSIGN(value, future.Result(host));
      return false;
    }
    if (std::exchange(given_, true)) {
      return lang::Raise("RuntimeError", "await wasn't used with future");
    }
    value = future_;
    return true;
  }
  Outcome<bool> Throw(Host&, Value error, Value&) override { return Throwing(std::move(error)); }

 private:
  void Clear() override { future_ = Value(); }

  Value future_;
  bool given_ = false;
};

Future& SelfOf(const Value& self) { return *static_cast<Future*>(self.object()); }
Task& TaskOf(const Value& self) { return *static_cast<Task*>(self.object()); }

Fault Invalid(std::string message) { return lang::Raise("InvalidStateError", std::move(message)); }

Outcome<Value> Done(Host&, const Value& self, const Args&) {
  return Value::Bool(SelfOf(self).done());
}
Outcome<Value> Cancelled(Host&, const Value& self, const Args&) {
  return Value::Bool(SelfOf(self).state() == Future::State::kCancelled);
}
Outcome<Value> ResultMethod(Host& host, const Value& self, const Args&) {
  if (!SelfOf(self).done()) return Invalid("Result is not set.");
  return SelfOf(self).Result(host);
}
Outcome<Value> ExceptionMethod(Host& host, const Value& self, const Args&) {
  Future& future = SelfOf(self);
  if (!future.done()) return Invalid("Exception is not set.");
  if (future.state() == Future::State::kCancelled) return future.Result(host);
  return future.error().is_unset() ? Value() : future.error();
}
Outcome<Value> CancelMethod(Host&, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(auto bound, BindArguments("cancel", args, {"msg"}, 0));
  return Value::Bool(SelfOf(self).Cancel(bound[0]));
}
Outcome<Value> SetResultMethod(Host&, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("set_result", args, 1, 1));
  if (SelfOf(self).done()) return Invalid("invalid state");
  SelfOf(self).SetResult(args.positional[0]);
  return Value();
}
Outcome<Value> SetExceptionMethod(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("set_exception", args, 1, 1));
  if (SelfOf(self).done()) return Invalid("invalid state");
  ESP_TRY_ASSIGN(Value error, static_cast<Machine&>(host).ErrorFrom(args.positional[0]));
  SelfOf(self).SetError(std::move(error));
  return Value();
}
Outcome<Value> AddDoneCallback(Host&, const Value& self, const Args& args) {
  if (args.positional.size() != 1) return lang::TypeError("add_done_callback() needs a function");
  SelfOf(self).AddCallback(
      [function = args.positional[0]](Machine& machine, const Value& future) -> Fault {
        auto result = machine.Call(function, Args{{&future, 1}, {}});
        return result.ok() ? Fault() : result.TakeFault();
      });
  return Value();
}
Outcome<Value> AwaitMethod(Host& host, const Value& self, const Args&) {
  return host.heap().New<FutureWait>(self);
}
Outcome<Value> GetName(Host& host, const Value& self, const Args&) {
  return lang::MakeStr(host.heap(), TaskOf(self).name());
}
Outcome<Value> SetNameMethod(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("set_name", args, 1, 1));
  ESP_TRY_ASSIGN(std::string name, lang::Text(host, args.positional[0]));
  TaskOf(self).SetName(std::move(name));
  return Value();
}
Outcome<Value> GetCoroutine(Host&, const Value& self, const Args&) {
  return TaskOf(self).coroutine();
}

constexpr std::pair<std::string_view, lang::NativeCode> kMethods[] = {
    {"done", Done},
    {"cancelled", Cancelled},
    {"result", ResultMethod},
    {"exception", ExceptionMethod},
    {"cancel", CancelMethod},
    {"set_result", SetResultMethod},
    {"set_exception", SetExceptionMethod},
    {"add_done_callback", AddDoneCallback},
    {"__await__", AwaitMethod},
};
constexpr std::pair<std::string_view, lang::NativeCode> kTaskMethods[] = {
    {"get_name", GetName}, {"set_name", SetNameMethod}, {"get_coro", GetCoroutine}};

}  // namespace

Future* AsFuture(const Value& value) { return value.IfExtension<Future>(); }

Fault Throwing(Value error) {
  const auto* object = Exactly<ErrorObject>(error);
  if (object == nullptr) return lang::Raise("RuntimeError", "");
  return Fault(lang::LangError{std::string(object->kind().name), object->message,
                               lang::LangError::Kind::kRaised, std::move(error)});
}

Value NewError(Heap& heap, std::string_view kind, std::vector<Value> args) {
  return heap.New<ErrorObject>(*FindErrorKind(kind), std::move(args));
}

// ---- Future.

Outcome<std::string> Future::Repr(Host&) {
  const std::string_view state = state_ == State::kPending     ? "pending"
                                 : state_ == State::kCancelled ? "cancelled"
                                                               : "finished";
  return "<" + std::string(TypeName()) + " " + std::string(state) + ">";
}

Outcome<Value> Future::GetAttr(Host& host, std::string_view name) {
  for (const auto& [method, code] : kMethods) {
    if (method == name) return host.heap().New<lang::NativeFunction>(method, code, Value(this));
  }
  return Value::Unset();
}

void Future::Finish(State state) {
  state_ = state;
  const Value self(this);
  heap().ChargeOutside(-EventLoop::kActionBytes * static_cast<std::int64_t>(callbacks_.size()));
  for (auto& [number, callback] : std::exchange(callbacks_, {})) {
    loop().CallSoon([self, callback = std::move(callback)](Machine& machine) {
      return callback(machine, self);
    });
  }
}

void Future::SetResult(Value result) {
  result_ = std::move(result);
  Finish(State::kFinished);
}

void Future::SetError(Value error) {
  error_ = std::move(error);
  Finish(State::kFinished);
}

bool Future::Cancel(const Value& message) {
  if (done()) return false;
  cancel_message_ = message;
  Finish(State::kCancelled);
  return true;
}

Outcome<Value> Future::Result(Host& host) {
  if (state_ == State::kCancelled) {
    std::vector<Value> args;
    if (!cancel_message_.is_unset() && !cancel_message_.is_none()) args.push_back(cancel_message_);
    return Throwing(NewError(host.heap(), "CancelledError", std::move(args)));
  }
  if (!error_.is_unset()) return Throwing(error_);
  return result_;
}

std::uint64_t Future::AddCallback(Callback callback) {
  const std::uint64_t number = num_callbacks_++;
  if (done()) {
    const Value self(this);
    loop().CallSoon([self, callback = std::move(callback)](Machine& machine) {
      return callback(machine, self);
    });
  } else {
    heap().ChargeOutside(EventLoop::kActionBytes);
    callbacks_.emplace_back(number, std::move(callback));
  }
  return number;
}

void Future::RemoveCallback(std::uint64_t number) {
  const auto erased =
      std::erase_if(callbacks_, [number](const auto& entry) { return entry.first == number; });
  heap().ChargeOutside(-EventLoop::kActionBytes * static_cast<std::int64_t>(erased));
}

void Future::Clear() {
  heap().ChargeOutside(-EventLoop::kActionBytes * static_cast<std::int64_t>(callbacks_.size()));
  callbacks_.clear();
  result_ = Value();
  error_ = cancel_message_ = Value::Unset();
}

// ---- Task: as CPython's, step by step, so that callbacks come in the same order.

Outcome<Value> Task::GetAttr(Host& host, std::string_view name) {
  for (const auto& [method, code] : kTaskMethods) {
    if (method == name) return host.heap().New<lang::NativeFunction>(method, code, Value(this));
  }
  return Future::GetAttr(host, name);
}

void Task::Clear() {
  coroutine_ = awaited_ = Value();
  Future::Clear();
}

void Task::StepSoon(Value error) {
  const Value self(this);
  loop().CallSoon([self, error = std::move(error)](Machine& machine) {
    return static_cast<Task*>(self.object())->Step(machine, error);
  });
}

bool Task::Cancel(const Value& message) {
  if (done()) return false;
  // A chain of waiting tasks may be longer than the stack: then the cancel comes with the
  // next step.
  Future* awaited = AsFuture(awaited_);
  if (awaited != nullptr && lang::StackHasRoom() && awaited->Cancel(message)) return true;
  must_cancel_ = true;
  cancel_message_ = message;
  return true;
}

Fault Task::Step(Machine& machine, Value error) {
  const Value held(this);
  if (done()) return Fault();
  if (std::exchange(must_cancel_, false) && (error.is_unset() || !IsA(error, "CancelledError"))) {
    std::vector<Value> args;
    if (!cancel_message_.is_unset() && !cancel_message_.is_none()) args.push_back(cancel_message_);
    error = NewError(machine.heap(), "CancelledError", std::move(args));
  }
  awaited_ = Value();
  const Value outer = std::exchange(loop().current_task, Value(this));
  auto* coroutine = static_cast<Resumable*>(coroutine_.object());
  Value value;
  Outcome<bool> outcome = error.is_unset() ? coroutine->Send(machine, Value(), value)
                                           : coroutine->Throw(machine, error, value);
  loop().current_task = outer;
  return Settle(machine, std::move(outcome), std::move(value));
}

Fault Task::Settle(Machine& machine, Outcome<bool> outcome, Value value) {
  if (outcome.ok() && *outcome) return WaitFor(machine, std::move(value));
  loop().tasks.erase(number_);
  if (!outcome.ok()) return End(machine, outcome.TakeFault());
  if (std::exchange(must_cancel_, false)) {
    Future::Cancel(cancel_message_);
  } else {
    SetResult(std::move(value));
  }
  return Fault();
}

Fault Task::End(Machine& machine, Fault fault) {
  if (fault.error().kind == lang::LangError::Kind::kLimit) return fault;
  machine.ObjectOf(fault.error());
  const Value error = fault.error().object;
  if (IsA(error, "CancelledError")) {
    Future::Cancel(cancel_message_);
    return Fault();
  }
  SetError(error);
  if (IsA(error, "KeyboardInterrupt") || IsA(error, "SystemExit")) return fault;
  return Fault();
}

Fault Task::WaitFor(Machine& machine, Value awaited) {
  Future* future = AsFuture(awaited);
  if (future == nullptr) {
    if (awaited.is_none()) {
      StepSoon(Value::Unset());
    } else {
      StepSoon(NewError(heap(), "RuntimeError",
                        {lang::MakeStr(heap(), std::string_view("Task got bad yield"))}));
    }
    return Fault();
  }
  const Value self(this);
  if (future == this) {
    ESP_TRY_ASSIGN(const std::string text, Repr(machine));
    StepSoon(NewError(heap(), "RuntimeError",
                      {lang::MakeStr(heap(), "Task cannot await on itself: " + text)}));
    return Fault();
  }
  future->AddCallback([self](Machine& machine, const Value& done) -> Fault {
    Value error = Value::Unset();
    auto result = AsFuture(done)->Result(machine);
    if (!result.ok()) {
      Fault fault = result.TakeFault();
      machine.ObjectOf(fault.error());
      error = fault.error().object;
    }
    return static_cast<Task*>(self.object())->Step(machine, std::move(error));
  });
  awaited_ = std::move(awaited);
  if (must_cancel_ && future->Cancel(cancel_message_)) must_cancel_ = false;
  return Fault();
}

// ---- NativeCoroutine.

Outcome<bool> StepAwaited(Machine& machine, const Value& awaited,
                          const NativeCoroutine::Given& given, Value& value) {
  if (auto* resumable = awaited.IfExtension<Resumable>()) {
    return given.error.is_unset() ? resumable->Send(machine, Value(), value)
                                  : resumable->Throw(machine, given.error, value);
  }
  if (!given.error.is_unset()) return Throwing(given.error);
  return lang::Next(machine, awaited, value);
}

Outcome<bool> NativeCoroutine::Send(Host& host, Value, Value& value) {
  Given given{Value(), Value::Unset()};
  if (Future* future = AsFuture(awaited_)) {
    auto result = future->Result(host);
    if (result.ok()) {
      given.value = std::move(*result);
    } else {
      Fault fault = result.TakeFault();
      static_cast<Machine&>(host).ObjectOf(fault.error());
      given = {Value::Unset(), fault.error().object};
    }
  }
  return Go(host, std::move(given), value);
}

Outcome<bool> NativeCoroutine::Throw(Host& host, Value error, Value& value) {
  return Go(host, {Value::Unset(), std::move(error)}, value);
}

Outcome<bool> NativeCoroutine::Go(Host& host, Given given, Value& value) {
  const Value held(this);
  auto& machine = static_cast<Machine&>(host);
  for (;;) {
    ESP_TRY(host.Step());
    if (step_ == nullptr)
      return lang::Raise("RuntimeError", "cannot reuse already awaited coroutine");
    Value next;
    const auto running = step_;  // which the code that it runs may close
    auto outcome = (*running)(machine, given, next);
    if (!outcome.ok() || !*outcome) Clear();
    if (!outcome.ok()) return outcome;
    if (!*outcome) {
      value = std::move(next);
      return false;
    }
    awaited_ = next;
    const Future* future = AsFuture(next);
    if (future == nullptr || !future->done()) {
      value = std::move(next);
      return true;
    }
    auto result = AsFuture(next)->Result(host);
    if (result.ok()) {
      given = {std::move(*result), Value::Unset()};
    } else {
      Fault fault = result.TakeFault();
      machine.ObjectOf(fault.error());
      given = {Value::Unset(), fault.error().object};
    }
  }
}

}  // namespace espalier::script::asyncio
