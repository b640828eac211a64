// The part of Machine that calls: frames, arguments, generators.
#include <algorithm>
#include <new>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "frontend_lang/script/classes/construct.h"
#include "frontend_lang/script/classes/descriptors.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/machine/machine.h"
#include "frontend_lang/script/machine/taken_arguments.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using Names = std::vector<std::string>;

std::string JoinNames(const Names& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += names.size() == 2 ? " and " : i + 1 == names.size() ? ", and " : ", ";
    out += "'" + names[i] + "'";
  }
  return out;
}

Fault Missing(const Routine& routine, const Names& names, std::string_view kind) {
  return lang::TypeError(fmt::format("{}() missing {} required {} argument{}: {}", routine.name,
                                     names.size(), kind, names.size() == 1 ? "" : "s",
                                     JoinNames(names)));
}

Fault TooMany(const Routine& routine, std::size_t given, std::size_t num_keyword_only) {
  const int most = routine.num_positional;
  const int least = most - routine.num_defaults;
  const std::string takes =
      least < most ? fmt::format("from {} to {}", least, most) : std::to_string(most);
  const std::string extra =
      num_keyword_only == 0
          ? ""
          : fmt::format(" positional argument{} (and {} keyword-only argument{})",
                        given == 1 ? "" : "s", num_keyword_only, num_keyword_only == 1 ? "" : "s");
  return lang::TypeError(fmt::format("{}() takes {} positional argument{} but {}{} {} given",
                                     routine.name, takes, most == 1 && least == most ? "" : "s",
                                     given, extra, given == 1 && extra.empty() ? "was" : "were"));
}

}  // namespace

// callee args -> result, or a new frame.
Fault Machine::CallWith(std::size_t num_positional, const Names* keywords) {
  ESP_TRY(Step());
  if (heap().has_unfinished()) ESP_TRY(CloseUnfinished());
  const std::size_t count = num_positional + (keywords == nullptr ? 0 : keywords->size());
  const Value callee = Top(count);
  if (auto* function = Exactly<ScriptFunction>(callee)) {
    return EnterFunction(*function, num_positional, keywords);
  }
  switch (callee.type()) {
    case lang::Type::kMethod: {
      const auto& method = *callee.As<BoundMethod>();
      return CallWithSelf(Value(method.function()), num_positional, keywords, method.self());
    }
    case lang::Type::kClass: return CallClass(*callee.As<ClassObject>(), num_positional, keywords);
    case lang::Type::kInstance: {
      const Value* call = callee.As<Instance>()->FindSpecial(Special::kCall);
      if (call == nullptr) break;
      lang::NestedScope scope(*this);  // it may be such an object again
      ESP_TRY(scope.Check());
      return CallWithSelf(Value(*call), num_positional, keywords, callee);
    }
    default: break;
  }
  return CallNative(callee, num_positional, keywords, 1);
}

// Puts the result in the place of the arguments and num_below values below them.
Fault Machine::CallNative(const Value& callee, std::size_t num_positional, const Names* keywords,
                          std::size_t num_below) {
  const TakenArguments taken(task_->values, num_positional, keywords);
  auto result = Host::Call(callee, taken.args());
  if (!result.ok()) return result.TakeFault();
  Drop(num_below);
  Push(std::move(*result));
  return Fault();
}

// callee tuple dict -> result
Fault Machine::CallSpread() {
  const Value keywords = Pop();
  const Value positional = Pop();
  Names names;
  // On the stack, taken off it, and in a *args.
  ESP_TRY(Reserve(positional.As<lang::Tuple>()->size(), 3 * sizeof(Value)));
  for (const Value& value : positional.As<lang::Tuple>()->items()) Push(Value(value));
  const auto* dict = keywords.As<lang::Dict>();
  std::size_t position = 0;
  for (const auto* entry = dict->EntryAt(position); entry != nullptr;
       entry = dict->EntryAt(++position)) {
    names.emplace_back(lang::TextOf(entry->key));
    Push(Value(entry->value));
  }
  return CallWith(static_cast<std::size_t>(positional.As<lang::Tuple>()->size()), &names);
}

