#include "frontend_lang/script/asyncio/waiting.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/set.h"
#include "frontend_lang/script/values/stack_limit.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script::asyncio {
namespace {

using Given = NativeCoroutine::Given;

Value NewCoroutine(Host& host, NativeCoroutine::Step step) {
  return host.heap().New<NativeCoroutine>(std::move(step));
}

// What gather waits for, and what it has so far.
struct Gathering {
  std::vector<Value> children;
  std::size_t num_left = 0;
  bool keeps_errors = false;
};

// What gather gives: cancelling it cancels the children.
class GatherFuture final : public Future {
 public:
  GatherFuture(Heap& heap, EventLoop& loop, std::shared_ptr<Gathering> gathering)
      : Future(heap, loop), gathering_(std::move(gathering)) {}

  std::string_view TypeName() const override { return "_GatheringFuture"; }
  bool Cancel(const Value& message) override {
    if (done()) return false;
    bool any = false;
    if (!lang::StackHasRoom()) return true;  // gathers of gathers, endlessly
    for (const Value& child : gathering_->children) any |= AsFuture(child)->Cancel(message);
    cancel_requested = any;
    return any;
  }

  bool cancel_requested = false;

 private:
  void Clear() override {
    gathering_->children.clear();
    Future::Clear();
  }

  std::shared_ptr<Gathering> gathering_;
};

// The error of a finished future as a value; a CancelledError where it was cancelled.
Value ErrorOf(Machine& machine, Future& future) {
  auto result = future.Result(machine);
  if (result.ok()) return Value::Unset();
  Fault fault = result.TakeFault();
  machine.ObjectOf(fault.error());
  return fault.error().object;
}

void FinishGather(Machine& machine, GatherFuture& outer, const Gathering& gathering) {
  std::vector<Value> results;
  for (const Value& child : gathering.children) {
    Value error = ErrorOf(machine, *AsFuture(child));
    auto result = AsFuture(child)->Result(machine);
    results.push_back(error.is_unset() ? std::move(*result) : std::move(error));
  }
  if (outer.cancel_requested) return outer.SetError(NewError(machine.heap(), "CancelledError"));
  outer.SetResult(machine.heap().New<lang::List>(std::move(results)));
}

Future::Callback OnChildDone(const Value& outer, std::shared_ptr<Gathering> gathering) {
  return [=](Machine& machine, const Value& child) -> Fault {
    auto& future = *static_cast<GatherFuture*>(outer.object());
    --gathering->num_left;
    if (future.done()) return Fault();
    if (!gathering->keeps_errors) {
      Value error = ErrorOf(machine, *AsFuture(child));
      if (!error.is_unset()) {
        future.SetError(std::move(error));
        return Fault();
      }
    }
    if (gathering->num_left == 0) FinishGather(machine, future, *gathering);
    return Fault();
  };
}

}  // namespace

Outcome<double> SecondsOf(const Value& value) {
  if (value.is_float()) return value.as_float();
  if (value.is_integral()) return static_cast<double>(value.as_int());
  return lang::TypeError("'" + std::string(lang::TypeName(value)) +
                         "' object cannot be interpreted as a number of seconds");
}

Outcome<Value> Sleep(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(auto bound, BindArguments("sleep", args, {"delay", "result"}, 1));
  ESP_TRY_ASSIGN(const double delay, SecondsOf(bound[0]));
  const Value result = bound[1].is_unset() ? Value() : bound[1];
  bool slept = false;
  return NewCoroutine(
      host, [=](Machine& machine, const Given& given, Value& next) mutable -> Outcome<bool> {
        if (!given.error.is_unset()) return Throwing(given.error);
        next = result;
        if (std::exchange(slept, true)) return false;
        next = Value();
        if (delay <= 0) return true;
        ESP_TRY_ASSIGN(EventLoop* const loop, NeedLoop(machine));
        next = loop->NewFuture();
        loop->CallLater(delay, Release(next, Value()));
        return true;
      });
}

