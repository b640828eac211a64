#include "frontend_lang/script/machine/generator.h"

#include <algorithm>
#include <iterator>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/machine/error_object.h"
#include "frontend_lang/script/machine/machine.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

Resumable& SelfOf(const Value& self) { return *static_cast<Resumable*>(self.object()); }

Outcome<Value> NextOrStop(Host& host, Outcome<bool> outcome, Value value) {
  if (!outcome.ok()) return outcome.TakeFault();
  if (*outcome) return value;
  return RaiseStop(host.heap(), value);
}

Outcome<Value> SendMethod(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("send", args, 1, 1));
  Value value;
  auto outcome = SelfOf(self).Send(host, args.positional[0], value);
  return NextOrStop(host, std::move(outcome), std::move(value));
}

Outcome<Value> NextMethod(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("__next__", args, 0, 0));
  Value value;
  auto outcome = SelfOf(self).Send(host, Value(), value);
  return NextOrStop(host, std::move(outcome), std::move(value));
}

// throw(error), or the older throw(type, error, traceback)
Outcome<Value> ErrorOf(Host& host, const Args& args) {
  ESP_TRY(CheckPositional("throw", args, 1, 3));
  auto& machine = static_cast<Machine&>(host);
  if (args.positional.size() == 1 || args.positional[1].is_none()) {
    return machine.ErrorFrom(args.positional[0]);
  }
  if (Exactly<ErrorType>(args.positional[0]) == nullptr) {
    return machine.ErrorFrom(args.positional[1]);
  }
  return machine.Call(args.positional[0], Args{args.positional.subspan(1, 1), {}});
}

Outcome<Value> ThrowMethod(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(Value error, ErrorOf(host, args));
  Value value;
  auto outcome = SelfOf(self).Throw(host, std::move(error), value);
  return NextOrStop(host, std::move(outcome), std::move(value));
}

Outcome<Value> CloseMethod(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("close", args, 0, 0));
  ESP_TRY(SelfOf(self).Close(host));
  return Value();
}

Outcome<Value> StepOf(Host& host, const Value& self, AsyncStep::Kind kind, Value with) {
  return host.heap().New<AsyncStep>(self, kind, std::move(with));
}
Outcome<Value> AsyncNextMethod(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("__anext__", args, 0, 0));
  return StepOf(host, self, AsyncStep::Kind::kSend, Value());
}
Outcome<Value> AsyncSendMethod(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("asend", args, 1, 1));
  return StepOf(host, self, AsyncStep::Kind::kSend, args.positional[0]);
}
Outcome<Value> AsyncThrowMethod(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(Value error, ErrorOf(host, args));
  return StepOf(host, self, AsyncStep::Kind::kThrow, std::move(error));
}
Outcome<Value> AsyncCloseMethod(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("aclose", args, 0, 0));
  return StepOf(host, self, AsyncStep::Kind::kClose, Value());
}

struct MethodRow {
  std::string_view name;
  lang::NativeCode code;
};
constexpr MethodRow kMethods[] = {
    {"send", SendMethod}, {"throw", ThrowMethod}, {"close", CloseMethod}, {"__next__", NextMethod}};
Outcome<Value> AsyncIterateMethod(Host&, const Value& self, const Args&) { return self; }

constexpr MethodRow kAsyncMethods[] = {{"__aiter__", AsyncIterateMethod},
                                       {"__anext__", AsyncNextMethod},
                                       {"asend", AsyncSendMethod},
                                       {"athrow", AsyncThrowMethod},
                                       {"aclose", AsyncCloseMethod}};

Value MethodOf(std::span<const MethodRow> rows, std::string_view name, const Value& self) {
  for (const MethodRow& row : rows) {
    if (row.name == name) {
      return self.object()->heap().New<lang::NativeFunction>(row.name, row.code, self);
    }
  }
  return Value::Unset();
}

}  // namespace

Fault RaiseStop(Heap& heap, const Value& value) {
  if (value.is_none()) return lang::Raise("StopIteration", "");
  Fault fault = lang::Raise("StopIteration", "");
  fault.error().object =
      heap.New<ErrorObject>(*FindErrorKind("StopIteration"), std::vector<Value>{value});
  return fault;
}