Fault Machine::EnterFunction(ScriptFunction& function, std::size_t num_positional,
                             const Names* keywords) {
  const Routine& routine = function.routine();
  const bool plain = (keywords == nullptr || keywords->empty()) &&
                     num_positional == static_cast<std::size_t>(routine.num_positional) &&
                     routine.num_parameters() == routine.num_positional;
  if (!plain) ESP_TRY(BindSlow(function, num_positional, keywords));
  return PushFrame(function);
}

// Rearranges the arguments on the stack into the function's parameters.
Fault Machine::BindSlow(const ScriptFunction& function, std::size_t num_positional,
                        const Names* keywords) {
  const Routine& routine = function.routine();
  const TakenArguments taken(task_->values, num_positional, keywords);
  const Args args = taken.args();
  const auto num_named =
      static_cast<std::size_t>(routine.num_positional + routine.num_keyword_only);
  const auto most = static_cast<std::size_t>(routine.num_positional);
  std::vector<Value> slots(num_named, Value::Unset());
  std::copy_n(args.positional.begin(), std::min(most, num_positional), slots.begin());
  Value extra = routine.has_double_star ? heap().New<lang::Dict>() : Value();
  for (const lang::Keyword& keyword : args.keywords) {
    const auto begin = routine.locals.begin();
    const auto found = std::find(begin + routine.num_positional_only,
                                 begin + static_cast<std::ptrdiff_t>(num_named), keyword.name);
    const auto slot = static_cast<std::size_t>(found - begin);
    if (slot == num_named) {
      if (routine.has_double_star) {
        extra.As<lang::Dict>()->PutStr(keyword.name, keyword.value);
        continue;
      }
      if (std::find(begin, begin + routine.num_positional_only, keyword.name) !=
          begin + routine.num_positional_only) {
        return lang::TypeError(
            fmt::format("{}() got some positional-only arguments passed as keyword arguments: '{}'",
                        routine.name, keyword.name));
      }
      return lang::TypeError(
          fmt::format("{}() got an unexpected keyword argument '{}'", routine.name, keyword.name));
    }
    if (!slots[slot].is_unset()) {
      return lang::TypeError(
          fmt::format("{}() got multiple values for argument '{}'", routine.name, keyword.name));
    }
    slots[slot] = keyword.value;
  }
  if (num_positional > most && !routine.has_star) {
    const auto given = std::count_if(slots.begin() + routine.num_positional, slots.end(),
                                     [](const Value& value) { return !value.is_unset(); });
    return TooMany(routine, num_positional, static_cast<std::size_t>(given));
  }
  ESP_TRY(FillDefaults(function, slots));
  for (Value& slot : slots) Push(std::move(slot));
  if (routine.has_star) {
    const auto rest = args.positional.subspan(std::min(most, num_positional));
    Push(heap().New<lang::Tuple>(std::vector<Value>(rest.begin(), rest.end())));
  }
  if (routine.has_double_star) Push(std::move(extra));
  return Fault();
}

Fault Machine::FillDefaults(const ScriptFunction& function, std::vector<Value>& slots) {
  const Routine& routine = function.routine();
  Names missing;
  for (int i = 0; i < routine.num_positional; ++i) {
    Value& slot = slots[static_cast<std::size_t>(i)];
    if (!slot.is_unset()) continue;
    const int at = i - (routine.num_positional - routine.num_defaults);
    if (at >= 0) {
      slot = function.defaults[static_cast<std::size_t>(at)];
    } else {
      missing.push_back(routine.locals[static_cast<std::size_t>(i)]);
    }
  }
  if (!missing.empty()) return Missing(routine, missing, "positional");
  for (std::size_t i = 0; i < function.keyword_defaults.size(); ++i) {
    Value& slot =
        slots[static_cast<std::size_t>(routine.num_positional + routine.keyword_defaults[i])];
    if (slot.is_unset()) slot = function.keyword_defaults[i];
  }
  for (auto i = static_cast<std::size_t>(routine.num_positional); i < slots.size(); ++i) {
    if (slots[i].is_unset()) missing.push_back(routine.locals[i]);
  }
  return missing.empty() ? Fault() : Missing(routine, missing, "keyword-only");
}