Outcome<Value> Gather(Host& host, const Value&, const Args& args) {
  auto& machine = static_cast<Machine&>(host);
  ESP_TRY_ASSIGN(EventLoop* const loop, NeedLoop(host));
  auto gathering = std::make_shared<Gathering>();
  for (const lang::Keyword& keyword : args.keywords) {
    if (keyword.name != "return_exceptions") {
      return lang::TypeError("gather() got an unexpected keyword argument '" +
                             std::string(keyword.name) + "'");
    }
    ESP_TRY_ASSIGN(gathering->keeps_errors, lang::Truth(host, keyword.value));
  }
  Value outer = host.heap().New<GatherFuture>(*loop, gathering);
  std::unordered_map<const lang::Object*, Value> known;  // one task for one coroutine
  for (const Value& awaitable : args.positional) {
    ESP_TRY(host.Step());
    if (awaitable.on_heap() && known.contains(awaitable.object())) {
      gathering->children.push_back(known.at(awaitable.object()));
      continue;
    }
    ESP_TRY_ASSIGN(Value child, loop->Ensure(machine, awaitable));
    known.emplace(awaitable.object(), child);
    AsFuture(child)->AddCallback(OnChildDone(outer, gathering));
    gathering->children.push_back(child);
  }
  gathering->num_left = known.size();
  if (known.empty()) AsFuture(outer)->SetResult(host.heap().New<lang::List>());
  return outer;
}

namespace {

// wait: until the first, the first error, or all.
struct Several {
  std::vector<Value> futures;
  std::string until;
  std::optional<double> seconds;
  Value waiter;
  std::optional<EventLoop::TimerId> timer;

  std::size_t num_pending = 0;
  bool enough = false;

  // One that is done.
  void Count(const Future& future) {
    --num_pending;
    enough |= num_pending == 0 || until == "FIRST_COMPLETED" ||
              (until == "FIRST_EXCEPTION" && future.state() == Future::State::kFinished &&
               !future.error().is_unset());
  }
  Outcome<bool> Give(Machine& machine, Value& next) const;
};

Outcome<bool> Several::Give(Machine& machine, Value& next) const {
  Value done = machine.heap().New<lang::Set>(), pending = machine.heap().New<lang::Set>();
  for (const Value& future : futures) {
    ESP_TRY((AsFuture(future)->done() ? done : pending).As<lang::Set>()->Add(machine, future));
  }
  next = machine.heap().New<lang::Tuple>(std::vector<Value>{done, pending});
  return false;
}

}  // namespace

Outcome<Value> Wait(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(auto bound, BindArguments("wait", args, {"fs", "timeout", "return_when"}, 1));
  auto several = std::make_shared<Several>();
  several->until = bound[2].is_str() ? std::string(lang::TextOf(bound[2])) : "ALL_COMPLETED";
  if (!bound[1].is_unset() && !bound[1].is_none()) {
    ESP_TRY_ASSIGN(several->seconds, SecondsOf(bound[1]));
  }
  ESP_TRY_ASSIGN(several->futures, lang::Collect(host, bound[0]));
  if (several->futures.empty()) return lang::ValueError("Set of Tasks/Futures is empty.");
  return NewCoroutine(
      host, [several](Machine& machine, const Given& given, Value& next) -> Outcome<bool> {
        if (!given.error.is_unset()) return Throwing(given.error);
        if (!several->waiter.is_none()) {
          if (several->timer) AsFuture(several->waiter)->loop().CancelTimer(*several->timer);
          return several->Give(machine, next);
        }
        ESP_TRY_ASSIGN(EventLoop* const loop, NeedLoop(machine));
        for (const Value& future : several->futures) {
          if (AsFuture(future) == nullptr) {
            return lang::TypeError("Passing coroutines is forbidden, use tasks explicitly.");
          }
        }
        several->num_pending = several->futures.size();
        for (const Value& future : several->futures) {
          if (AsFuture(future)->done()) several->Count(*AsFuture(future));
        }
        if (several->enough) return several->Give(machine, next);
        next = several->waiter = loop->NewFuture();
        if (several->seconds) {
          several->timer = loop->CallLater(*several->seconds, Release(next, Value()));
        }
        for (const Value& future : several->futures) {
          if (AsFuture(future)->done()) continue;
          AsFuture(future)->AddCallback([several](Machine& on, const Value& ended) -> Fault {
            several->Count(*AsFuture(ended));
            return several->enough ? Release(several->waiter, Value())(on) : Fault();
          });
        }
        return true;
      });
}