Fault Resumable::Close(Host& host) {
  Value value;
  Value error = host.heap().New<ErrorObject>(*FindErrorKind("GeneratorExit"), std::vector<Value>{});
  auto outcome = Throw(host, std::move(error), value);
  if (outcome.ok()) {
    if (!*outcome) return Fault();
    return lang::Raise("RuntimeError", std::string(TypeName()) + " ignored GeneratorExit");
  }
  if (IsA(outcome.error(), "GeneratorExit") || IsA(outcome.error(), "StopIteration")) {
    return Fault();
  }
  return outcome.TakeFault();
}

Outcome<Value> Resumable::GetAttr(Host&, std::string_view name) {
  return MethodOf(kMethods, name, Value(this));
}

// ---- Generator.

std::string_view Generator::TypeName() const {
  return is_coroutine() ? "coroutine" : is_async_generator() ? "async_generator" : "generator";
}

Outcome<std::string> Generator::Repr(Host&) {
  return "<" + std::string(TypeName()) + " object " + routine_.name + ">";
}

Outcome<Value> Generator::Iterate(Host&) {
  return routine_.is_async ? Value::Unset() : Value(this);
}

Outcome<Value> Generator::GetAttr(Host& host, std::string_view name) {
  if (name == "__name__") return lang::MakeStr(host.heap(), routine_.short_name);
  if (name == "__qualname__") return lang::MakeStr(host.heap(), routine_.name);
  return MethodOf(is_async_generator() ? std::span<const MethodRow>(kAsyncMethods)
                                       : std::span<const MethodRow>(kMethods),
                  name, Value(this));
}

void Generator::Resume(Task& task, Value sent) {
  const std::size_t base = task.values.size(), num_handled = task.handled.size();
  SetUnfinished(false);
  task.values.Reserve(routine_.locals.size() + static_cast<std::size_t>(routine_.max_pushed));
  std::move(values_.begin(), values_.end(), std::back_inserter(task.values));
  values_.clear();
  if (started_) task.values.push_back(std::move(sent));
  frame_.base = base;
  frame_.first_block = task.blocks.size();
  frame_.first_handled = num_handled;
  frame_.generator = this;
  frame_.function = Value(this);
  for (Block block : blocks_) {
    block.num_values += base;
    block.num_handled += num_handled;
    task.blocks.push_back(block);
  }
  blocks_.clear();
  std::move(handled_.begin(), handled_.end(), std::back_inserter(task.handled));
  handled_.clear();
  task.frames.push_back(std::move(frame_));
  started_ = true;
  state_ = State::kRunning;
}

void Generator::Suspend(Task& task) {
  const Value held(this);
  frame_ = std::move(task.frames.back());
  task.frames.pop_back();
  frame_.function = Value();
  Value* const first = task.values.begin() + frame_.base;
  values_.assign(std::make_move_iterator(first), std::make_move_iterator(task.values.end()));
  task.values.erase(first, task.values.end());
  for (std::size_t i = frame_.first_block; i < task.blocks.size(); ++i) {
    Block block = task.blocks[i];
    block.num_values -= frame_.base;
    block.num_handled -= frame_.first_handled;
    blocks_.push_back(block);
  }
  task.blocks.resize(frame_.first_block);
  const auto handled = task.handled.begin() + static_cast<std::ptrdiff_t>(frame_.first_handled);
  handled_.assign(std::make_move_iterator(handled), std::make_move_iterator(task.handled.end()));
  task.handled.resize(frame_.first_handled);
  state_ = State::kWaiting;
  SetUnfinished(!blocks_.empty());
}

void Generator::Finish() {
  state_ = State::kDone;
  SetUnfinished(false);
  values_.clear();
  handled_.clear();
  blocks_.clear();
  keep_ = Value();
}

Outcome<bool> Generator::Send(Host& host, Value sent, Value& value) {
  if (!started_ && state_ == State::kWaiting && !sent.is_none()) {
    return lang::TypeError("can't send non-None value to a just-started " +
                           std::string(TypeName()));
  }
  const Value held(this);
  return static_cast<Machine&>(host).ResumeNested(*this, std::move(sent), Value::Unset(), value);
}

bool Generator::Delegates() const {
  if (state_ != State::kWaiting || !started_) return false;
  const Instruction& last = routine_.instructions[static_cast<std::size_t>(frame_.at - 1)];
  return last.op == Op::kYield && last.arg != 0;
}