// callee parameters -> a frame that stands on them; of a generator function: a generator.
Fault Machine::PushFrame(ScriptFunction& function) {
  const Routine& routine = function.routine();
  if (task_->frames.size() >= static_cast<std::size_t>(options_.max_depth)) {
    return lang::Raise("RecursionError", "maximum recursion depth exceeded");
  }
  function.MarkCalled();
  auto& values = task_->values;
  const std::size_t base = values.size() - static_cast<std::size_t>(routine.num_parameters());
  values.Reserve(routine.locals.size() + static_cast<std::size_t>(routine.max_pushed));
  values.resize(base + static_cast<std::size_t>(routine.first_free), Value::Unset());
  for (const int slot : routine.own_cells) {
    Value cell = heap().New<Cell>();
    Value& local = values[base + static_cast<std::size_t>(slot)];
    static_cast<Cell*>(cell.object())->value = std::move(local);
    local = std::move(cell);
  }
  for (const Value& cell : function.cells) values.push_back(cell);
  Frame frame{&routine, &function.file(),     Value(&function),     0,
              base,     task_->blocks.size(), task_->handled.size()};
  if (!routine.is_generator && !routine.is_async) {
    task_->frames.push_back(std::move(frame));
    return Fault();
  }
  Value* const first = values.begin() + base;
  std::vector<Value> locals(std::make_move_iterator(first), std::make_move_iterator(values.end()));
  values.erase(first, values.end());
  Top() = heap().New<Generator>(std::move(frame), std::move(locals));
  return Fault();
}

Fault Machine::MakeFunction(const Routine& routine) {
  Value made = heap().New<ScriptFunction>(*frame().file, routine);
  auto& function = static_cast<ScriptFunction&>(*made.object());
  const auto take = [this](std::size_t count, std::vector<Value>& to) {
    to.resize(count);
    for (std::size_t i = count; i-- > 0;) to[i] = Pop();
  };
  take(routine.keyword_defaults.size(), function.keyword_defaults);
  take(static_cast<std::size_t>(routine.num_defaults), function.defaults);
  for (const int slot : routine.captures) function.cells.push_back(Local(slot));
  Push(std::move(made));
  return Fault();
}

// From a frame that is not the last of its run loop.
Fault Machine::ReturnValue(Value value) {
  const Frame& ending = frame();
  const bool iterated = ending.generator != nullptr;
  const bool gives_result = ending.gives_result;
  const int on_end = ending.on_end;
  const Then then = ending.then;
  DropFrame();
  if (then == Then::kNewObject) return CheckInitResult(value);
  if (iterated) {  // the iterator is on top
    if (gives_result) {
      Top() = std::move(value);
    } else {
      Drop(1);
    }
    frame().at = on_end;
  } else {
    Top() = std::move(value);  // in the place of the callee
  }
  return Fault();
}

// As Run, where C++ code calls what is no script.
Outcome<Value> Machine::CallNatively(const Value& callee, const Args& args) {
  try {
    return Host::Call(callee, args);
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  }
  return OutOfMemory();
}

Outcome<Value> Machine::Call(const Value& callee, const Args& args) {
  auto* function = Exactly<ScriptFunction>(callee);
  if (function == nullptr) return CallNatively(callee, args);
  lang::NestedScope scope(*this);
  ESP_TRY(scope.Check());
  const std::size_t num_values = task_->values.size(), num_frames = task_->frames.size();
  Push(Value(callee));
  Names names;
  for (const Value& value : args.positional) Push(Value(value));
  for (const lang::Keyword& keyword : args.keywords) {
    names.emplace_back(keyword.name);
    Push(Value(keyword.value));
  }
  Fault fault = EnterFunction(*function, args.positional.size(), &names);
  Outcome<Value> result = Value();
  if (!fault.ok()) {
    result = std::move(fault);
  } else if (task_->frames.size() > num_frames) {
    result = Run(num_frames);
  } else {
    result = Pop();  // a generator
  }
  task_->values.resize(num_values);
  return result;
}

}  // namespace espalier::script
