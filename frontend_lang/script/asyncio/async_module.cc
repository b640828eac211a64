// The module asyncio.
#include <string>

#include "frontend_lang/script/asyncio/future.h"
#include "frontend_lang/script/asyncio/queue.h"
#include "frontend_lang/script/asyncio/sync.h"
#include "frontend_lang/script/asyncio/timeout.h"
#include "frontend_lang/script/asyncio/waiting.h"
#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/builtins/builtins.h"
#include "frontend_lang/script/machine/error_object.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/set.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace asyncio {
namespace {

bool IsCoroutine(const Value& value) {
  const auto* generator = Exactly<Generator>(value);
  return (generator != nullptr && generator->is_coroutine()) ||
         Exactly<NativeCoroutine>(value) != nullptr;
}

Outcome<Value> Run(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(auto bound, BindArguments("run", args, {"main", "debug"}, 1));
  auto& machine = static_cast<Machine&>(host);
  if (RunningLoop(machine) != nullptr) {
    return lang::Raise("RuntimeError", "asyncio.run() cannot be called from a running event loop");
  }
  if (!IsCoroutine(bound[0])) {
    ESP_TRY_ASSIGN(const std::string repr, lang::Repr(host, bound[0]));
    return lang::ValueError("a coroutine was expected, got " + repr);
  }
  const Value held = host.heap().New<EventLoop>();
  auto& loop = *static_cast<EventLoop*>(held.object());
  auto result = loop.RunAsCurrent(machine, bound[0]);
  ESP_TRY(loop.CancelAll(machine));
  loop.Close();
  return result;
}

Outcome<Value> CreateTask(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(auto bound, BindArguments("create_task", args, {"coro", "name", "context"}, 1));
  ESP_TRY_ASSIGN(EventLoop* const loop, NeedLoop(host));
  if (!IsCoroutine(bound[0])) {
    ESP_TRY_ASSIGN(const std::string repr, lang::Repr(host, bound[0]));
    return lang::TypeError("a coroutine was expected, got " + repr);
  }
  std::string name;
  if (!bound[1].is_unset() && !bound[1].is_none()) {
    ESP_TRY_ASSIGN(name, lang::Text(host, bound[1]));
  }
  return loop->NewTask(bound[0], name);
}

Outcome<Value> EnsureFuture(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("ensure_future", args, 1, 1));
  ESP_TRY_ASSIGN(EventLoop* const loop, NeedLoop(host));
  return loop->Ensure(static_cast<Machine&>(host), args.positional[0]);
}

Outcome<Value> GetRunningLoop(Host& host, const Value&, const Args&) {
  ESP_TRY_ASSIGN(EventLoop* const loop, NeedLoop(host));
  return Value(loop);
}

Outcome<Value> NewEventLoop(Host& host, const Value&, const Args&) {
  return host.heap().New<EventLoop>();
}

// The running loop, or one that a program without asyncio.run drives itself.
Outcome<Value> GetEventLoop(Host& host, const Value&, const Args&) {
  auto& machine = static_cast<Machine&>(host);
  if (EventLoop* loop = RunningLoop(machine)) return Value(loop);
  Value& set = machine.task().set_event_loop;
  if (Exactly<EventLoop>(set) == nullptr) set = host.heap().New<EventLoop>();
  return set;
}

Outcome<Value> SetEventLoop(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("set_event_loop", args, 1, 1));
  static_cast<Machine&>(host).task().set_event_loop = args.positional[0];
  return Value();
}

Outcome<Value> CurrentTask(Host& host, const Value&, const Args&) {
  ESP_TRY_ASSIGN(EventLoop* const loop, NeedLoop(host));
  return loop->current_task;
}

Outcome<Value> AllTasks(Host& host, const Value&, const Args&) {
  ESP_TRY_ASSIGN(EventLoop* const loop, NeedLoop(host));
  Value all = host.heap().New<lang::Set>();
  for (const auto& [number, task] : loop->tasks) ESP_TRY(all.As<lang::Set>()->Add(host, task));
  return all;
}

Outcome<Value> IsCoroutineFunction(Host&, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("iscoroutinefunction", args, 1, 1));
  const auto* function = Exactly<ScriptFunction>(args.positional[0]);
  return Value::Bool(function != nullptr && function->routine().is_async &&
                     !function->routine().is_generator);
}