Outcome<bool> Generator::Throw(Host& host, Value error, Value& value) {
  const Value held(this);
  if (Delegates()) return ThrowInto(host, std::move(error), value);
  return static_cast<Machine&>(host).ResumeNested(*this, Value(), std::move(error), value);
}

// The iterator that this one delegates to lies on top of its stack.
Outcome<bool> Generator::ThrowInto(Host& host, Value error, Value& value) {
  auto& machine = static_cast<Machine&>(host);
  lang::NestedScope scope(host);
  ESP_TRY(scope.Check());
  const Value inner = values_.back();
  auto* resumable = inner.IfExtension<Resumable>();
  if (resumable == nullptr) {
    return machine.ResumeNested(*this, Value(), std::move(error), value);
  }
  state_ = State::kRunning;
  const bool closes = IsA(error, "GeneratorExit");
  Outcome<bool> outcome = true;
  Fault fault;
  if (closes) {
    fault = resumable->Close(host);
  } else {
    outcome = resumable->Throw(host, error, value);
    if (!outcome.ok()) fault = outcome.TakeFault();
  }
  state_ = State::kWaiting;
  if (!fault.ok()) {
    if (fault.error().kind == lang::LangError::Kind::kLimit) return fault;
    machine.ObjectOf(fault.error());
    return machine.ResumeNested(*this, Value(), fault.error().object, value);
  }
  if (closes) return machine.ResumeNested(*this, Value(), std::move(error), value);
  if (*outcome) return true;
  values_.pop_back();
  frame_.at = routine_.instructions[static_cast<std::size_t>(frame_.at - 1)].arg;
  return machine.ResumeNested(*this, Value(value), Value::Unset(), value);
}

Fault Generator::Close(Host& host) {
  if (state_ == State::kDone) return Fault();
  if (!started_) {
    Finish();
    return Fault();
  }
  return Resumable::Close(host);
}

// ---- AsyncStep.

Outcome<bool> AsyncStep::Send(Host& host, Value sent, Value& value) {
  const Value held(this);
  auto* generator = Exactly<Generator>(generator_);
  if (generator == nullptr) {
    return lang::Raise("RuntimeError", "cannot reuse already awaited __anext__()/asend()");
  }
  if (std::exchange(started_, true)) {
    return Settle(host, generator->Send(host, std::move(sent), value), value);
  }
  if (kind_ == Kind::kSend) return Settle(host, generator->Send(host, with_, value), value);
  if (kind_ == Kind::kThrow) return Settle(host, generator->Throw(host, with_, value), value);
  if (generator->state() != Generator::State::kWaiting || !generator->started()) {
    ESP_TRY(generator->Close(host));
    value = Value();
    return false;
  }
  Value error = host.heap().New<ErrorObject>(*FindErrorKind("GeneratorExit"), std::vector<Value>{});
  return Settle(host, generator->Throw(host, std::move(error), value), value);
}

Outcome<bool> AsyncStep::Throw(Host& host, Value error, Value& value) {
  const Value held(this);
  auto* generator = Exactly<Generator>(generator_);
  started_ = true;
  if (generator == nullptr) return static_cast<Machine&>(host).ThrowError(std::move(error));
  return Settle(host, generator->Throw(host, std::move(error), value), value);
}

// What the generator did, as what this awaitable does.
Outcome<bool> AsyncStep::Settle(Host&, Outcome<bool> outcome, Value& value) {
  const bool closes = kind_ == Kind::kClose;
  if (!outcome.ok()) {
    generator_ = Value();
    const bool ended =
        IsA(outcome.error(), "GeneratorExit") || IsA(outcome.error(), "StopAsyncIteration");
    if (!closes || !ended) return outcome;
    value = Value();
    return false;
  }
  if (!*outcome) {
    generator_ = Value();
    value = Value();
    if (closes) return false;
    return lang::Raise("StopAsyncIteration", "");
  }
  auto* given = Exactly<AsyncYield>(value);
  if (given == nullptr) return true;  // something that the generator awaits
  if (closes) return lang::Raise("RuntimeError", "async generator ignored GeneratorExit");
  generator_ = Value();
  value = Value(given->value);
  return false;
}

}  // namespace espalier::script