namespace {

// What as_completed shares among the coroutines that it gives.
struct Completion {
  std::deque<Value> done;     // futures, in the order in which they ended
  std::deque<Value> waiters;  // of coroutines that came too early
};

NativeCoroutine::Step NextCompleted(std::shared_ptr<Completion> completion) {
  return [=](Machine& machine, const Given& given, Value& next) -> Outcome<bool> {
    if (!given.error.is_unset()) return Throwing(given.error);
    if (completion->done.empty()) {
      ESP_TRY_ASSIGN(EventLoop* const loop, NeedLoop(machine));
      next = loop->NewFuture();
      completion->waiters.push_back(next);
      return true;
    }
    const Value first = completion->done.front();
    completion->done.pop_front();
    ESP_TRY_ASSIGN(next, AsFuture(first)->Result(machine));
    return false;
  };
}

}  // namespace

Outcome<Value> AsCompleted(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(auto bound, BindArguments("as_completed", args, {"fs", "timeout"}, 1));
  ESP_TRY_ASSIGN(EventLoop* const loop, NeedLoop(host));
  ESP_TRY_ASSIGN(const std::vector<Value> awaitables, lang::Collect(host, bound[0]));
  auto completion = std::make_shared<Completion>();
  std::vector<Value> coroutines;
  for (const Value& awaitable : awaitables) {
    ESP_TRY_ASSIGN(const Value future, loop->Ensure(static_cast<Machine&>(host), awaitable));
    AsFuture(future)->AddCallback([completion](Machine& on, const Value& ended) -> Fault {
      completion->done.push_back(ended);
      if (completion->waiters.empty()) return Fault();
      const Value waiter = completion->waiters.front();
      completion->waiters.pop_front();
      return Release(waiter, Value())(on);
    });
    coroutines.push_back(NewCoroutine(host, NextCompleted(completion)));
  }
  return lang::Iterate(host, host.heap().New<lang::List>(std::move(coroutines)));
}

// The future of what `awaitable` does, which goes on even when that is cancelled.
Outcome<Value> Shield(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("shield", args, 1, 1));
  ESP_TRY_ASSIGN(EventLoop* const loop, NeedLoop(host));
  ESP_TRY_ASSIGN(const Value inner, loop->Ensure(static_cast<Machine&>(host), args.positional[0]));
  if (AsFuture(inner)->done()) return inner;
  const Value outer = loop->NewFuture();
  AsFuture(inner)->AddCallback([outer](Machine& machine, const Value& ended) -> Fault {
    Future& to = *AsFuture(outer);
    if (to.done()) return Fault();
    Value error = ErrorOf(machine, *AsFuture(ended));
    if (!error.is_unset()) {
      to.SetError(std::move(error));
      return Fault();
    }
    ESP_TRY_ASSIGN(Value result, AsFuture(ended)->Result(machine));
    to.SetResult(std::move(result));
    return Fault();
  });
  return outer;
}

Outcome<Value> ToThread(Host& host, const Value&, const Args& args) {
  if (args.positional.empty()) {
    return lang::TypeError("to_thread() missing 1 required positional argument: 'func'");
  }
  struct Call {
    std::vector<Value> positional;
    std::vector<std::pair<std::string, Value>> keywords;
    bool started = false;
  };
  auto call = std::make_shared<Call>();
  call->positional.assign(args.positional.begin(), args.positional.end());
  for (const lang::Keyword& keyword : args.keywords) {
    call->keywords.emplace_back(std::string(keyword.name), keyword.value);
  }
  return NewCoroutine(
      host, [call](Machine& machine, const Given& given, Value& next) -> Outcome<bool> {
        if (!given.error.is_unset()) return Throwing(given.error);
        next = given.value;
        if (std::exchange(call->started, true)) return false;
        ESP_TRY_ASSIGN(EventLoop* const loop, NeedLoop(machine));
        next = loop->NewFuture();
        loop->RunBeside(machine, next, [call, &machine]() -> Outcome<Value> {
          std::vector<lang::Keyword> keywords;
          for (const auto& [name, value] : call->keywords) keywords.push_back({name, value});
          return machine.Call(call->positional[0],
                              Args{std::span(call->positional).subspan(1), keywords});
        });
        return true;
      });
}

}  // namespace espalier::script::asyncio
