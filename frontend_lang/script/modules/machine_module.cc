// _machine: what the modules in frontend_lang/script/library need of the machine: functions
// that run beside their caller, waits, and how types are named.
#include <algorithm>
#include <chrono>
#include <map>
#include <memory>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/classes/class_object.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

// What strands wait for: wake(n) lets the first n go on, wake(-1) all.
class Signal final : public lang::Extension {
 public:
  explicit Signal(Heap& heap) : Extension(heap, lang::Type::kExtension) {}

  std::string_view TypeName() const override { return "Signal"; }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;

  // Whether it was woken before the deadline.
  Outcome<bool> Wait(Machine& machine, Strands::Deadline deadline);
  void Wake(std::int64_t count);

 private:
  struct Waiter {
    std::function<void()> wake;
    bool woken = false;
  };

  std::map<std::uint64_t, std::shared_ptr<Waiter>> waiters_;  // first come first
  std::uint64_t num_waits_ = 0;
};

Outcome<bool> Signal::Wait(Machine& machine, Strands::Deadline deadline) {
  const Value held(this);
  ESP_TRY(machine.Step());
  if (machine.strands() == nullptr) {
    if (deadline) return false;
    return lang::Raise("RuntimeError", "the program waits for itself");
  }
  const auto waiter = std::make_shared<Waiter>();
  const std::uint64_t number = num_waits_++;
  waiters_.emplace(number, waiter);
  Fault fault;
  while (fault.ok() && !waiter->woken && (!deadline || machine.clock().Now() < *deadline)) {
    fault = machine.strands()->Wait(waiter->wake, deadline, Strands::Sleep::kSkipped);
  }
  waiters_.erase(number);
  if (!fault.ok()) return fault;
  return waiter->woken;
}

void Signal::Wake(std::int64_t count) {
  for (; count != 0 && !waiters_.empty(); --count) {
    const std::shared_ptr<Waiter> waiter = waiters_.begin()->second;
    waiters_.erase(waiters_.begin());
    waiter->woken = true;
    if (waiter->wake) waiter->wake();
  }
}

Signal& SignalOf(const Value& self) { return *Exactly<Signal>(self); }

Outcome<Value> WaitMethod(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("wait", args, 1, 1));
  auto& machine = static_cast<Machine&>(host);
  Strands::Deadline deadline;
  if (!args.positional[0].is_none()) {
    ESP_TRY_ASSIGN(const double seconds, RealArgument(host, args.positional[0]));
    constexpr double kLongest = 1e9;
    const std::chrono::duration<double> length(std::clamp(seconds, 0.0, kLongest));
    deadline = machine.clock().Now() + std::chrono::ceil<ProgramClock::Duration>(length);
  }
  ESP_TRY_ASSIGN(const bool woken, SignalOf(self).Wait(machine, deadline));
  return Value::Bool(woken);
}

Outcome<Value> WakeMethod(Host&, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("wake", args, 1, 1));
  ESP_TRY_ASSIGN(const std::int64_t count, IndexArgument(args.positional[0]));
  SignalOf(self).Wake(count);
  return Value();
}

Outcome<Value> Signal::GetAttr(Host& host, std::string_view name) {
  if (name == "wait") return host.heap().New<lang::NativeFunction>("wait", WaitMethod, Value(this));
  if (name == "wake") return host.heap().New<lang::NativeFunction>("wake", WakeMethod, Value(this));
  return Value::Unset();
}

Outcome<Value> MakeSignal(Host& host, const Value&, const Args&) {
  return host.heap().New<Signal>();
}

// start(function): runs beside the caller. Errors are the function's own to deal with.
Outcome<Value> Start(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("start", args, 1, 1));
  auto& machine = static_cast<Machine&>(host);
  const Value function = args.positional[0];
  if (machine.strands() == nullptr) return machine.Call(function, {});
  machine.strands()->Start([&machine, function] { auto ignored = machine.Call(function, {}); },
                           Strands::Begin::kNow);
  return Value();
}

Outcome<Value> StrandNumber(Host& host, const Value&, const Args&) {
  const auto address = reinterpret_cast<std::uintptr_t>(&static_cast<Machine&>(host).task());
  return Value::Int(static_cast<std::int64_t>(address >> 4));
}

// tell_error(head, error): to stderr
Outcome<Value> TellError(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("tell_error", args, 2, 2));
  const auto* error = Exactly<ErrorObject>(args.positional[1]);
  if (error == nullptr) return Value();
  static_cast<Machine&>(host).PrintError(std::string(lang::TextOf(args.positional[0])) +
                                         FormatTraceback(host, *error));
  return Value();
}

// show_module(class, module): the class is of that module, and error texts say so.
Outcome<Value> ShowModule(Host&, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("show_module", args, 2, 2));
  if (auto* cls = args.positional[0].If<ClassObject>()) {
    cls->ShowModule(std::string(lang::TextOf(args.positional[1])));
  }
  return Value();
}

}  // namespace

Value MakeMachineModule(Machine& machine) {
  constexpr ModuleFunction kFunctions[] = {{"Signal", MakeSignal},
                                           {"start", Start},
                                           {"strand_number", StrandNumber},
                                           {"tell_error", TellError},
                                           {"show_module", ShowModule}};
  return NewModule(machine, "_machine", kFunctions);
}

}  // namespace espalier::script