Outcome<Value> IsCoroutineObject(Host&, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("iscoroutine", args, 1, 1));
  return Value::Bool(IsCoroutine(args.positional[0]));
}

Outcome<Value> IsFuture(Host&, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("isfuture", args, 1, 1));
  return Value::Bool(AsFuture(args.positional[0]) != nullptr);
}

Outcome<Value> NoFuture(Host&, const Value&, const Args&) {
  return lang::TypeError("a future is made by loop.create_future(), a task by create_task()");
}

bool IsFutureValue(const Value& value) { return AsFuture(value) != nullptr; }
bool IsTaskValue(const Value& value) { return Exactly<Task>(value) != nullptr; }

Outcome<Value> NextOfAsync(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("anext", args, 1, 2));
  auto& machine = static_cast<Machine&>(host);
  if (!machine.HasSpecial(args.positional[0], "__anext__")) {
    return lang::TypeError("'" + std::string(lang::TypeName(args.positional[0])) +
                           "' object is not an async iterator");
  }
  ESP_TRY_ASSIGN(const Value next, machine.CallSpecial(args.positional[0], "__anext__", {}));
  ESP_TRY_ASSIGN(const Value awaited, machine.AwaitIterator(next));
  if (args.positional.size() == 1) return awaited;
  return host.heap().New<NativeCoroutine>(
      [awaited, otherwise = args.positional[1]](Machine& on, const NativeCoroutine::Given& given,
                                                Value& value) -> Outcome<bool> {
        auto outcome = StepAwaited(on, awaited, given, value);
        if (outcome.ok() || !IsA(outcome.error(), "StopAsyncIteration")) return outcome;
        value = otherwise;
        return false;
      });
}

Outcome<Value> IterateAsync(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("aiter", args, 1, 1));
  return static_cast<Machine&>(host).CallSpecial(args.positional[0], "__aiter__", {});
}

constexpr std::pair<std::string_view, lang::NativeCode> kFunctions[] = {
    {"run", Run},
    {"create_task", CreateTask},
    {"ensure_future", EnsureFuture},
    {"get_running_loop", GetRunningLoop},
    {"get_event_loop", GetEventLoop},
    {"new_event_loop", NewEventLoop},
    {"set_event_loop", SetEventLoop},
    {"current_task", CurrentTask},
    {"all_tasks", AllTasks},
    {"iscoroutinefunction", IsCoroutineFunction},
    {"iscoroutine", IsCoroutineObject},
    {"isfuture", IsFuture},
    {"sleep", Sleep},
    {"gather", Gather},
    {"wait_for", WaitFor},
    {"wait", Wait},
    {"as_completed", AsCompleted},
    {"shield", Shield},
    {"to_thread", ToThread},
    {"Queue", NewQueue},
    {"PriorityQueue", NewPriorityQueue},
    {"LifoQueue", NewLifoQueue},
    {"Lock", NewLock},
    {"Semaphore", NewSemaphore},
    {"BoundedSemaphore", NewBoundedSemaphore},
    {"Event", NewEvent},
    {"timeout", NewTimeout},
};

}  // namespace
}  // namespace asyncio

Value MakeAsyncioModule(Machine& machine) {
  const Value value = machine.heap().New<Module>("asyncio");
  Module& module = ModuleOf(value);
  for (const auto& [name, code] : asyncio::kFunctions) module.AddFunction(name, code);
  for (const std::string_view name :
       {"CancelledError", "InvalidStateError", "QueueEmpty", "QueueFull"}) {
    module.Add(name, NewErrorType(machine, name));
  }
  module.Add("Future",
             NewType(machine, "_asyncio.Future", asyncio::NoFuture, asyncio::IsFutureValue));
  module.Add("Task", NewType(machine, "_asyncio.Task", asyncio::NoFuture, asyncio::IsTaskValue));
  module.Add("TimeoutError", machine.Builtin("TimeoutError"));
  for (const std::string_view name : {"FIRST_COMPLETED", "FIRST_EXCEPTION", "ALL_COMPLETED"}) {
    module.Add(name, lang::MakeStr(machine.heap(), name));
  }
  return value;
}

void AddAsyncBuiltins(Machine& machine) {
  machine.AddBuiltin("anext",
                     machine.heap().New<lang::NativeFunction>("anext", asyncio::NextOfAsync));
  machine.AddBuiltin("aiter",
                     machine.heap().New<lang::NativeFunction>("aiter", asyncio::IterateAsync));
}

}  // namespace espalier::script
