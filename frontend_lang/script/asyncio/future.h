// Future: what will be known later. Task: a coroutine on its way to that.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend_lang/script/asyncio/event_loop.h"

namespace espalier::script::asyncio {

class Future : public lang::Extension {
 public:
  enum class State { kPending, kCancelled, kFinished };
  using Callback = std::function<Fault(Machine&, const Value& future)>;

  Future(Heap& heap, EventLoop& loop)
      : Extension(heap, lang::Type::kExtension), loop_(Value(&loop)) {}

  ~Future() override { Future::Clear(); }

  std::string_view TypeName() const override { return "Future"; }
  Outcome<std::string> Repr(Host& host) override;
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;

  State state() const { return state_; }
  bool done() const { return state_ != State::kPending; }
  const Value& error() const { return error_; }  // Unset: none
  EventLoop& loop() const { return *static_cast<EventLoop*>(loop_.object()); }

  void SetResult(Value result);
  void SetError(Value error);
  // False when it is done already.
  virtual bool Cancel(const Value& message);
  // The result; or raises the error, or a CancelledError.
  Outcome<Value> Result(Host& host);

  // Calls back soon after it is done. Returns what RemoveCallback takes.
  std::uint64_t AddCallback(Callback callback);
  void RemoveCallback(std::uint64_t number);

 protected:
  void Clear() override;
  void Finish(State state);
  Value cancel_message_ = Value::Unset();

 private:
  Value loop_, result_, error_ = Value::Unset();
  State state_ = State::kPending;
  std::vector<std::pair<std::uint64_t, Callback>> callbacks_;
  std::uint64_t num_callbacks_ = 0;
};

class Task final : public Future {
 public:
  Task(Heap& heap, EventLoop& loop, Value coroutine, std::uint64_t number, std::string name)
      : Future(heap, loop),
        coroutine_(std::move(coroutine)),
        number_(number),
        name_(std::move(name)) {}

  std::string_view TypeName() const override { return "Task"; }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;
  bool Cancel(const Value& message) override;

  const std::string& name() const { return name_; }
  void SetName(std::string name) { name_ = std::move(name); }
  const Value& coroutine() const { return coroutine_; }

  // Runs it to its next await; `error` (or Unset) is raised there first.
  Fault Step(Machine& machine, Value error);
  void StepSoon(Value error);

 private:
  void Clear() override;
  Fault Settle(Machine& machine, Outcome<bool> outcome, Value value);
  Fault WaitFor(Machine& machine, Value awaited);
  Fault End(Machine& machine, Fault fault);

  Value coroutine_, awaited_;  // awaited_: the Future it waits for, or None
  std::uint64_t number_;
  std::string name_;
  bool must_cancel_ = false;
};

// The Future that a value is, or null.
Future* AsFuture(const Value& value);

// A coroutine written in C++. Each step is told what the last awaited future gave (or
// its error: then `given` is Unset) and says what comes next: true with a Future to
// await in `next`, or None to let others run; false with the result.
class NativeCoroutine final : public Resumable {
 public:
  struct Given {
    Value value = Value::Unset(), error = Value::Unset();
  };
  using Step = std::function<Outcome<bool>(Machine& machine, const Given& given, Value& next)>;

  NativeCoroutine(Heap& heap, Step step)
      : Resumable(heap), step_(std::make_shared<const Step>(std::move(step))) {}

  std::string_view TypeName() const override { return "coroutine"; }
  Outcome<Value> Iterate(Host&) override { return Value::Unset(); }
  Outcome<bool> Send(Host& host, Value sent, Value& value) override;
  Outcome<bool> Throw(Host& host, Value error, Value& value) override;
  Fault Close(Host&) override {
    Clear();
    return Fault();
  }

 private:
  void Clear() override {
    step_ = nullptr;
    awaited_ = Value();
  }
  Outcome<bool> Go(Host& host, Given given, Value& value);

  std::shared_ptr<const Step> step_;
  Value awaited_;
};

// One step of what __await__ gave: a coroutine, or any iterator.
Outcome<bool> StepAwaited(Machine& machine, const Value& awaited,
                          const NativeCoroutine::Given& given, Value& value);

// Raises an error object from C++.
Fault Throwing(Value error);
Value NewError(Heap& heap, std::string_view kind, std::vector<Value> args = {});

}  // namespace espalier::script::asyncio
