#include "frontend_lang/script/asyncio/timeout.h"

#include <optional>

#include "frontend_lang/script/asyncio/waiting.h"
#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/machine/error_object.h"

namespace espalier::script::asyncio {
namespace {

using Given = NativeCoroutine::Given;

class Timeout final : public lang::Extension {
 public:
  Timeout(Heap& heap, std::optional<double> seconds)
      : Extension(heap, lang::Type::kExtension), seconds_(seconds) {}

  std::string_view TypeName() const override { return "Timeout"; }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;

  Outcome<Value> Enter(Machine& machine);
  Outcome<bool> Leave(Machine& machine, const Value& error, Value& next);
  bool expired() const { return expired_; }

 private:
  void Clear() override { loop_ = Value(); }

  std::optional<double> seconds_;
  Value loop_;
  EventLoop::TimerId timer_;
  bool expired_ = false;
};

Timeout& SelfOf(const Value& self) { return *static_cast<Timeout*>(self.object()); }

Outcome<Value> Timeout::Enter(Machine& machine) {
  ESP_TRY_ASSIGN(EventLoop* const loop, NeedLoop(machine));
  const Value task = loop->current_task;
  if (task.is_none()) return lang::Raise("RuntimeError", "Timeout should be used inside a task");
  loop_ = Value(loop);
  if (seconds_) {
    timer_ = loop->CallLater(*seconds_, [task, self = Value(this)](Machine&) -> Fault {
      SelfOf(self).expired_ = true;
      AsFuture(task)->Cancel(Value::Unset());
      return Fault();
    });
  }
  return Value(this);
}

// A cancellation that the timer caused becomes a TimeoutError.
Outcome<bool> Timeout::Leave(Machine& machine, const Value& error, Value& next) {
  if (auto* loop = Exactly<EventLoop>(loop_); loop != nullptr && seconds_) {
    loop->CancelTimer(timer_);
  }
  next = Value();
  if (!expired_ || !IsA(error, "CancelledError")) return false;
  Value timed_out = NewError(machine.heap(), "TimeoutError");
  auto& object = *Exactly<ErrorObject>(timed_out);
  object.cause = error;
  object.suppress_context = true;
  return Throwing(std::move(timed_out));
}

Outcome<Value> EnterMethod(Host& host, const Value& self, const Args&) {
  return host.heap().New<NativeCoroutine>(
      [self](Machine& machine, const Given&, Value& next) -> Outcome<bool> {
        ESP_TRY_ASSIGN(next, SelfOf(self).Enter(machine));
        return false;
      });
}

Outcome<Value> ExitMethod(Host& host, const Value& self, const Args& args) {
  const Value error = args.positional.size() > 1 ? args.positional[1] : Value();
  return host.heap().New<NativeCoroutine>(
      [self, error](Machine& machine, const Given&, Value& next) {
        return SelfOf(self).Leave(machine, error, next);
      });
}

Outcome<Value> Expired(Host&, const Value& self, const Args&) {
  return Value::Bool(SelfOf(self).expired());
}

Outcome<Value> Timeout::GetAttr(Host& host, std::string_view name) {
  const lang::NativeCode code = name == "__aenter__"  ? EnterMethod
                                : name == "__aexit__" ? ExitMethod
                                : name == "expired"   ? Expired
                                                      : nullptr;
  if (code == nullptr) return Value::Unset();
  return host.heap().New<lang::NativeFunction>("timeout", code, Value(this));
}

}  // namespace

Outcome<Value> NewTimeout(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("timeout", args, 1, 1));
  std::optional<double> seconds;
  if (!args.positional[0].is_none()) {
    ESP_TRY_ASSIGN(seconds, SecondsOf(args.positional[0]));
  }
  return host.heap().New<Timeout>(seconds);
}

}  // namespace espalier::script::asyncio
