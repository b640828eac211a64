// _machine: what the modules in frontend_lang/script/library need of the machine: functions
// that run beside their caller, waits, and how types are named.
#include <algorithm>
#include <chrono>
#include <map>
#include <memory>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/classes/class_object.h"
#include "frontend_lang/script/classes/descriptors.h"
#include "frontend_lang/script/classes/type_forms.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/pydantic/annotation_text.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
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

Value NamesOf(Heap& heap, const Routine& routine, int begin, int end) {
  std::vector<Value> names;
  for (int i = begin; i < end; ++i) {
    names.push_back(lang::MakeStr(heap, routine.locals[static_cast<std::size_t>(i)]));
  }
  return heap.New<lang::Tuple>(std::move(names));
}

// function_of(method): of a bound method; anything else is itself.
Outcome<Value> FunctionOf(Host&, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("function_of", args, 1, 1));
  const auto* method = args.positional[0].If<BoundMethod>();
  return method == nullptr ? args.positional[0] : method->function();
}

// parameters_of(function): None for what is no function of a program; else (positional names,
// how many of them by place only, keyword-only names, names of *args and **kwargs, defaults of
// the last positional, dict of keyword defaults).
Outcome<Value> ParametersOf(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("parameters_of", args, 1, 1));
  const auto* function = Exactly<ScriptFunction>(args.positional[0]);
  if (function == nullptr) return Value();
  Heap& heap = host.heap();
  const Routine& routine = function->routine();
  const int keyword_end = routine.num_positional + routine.num_keyword_only;
  const int starred_end = keyword_end + (routine.has_star ? 1 : 0);
  const Value keyword_defaults = heap.New<lang::Dict>();
  for (std::size_t i = 0; i < function->keyword_defaults.size(); ++i) {
    const auto slot =
        static_cast<std::size_t>(routine.num_positional + routine.keyword_defaults[i]);
    keyword_defaults.As<lang::Dict>()->PutStr(routine.locals[slot], function->keyword_defaults[i]);
  }
  return heap.New<lang::Tuple>(std::vector<Value>{
      NamesOf(heap, routine, 0, routine.num_positional), Value::Int(routine.num_positional_only),
      NamesOf(heap, routine, routine.num_positional, keyword_end),
      NamesOf(heap, routine, keyword_end, starred_end),
      NamesOf(heap, routine, starred_end, routine.num_parameters()),
      heap.New<lang::Tuple>(std::vector<Value>(function->defaults)), keyword_defaults});
}

// parts_of_type(form): (origin, arguments) of List[int] and the like; None for others.
Outcome<Value> PartsOfType(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("parts_of_type", args, 1, 1));
  const auto* form = Exactly<TypeForm>(args.positional[0]);
  if (form == nullptr) return Value();
  const Value parts = host.heap().New<lang::Tuple>(form->args());
  return host.heap().New<lang::Tuple>(std::vector<Value>{form->origin(), parts});
}

// with_parts(form, arguments): the same type of other arguments.
Outcome<Value> WithParts(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("with_parts", args, 2, 2));
  const auto* form = Exactly<TypeForm>(args.positional[0]);
  const auto* parts = args.positional[1].If<lang::Tuple>();
  if (form == nullptr || parts == nullptr) return args.positional[0];
  return host.heap().New<TypeForm>(form->origin(), parts->items(), form->spelling());
}

// evaluate_hint(text, class or None, names or None): the type that the text of a hint means.
Outcome<Value> EvaluateHint(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("evaluate_hint", args, 3, 3));
  if (!args.positional[0].is_str()) return lang::TypeError("a hint is a str");
  return EvaluateAnnotation(host, lang::TextOf(args.positional[0]),
                            args.positional[1].If<ClassObject>(), args.positional[2]);
}

// ancestors_of(class): a class of the program and those that it derives from; [] for others.
Outcome<Value> AncestorsOf(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("ancestors_of", args, 1, 1));
  std::vector<Value> ancestors;
  if (auto* cls = args.positional[0].If<ClassObject>()) {
    for (ClassObject* at : cls->mro()) ancestors.emplace_back(at);
  }
  return host.heap().New<lang::List>(std::move(ancestors));
}

// is_made(function): a method that no program has written: the __repr__ of a dataclass.
Outcome<Value> IsMade(Host&, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("is_made", args, 1, 1));
  return Value::Bool(Exactly<OwnedMethod>(args.positional[0]) != nullptr);
}

// program_values(): of the globals of the program's own file.
Outcome<Value> ProgramValues(Host& host, const Value&, const Args&) {
  std::vector<Value> values;
  const auto& frames = static_cast<Machine&>(host).task().frames;
  const auto own = std::ranges::find_if(
      frames, [](const Frame& frame) { return frame.file->kind == LoadedFile::Kind::kProgram; });
  if (own == frames.end()) return host.heap().New<lang::List>();
  for (const Value& value : own->file->globals) {
    if (!value.is_unset()) values.push_back(value);
  }
  return host.heap().New<lang::List>(std::move(values));
}

// kind_of(function): "", "generator", "coroutine" or "async generator".
Outcome<Value> KindOf(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("kind_of", args, 1, 1));
  const auto* function = Exactly<ScriptFunction>(args.positional[0]);
  std::string kind;
  if (function != nullptr && function->routine().is_async) kind = "coroutine";
  if (function != nullptr && function->routine().is_generator) {
    kind = kind.empty() ? "generator" : "async generator";
  }
  return lang::MakeStr(host.heap(), std::move(kind));
}

}  // namespace

Value MakeMachineModule(Machine& machine) {
  constexpr ModuleFunction kFunctions[] = {{"Signal", MakeSignal},
                                           {"start", Start},
                                           {"strand_number", StrandNumber},
                                           {"tell_error", TellError},
                                           {"show_module", ShowModule},
                                           {"parameters_of", ParametersOf},
                                           {"parts_of_type", PartsOfType},
                                           {"ancestors_of", AncestorsOf},
                                           {"program_values", ProgramValues},
                                           {"is_made", IsMade},
                                           {"evaluate_hint", EvaluateHint},
                                           {"with_parts", WithParts},
                                           {"function_of", FunctionOf},
                                           {"kind_of", KindOf}};
  return NewModule(machine, "_machine", kFunctions);
}

}  // namespace espalier::script
