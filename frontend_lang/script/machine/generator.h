// Generator: a function call that can wait in the middle; also what a coroutine and an
// async generator are made of.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend_lang/script/machine/task.h"

namespace espalier::script {

// An iterator that can be sent values and errors: what yield from and await drive.
class Resumable : public lang::Iterator {
 public:
  // Goes on with `sent` as the value it waits for. True: it gave `value`. False: it
  // has ended, and `value` is what it returned.
  virtual Outcome<bool> Send(Host& host, Value sent, Value& value) = 0;
  // Goes on by raising `error` where it waits.
  virtual Outcome<bool> Throw(Host& host, Value error, Value& value) = 0;
  // Ends it: GeneratorExit is raised where it waits.
  virtual Fault Close(Host& host);

  Outcome<bool> Next(Host& host, Value& value) override { return Send(host, Value(), value); }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;

 protected:
  using Iterator::Iterator;
};

class Generator final : public Resumable {
 public:
  enum class State { kWaiting, kRunning, kDone };

  Generator(Heap& heap, Frame frame, std::vector<Value> values)
      : Resumable(heap),
        frame_(std::move(frame)),
        keep_(std::move(frame_.function)),
        routine_(*frame_.routine),
        values_(std::move(values)) {}

  std::string_view TypeName() const override;
  Outcome<std::string> Repr(Host&) override;
  Outcome<Value> Iterate(Host&) override;  // only what has no await in it
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;
  Outcome<bool> Send(Host& host, Value sent, Value& value) override;
  Outcome<bool> Throw(Host& host, Value error, Value& value) override;
  Fault Close(Host& host) override;

  State state() const { return state_; }
  bool started() const { return started_; }
  bool is_coroutine() const { return routine_.is_async && !routine_.is_generator; }
  bool is_async_generator() const { return routine_.is_async && routine_.is_generator; }

  // Moves the frame onto the task, with `sent` as the value of the yield that waits.
  void Resume(Task& task, Value sent);
  // Moves it off the task. REQUIRES: its frame is the last.
  void Suspend(Task& task);
  void Finish();

  Value result;  // what it returned, from its end until somebody takes it

 private:
  void Clear() override { Finish(); }
  bool Delegates() const;  // waits in a yield from or await
  Outcome<bool> ThrowInto(Host& host, Value error, Value& value);

  State state_ = State::kWaiting;
  bool started_ = false;
  Frame frame_;  // its function is this generator while it runs, and None while it waits
  Value keep_;   // the function, which keeps what it closes over
  const Routine& routine_;
  std::vector<Value> values_;   // locals and stack
  std::vector<Value> handled_;  // errors whose handlers it waits in
  std::vector<Block> blocks_;   // num_values and num_handled relative to the frame's own
};

// What an async generator yields, so that nobody takes it for something it awaits.
class AsyncYield final : public lang::Extension {
 public:
  AsyncYield(Heap& heap, Value value)
      : Extension(heap, lang::Type::kExtension), value(std::move(value)) {}
  std::string_view TypeName() const override { return "async_generator_wrapped_value"; }

  Value value;

 private:
  void Clear() override { value = Value(); }
};

// One step of an async generator: what its __anext__, asend, athrow and aclose give.
class AsyncStep final : public Resumable {
 public:
  enum class Kind { kSend, kThrow, kClose };

  AsyncStep(Heap& heap, Value generator, Kind kind, Value with)
      : Resumable(heap), generator_(std::move(generator)), with_(std::move(with)), kind_(kind) {}

  std::string_view TypeName() const override { return "async_generator_asend"; }
  Outcome<bool> Send(Host& host, Value sent, Value& value) override;
  Outcome<bool> Throw(Host& host, Value error, Value& value) override;

 private:
  void Clear() override { generator_ = with_ = Value(); }
  Outcome<bool> Settle(Host& host, Outcome<bool> outcome, Value& value);

  Value generator_, with_;
  Kind kind_;
  bool started_ = false;
};

// StopIteration as the end of an iterator that returned `value`.
Fault RaiseStop(Heap& heap, const Value& value);

}  // namespace espalier::script
