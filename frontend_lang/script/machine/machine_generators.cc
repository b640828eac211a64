// The part of Machine that suspends and resumes: yield, yield from, await.
#include <string>

#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/classes/type_functions.h"
#include "frontend_lang/script/machine/error_object.h"
#include "frontend_lang/script/machine/machine.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/sequence.h"

namespace espalier::script {

Fault Machine::ExecuteGenerator(Instruction instruction) {
  const int arg = instruction.arg;
  switch (instruction.op) {
    case Op::kSend: return SendOn(arg);
    case Op::kYieldIterate: return YieldIterate();
    case Op::kAwaitIterate: {
      ESP_TRY_ASSIGN(Top(), AwaitIterator(Value(Top())));
      return Fault();
    }
    case Op::kWrapYield: Top() = heap().New<AsyncYield>(Value(Top())); return Fault();
    case Op::kAsyncIterate: {
      ESP_TRY_ASSIGN(Value iterator, AsyncIterator(Value(Top())));
      Top() = std::move(iterator);
      return Fault();
    }
    case Op::kAsyncNext: {
      const Value iterator = Top();
      ESP_TRY_ASSIGN(Value next, CallSpecial(iterator, "__anext__", {}));
      ESP_TRY_ASSIGN(next, AwaitIterator(next));
      Push(std::move(next));
      return Fault();
    }
    case Op::kAsyncForEnd: return AsyncForEnd();
    case Op::kAsyncEnter:
    case Op::kAsyncExit:
    case Op::kAsyncError:
    case Op::kAsyncExited: return AsyncWith(instruction.op);
    default: return ExecuteMatch(instruction);
  }
}

namespace {

// The errors that a generator may not let out: they would end the loop around it.
bool EndsLoop(const Generator& generator, const Value& error) {
  return IsA(error, "StopIteration") ||
         (IsA(error, "StopAsyncIteration") && generator.is_async_generator());
}

Fault AlreadyRunning(Generator& generator) {
  if (generator.is_async_generator()) {
    return lang::Raise("RuntimeError", "anext(): asynchronous generator is already running");
  }
  return lang::ValueError(std::string(generator.TypeName()) + " already executing");
}

}  // namespace

// The error that leaves a generator's frame.
Value Machine::LeavingGenerator(const Generator& generator, const Value& error) {
  if (!EndsLoop(generator, error)) return error;
  const std::string_view kind =
      IsA(error, "StopIteration") ? "StopIteration" : "StopAsyncIteration";
  Value made = heap().New<ErrorObject>(*FindErrorKind("RuntimeError"), std::vector<Value>{});
  auto& object = *Exactly<ErrorObject>(made);
  const std::string what = generator.is_async_generator() ? "async generator"
                           : generator.is_coroutine()     ? "coroutine"
                                                          : "generator";
  object.message = what + " raised " + std::string(kind);
  object.has_message = true;
  object.cause = object.context = error;
  return made;
}

Outcome<bool> Machine::ResumeNested(Generator& generator, Value sent, Value error, Value& value) {
  if (generator.state() == Generator::State::kRunning) {
    return AlreadyRunning(generator);
  }
  const bool unstarted = !generator.started() && !error.is_unset();
  if (unstarted) generator.Finish();
  if (generator.state() == Generator::State::kDone) {
    if (!error.is_unset()) return ThrowError(std::move(error));
    if (generator.is_coroutine()) {
      return lang::Raise("RuntimeError", "cannot reuse already awaited coroutine");
    }
    value = Value();
    return false;
  }
  lang::NestedScope scope(*this);
  ESP_TRY(scope.Check());
  if (task_->frames.size() >= static_cast<std::size_t>(options_.max_depth)) {
    return lang::Raise("RecursionError", "maximum recursion depth exceeded");
  }
  const std::size_t num_frames = task_->frames.size();
  generator.Resume(*task_, std::move(sent));
  Fault fault = error.is_unset() ? Fault() : Throw(std::move(error));
  Outcome<Value> given = Value();
  if (!fault.ok() && !Unwind(fault, num_frames)) {
    given = std::move(fault);
  } else {
    given = Run(num_frames);
  }
  if (!given.ok()) return given.TakeFault();
  const bool ended = generator.state() == Generator::State::kDone;
  value = ended ? std::exchange(generator.result, Value()) : std::move(*given);
  return !ended;
}

// Pushes the frame of a generator that this frame iterates. False when it has ended.
Outcome<bool> Machine::EnterGenerator(Generator& generator, Value sent, int on_end,
                                      bool gives_result) {
  if (generator.state() == Generator::State::kRunning) {
    return AlreadyRunning(generator);
  }
  if (generator.state() == Generator::State::kDone) return false;
  if (task_->frames.size() >= static_cast<std::size_t>(options_.max_depth)) {
    return lang::Raise("RecursionError", "maximum recursion depth exceeded");
  }
  generator.Resume(*task_, std::move(sent));
  frame().on_end = on_end;
  frame().gives_result = gives_result;
  return true;
}

Fault Machine::ResumeInFor(Generator& generator, int target) {
  ESP_TRY_ASSIGN(const bool entered, EnterGenerator(generator, Value(), target, false));
  if (entered) return Fault();
  Drop(1);
  frame().at = target;
  return Fault();
}

// it x -> it next, or the result
Fault Machine::SendOn(int target) {
  ESP_TRY(Step());
  Value sent = Pop();
  const Value held = Top();
  Value value;
  bool more = false;
  if (auto* generator = Exactly<Generator>(held)) {
    if (generator->is_coroutine() && generator->state() == Generator::State::kDone) {
      return lang::Raise("RuntimeError", "cannot reuse already awaited coroutine");
    }
    ESP_TRY_ASSIGN(const bool entered, EnterGenerator(*generator, std::move(sent), target, true));
    if (entered) return Fault();
  } else if (auto* resumable = held.IfExtension<Resumable>()) {
    ESP_TRY_ASSIGN(more, resumable->Send(*this, std::move(sent), value));
  } else if (auto* instance = held.If<Instance>()) {
    ESP_TRY_ASSIGN(more, SendToInstance(*instance, sent, value));
  } else if (sent.is_none()) {
    ESP_TRY_ASSIGN(more, lang::Next(*this, held, value));
    if (!more) value = Value();
  } else {
    ESP_TRY_ASSIGN(value, CallSpecial(held, "send", {&sent, 1}));
    more = true;
  }
  if (more) {
    Push(std::move(value));
  } else {
    Top() = std::move(value);
    frame().at = target;
  }
  return Fault();
}

// A yield in a frame that is not the last of its run loop: another frame iterates it.
Fault Machine::YieldValue() {
  Value value = Pop();
  frame().generator->Suspend(*task_);
  Push(std::move(value));
  return Fault();
}

Fault Machine::YieldIterate() {
  const Value source = Top();
  if (const auto* generator = Exactly<Generator>(source); generator && generator->is_coroutine()) {
    return lang::TypeError("cannot 'yield from' a coroutine object in a non-coroutine generator");
  }
  ESP_TRY_ASSIGN(Top(), IteratorOf(source));
  return Fault();
}

// An object that iterates itself stays what it is: it may have a send() and a result.
Outcome<Value> Machine::IteratorOf(const Value& source) {
  auto* instance = source.If<Instance>();
  if (instance == nullptr || !instance->Has(Special::kNext) || !instance->Has(Special::kIter)) {
    return lang::Iterate(*this, source);
  }
  ESP_TRY_ASSIGN(Value iterator, instance->CallSpecial(*this, Special::kIter));
  const auto* own = iterator.If<Instance>();
  if (own != nullptr && own->Has(Special::kNext)) return iterator;
  return lang::Iterate(*this, iterator);
}

// Its next value, or what it returns once it has ended.
Outcome<bool> Machine::SendToInstance(Instance& instance, const Value& sent, Value& value) {
  auto given = sent.is_none() ? instance.CallSpecial(*this, Special::kNext)
                              : CallSpecial(Value(&instance), "send", {&sent, 1});
  const bool ended = !given.ok() && IsA(given.error(), "StopIteration");
  if (!given.ok() && !ended) return given.TakeFault();
  if (!ended) {
    value = std::move(*given);
    return true;
  }
  Fault fault = given.TakeFault();
  ESP_TRY_ASSIGN(value, lang::GetAttr(*this, Value(&ObjectOf(fault.error())), "value"));
  return false;
}

Outcome<Value> Machine::CallSpecial(const Value& object, std::string_view name,
                                    std::span<const Value> args) {
  ESP_TRY_ASSIGN(const Value method, lang::GetAttr(*this, object, name));
  return Call(method, Args{args, {}});
}

bool Machine::HasSpecial(const Value& object, std::string_view name) {
  return object.is_extension() && lang::GetAttr(*this, object, name).ok();
}

Outcome<Value> Machine::AwaitIterator(const Value& value) {
  if (const auto* generator = Exactly<Generator>(value)) {
    if (generator->is_coroutine()) return value;
  } else if (value.IfExtension<Resumable>() != nullptr) {
    return value;
  } else if (HasSpecial(value, "__await__")) {
    ESP_TRY_ASSIGN(Value iterator, CallSpecial(value, "__await__", {}));
    if (iterator.type() == lang::Type::kIterator) return iterator;
    return lang::TypeError("__await__() returned non-iterator of type '" +
                           std::string(lang::TypeName(iterator)) + "'");
  }
  return lang::TypeError("object " + std::string(lang::TypeName(value)) +
                         " can't be used in 'await' expression");
}

Outcome<Value> Machine::AsyncIterator(const Value& value) {
  const auto* generator = Exactly<Generator>(value);
  if (generator != nullptr && generator->is_async_generator()) return value;
  if (HasSpecial(value, "__aiter__")) return CallSpecial(value, "__aiter__", {});
  return lang::TypeError("'async for' requires an object with __aiter__ method, got " +
                         std::string(lang::TypeName(value)));
}

// it error -> , where the error is the end of the iteration
Fault Machine::AsyncForEnd() {
  Value error = Pop();
  Drop(1);
  task_->handled.pop_back();
  if (IsA(error, "StopAsyncIteration")) return Fault();
  return Rethrow(std::move(error));
}

Fault Machine::AsyncWith(Op op) {
  if (op == Op::kAsyncEnter) {
    const Value manager = Top();
    if (!HasSpecial(manager, "__aenter__") || !HasSpecial(manager, "__aexit__")) {
      return lang::TypeError("'" + std::string(lang::TypeName(manager)) +
                             "' object does not support the asynchronous context manager protocol");
    }
    ESP_TRY_ASSIGN(Value entering, CallSpecial(manager, "__aenter__", {}));
    Push(std::move(entering));
    return Fault();
  }
  if (op == Op::kAsyncExited) {
    const Value verdict = Pop();
    Value error = Pop();
    task_->handled.pop_back();
    ESP_TRY_ASSIGN(const bool swallowed, lang::Truth(*this, verdict));
    return swallowed ? Fault() : Rethrow(std::move(error));
  }
  const bool failed = op == Op::kAsyncError;
  const Value error = failed ? Top() : Value::Unset();
  const Value manager = Top(failed ? 1 : 0);
  ESP_TRY_ASSIGN(const std::vector<Value> args, ExitArguments(error));
  ESP_TRY_ASSIGN(Value leaving, CallSpecial(manager, "__aexit__", args));
  if (failed) {
    Top(1) = error;  // in the manager's place
    Top() = std::move(leaving);
  } else {
    Top() = std::move(leaving);
  }
  return Fault();
}

// Closes generators that nobody refers to any more while they wait in a try or with.
// An error in one has nobody to go to.
Fault Machine::CloseUnfinished() {
  for (const Value& value : heap().TakeUnfinished()) {
    Fault fault;
    if (auto* generator = Exactly<Generator>(value)) fault = generator->Close(*this);
    if (auto* instance = value.If<Instance>()) fault = instance->CallDel(*this);
    if (!fault.ok() && fault.error().kind == lang::LangError::Kind::kLimit) return fault;
  }
  return Fault();
}

}  // namespace espalier::script
