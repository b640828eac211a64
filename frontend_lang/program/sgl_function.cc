#include "frontend_lang/program/sgl_function.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "frontend_lang/program/batch_run.h"
#include "frontend_lang/program/gen_parameters.h"
#include "frontend_lang/program/state_object.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"
#include "kernels/base/random.h"

namespace espalier::program {
namespace {

using lang::Args;
using lang::Host;
using lang::Outcome;
using lang::Value;

// Options of run and run_batch that change nothing here.
bool IsAccepted(std::string_view name) { return name == "backend" || name == "use_thread"; }

struct RunKeywords {
  GenOptions defaults;
  std::vector<lang::Keyword> rest;  // for the function
  std::optional<std::int64_t> num_threads;
  bool streams = false, shows_progress = false, as_generator = false;
};

// Unset: "auto".
Outcome<std::optional<std::int64_t>> NumThreads(const Value& value) {
  if (value.is_int() && value.as_int() > 0) return std::optional(value.as_int());
  const bool is_auto = value.is_none() || (value.is_str() && lang::TextOf(value) == "auto");
  if (is_auto) return std::optional<std::int64_t>();
  return lang::ValueError("num_threads must be a positive int, or \"auto\"");
}

// A parameter of the function's own that is called as one of gen's is the function's.
bool IsOwn(const script::ScriptFunction* function, std::string_view name) {
  if (function == nullptr) return false;
  const script::Routine& routine = function->routine();
  const auto end = routine.locals.begin() + routine.num_positional + routine.num_keyword_only;
  return std::find(routine.locals.begin(), end, name) != end;
}

// `function`: that the rest is for; null: rows, which come elsewhere, have its arguments.
Outcome<RunKeywords> SplitKeywords(Host& host, const script::ScriptFunction* function,
                                   std::span<const lang::Keyword> keywords) {
  RunKeywords split;
  const std::pair<std::string_view, bool RunKeywords::*> kSwitches[] = {
      {"stream", &RunKeywords::streams},
      {"progress_bar", &RunKeywords::shows_progress},
      {"generator_style", &RunKeywords::as_generator}};
  for (const lang::Keyword& keyword : keywords) {
    const auto* is_switch =
        std::find_if(std::begin(kSwitches), std::end(kSwitches),
                     [&](const auto& row) { return row.first == keyword.name; });
    if (is_switch != std::end(kSwitches)) {
      ESP_TRY_ASSIGN(split.*is_switch->second, lang::Truth(host, keyword.value));
    } else if (IsOwn(function, keyword.name)) {
      split.rest.push_back(keyword);
    } else if (const GenParameter* parameter = FindGenParameter(keyword.name)) {
      if (keyword.value.is_none()) continue;
      ESP_TRY(parameter->set(host, keyword.name, keyword.value, split.defaults));
    } else if (keyword.name == "num_threads") {
      ESP_TRY_ASSIGN(split.num_threads, NumThreads(keyword.value));
    } else if (!IsAccepted(keyword.name)) {
      split.rest.push_back(keyword);
    }
  }
  return split;
}

template <Outcome<Value> (SglFunction::*method)(Host&, const Args&)>
Outcome<Value> Method(Host& host, const Value& self, const Args& args) {
  return (script::Exactly<SglFunction>(self)->*method)(host, args);
}
Outcome<Value> Nothing(Host&, const Value&, const Args&) { return Value(); }
template <const char* name>
Outcome<Value> Refuse(Host&, const Value&, const Args&) {
  return lang::Raise("NotImplementedError",
                     fmt::format("f.{}() is not in the language: a program is run as it is, and "
                                 "what its states share is found as it runs",
                                 name));
}
constexpr char kTrace[] = "trace";
constexpr char kCompile[] = "compile";

}  // namespace

Outcome<Value> SglFunction::GetAttr(Host& host, std::string_view name) {
  constexpr std::pair<std::string_view, lang::NativeCode> kMethods[] = {
      {"run", Method<&SglFunction::Run>},
      {"run_batch", Method<&SglFunction::RunBatch>},
      {"bind", Method<&SglFunction::Bind>},
      {"cache", Nothing},  // the constant prefix is found and kept anyway
      {"pin", Nothing},
      {"unpin", Nothing},
      {"trace", Refuse<kTrace>},
      {"compile", Refuse<kCompile>}};
  for (const auto& [method, code] : kMethods) {
    if (method == name) return host.heap().New<lang::NativeFunction>(method, code, Value(this));
  }
  const script::Routine& routine = function().routine();
  if (name == "func") return function_;
  if (name == "arg_defaults") {
    return host.heap().New<lang::List>(std::vector<Value>(function().defaults));
  }
  if (name == "arg_names") {
    std::vector<Value> names;
    for (int i = 1; i < routine.num_positional; ++i) {
      names.push_back(lang::MakeStr(host.heap(), routine.locals[static_cast<std::size_t>(i)]));
    }
    return host.heap().New<lang::List>(std::move(names));
  }
  return function().GetAttr(host, name);
}

Value SglFunction::NewState(std::uint64_t seed, GenOptions defaults) {
  PromptState* state =
      executor_.NewState(seed, std::move(defaults), function().routine().short_name);
  return heap().New<StateObject>(executor_, *state);
}

lang::Fault SglFunction::RunBody(Host& host, const Value& state, const Args& args) {
  std::vector<Value> positional{state};
  positional.insert(positional.end(), args.positional.begin(), args.positional.end());
  std::vector<lang::Keyword> keywords(args.keywords.begin(), args.keywords.end());
  for (const auto& [name, value] : bound_) keywords.push_back({name, value});
  const Value callee = function_;
  ESP_TRY_ASSIGN(script::Exactly<StateObject>(state)->return_value,
                 host.Call(callee, Args{positional, keywords}));
  return lang::Fault();
}

Outcome<Value> SglFunction::Run(Host& host, const Args& args) {
  ESP_TRY_ASSIGN(RunKeywords split, SplitKeywords(host, &function(), args.keywords));
  const Value held(this);
  if (!args.positional.empty() && script::Exactly<StateObject>(args.positional[0]) != nullptr) {
    const Value state = args.positional[0];
    ESP_TRY(RunBody(host, state, Args{args.positional.subspan(1), split.rest}));
    return state;
  }
  Fiber& fiber = executor_.current();
  const Value state = NewState(ChildSeed(fiber.seed, fiber.num_calls++), std::move(split.defaults));
  const Args given{args.positional, split.rest};
  if (split.streams) {
    RunBeside(state, given);
  } else {
    ESP_TRY(RunBody(host, state, given));
  }
  return state;
}

// In a fiber of its own, which keeps the arguments.
void SglFunction::RunBeside(const Value& object, const Args& args) {
  PromptState& state = script::Exactly<StateObject>(object)->state();
  std::vector<Value> positional(args.positional.begin(), args.positional.end());
  Bound keywords;
  for (const lang::Keyword& keyword : args.keywords) {
    keywords.emplace_back(std::string(keyword.name), keyword.value);
  }
  state.Stream();
  executor_.Spawn(state.seed(), [&executor = executor_, held = Value(this), object,
                                 positional = std::move(positional), bound = std::move(keywords)] {
    std::vector<lang::Keyword> given;
    for (const auto& [name, value] : bound) given.push_back({name, value});
    PromptState& own = script::Exactly<StateObject>(object)->state();
    own.SetFunction(&executor.current());
    lang::Fault fault = script::Exactly<SglFunction>(held)->RunBody(executor.machine(), object,
                                                                    Args{positional, given});
    if (!fault.ok()) executor.FailWith(own, std::move(fault));
    executor.FunctionEnded(own);
  });
}

Outcome<Value> SglFunction::Bind(Host& host, const Args& args) {
  if (!args.positional.empty()) return lang::TypeError("bind() takes keyword arguments only");
  Bound bound = bound_;
  for (const lang::Keyword& keyword : args.keywords) {
    bound.emplace_back(std::string(keyword.name), keyword.value);
  }
  return host.heap().New<SglFunction>(executor_, function_, std::move(bound));
}

// A row is a dict of keywords, or a list of as many arguments as the function takes.
lang::Fault SglFunction::CheckRow(const Value& row) const {
  if (const auto* dict = row.If<lang::Dict>()) {
    std::size_t position = 0;
    for (const auto* entry = dict->EntryAt(position); entry != nullptr;
         entry = dict->EntryAt(++position)) {
      if (!entry->key.is_str()) return lang::TypeError("keywords must be strings");
    }
    return lang::Fault();
  }
  const auto* list = row.If<lang::List>();
  const auto* tuple = row.If<lang::Tuple>();
  if (list == nullptr && tuple == nullptr) {
    return lang::TypeError(
        fmt::format("run_batch() takes a list of dicts or of tuples; a row is "
                    "of type '{}'",
                    lang::TypeName(row)));
  }
  const std::size_t given = list != nullptr ? list->items().size() : tuple->items().size();
  const script::Routine& routine = function().routine();
  const auto most = static_cast<std::size_t>(routine.num_positional) - 1;
  const std::size_t least = most - std::min(most, function().defaults.size() + bound_.size());
  if (given < least || (given > most && !routine.has_star)) {
    return lang::Raise("Exception", "Given arguments mismatch the SGL function signature");
  }
  return lang::Fault();
}

Outcome<Value> SglFunction::RunBatch(Host& host, const Args& args) {
  constexpr std::int64_t kAutoWorkers = 256;
  if (args.positional.size() > 1) {
    return lang::TypeError("run_batch() takes one positional argument: the rows");
  }
  ESP_TRY_ASSIGN(RunKeywords split, SplitKeywords(host, nullptr, args.keywords));
  Value given = args.positional.empty() ? Value::Unset() : args.positional[0];
  std::erase_if(split.rest, [&](const lang::Keyword& keyword) {
    if (keyword.name != "batch_kwargs" || !given.is_unset()) return false;
    given = keyword.value;
    return true;
  });
  if (given.is_unset()) return lang::TypeError("run_batch() takes a list of dicts or of tuples");
  if (!split.rest.empty()) {
    return lang::TypeError(
        fmt::format("run_batch() got an unexpected keyword argument '{}'", split.rest[0].name));
  }
  Fiber& fiber = executor_.current();
  auto plan = std::make_shared<BatchPlan>();
  plan->seed = ChildSeed(fiber.seed, fiber.num_calls++);
  plan->defaults = std::move(split.defaults);
  plan->num_workers = std::max<std::int64_t>(split.num_threads.value_or(kAutoWorkers), 1);
  plan->shows_progress = split.shows_progress;
  ESP_TRY_ASSIGN(plan->rows, lang::Collect(host, given));
  for (const Value& row : plan->rows) ESP_TRY(CheckRow(row));
  const std::size_t num_rows = plan->rows.size();
  auto batch = std::make_shared<BatchRun>(executor_, Value(this), std::move(plan));
  if (split.as_generator) return host.heap().New<BatchStates>(std::move(batch), num_rows);
  batch->Start(0, num_rows);
  ESP_TRY(batch->Wait());
  std::vector<Value> states;
  for (std::size_t row = 0; row < num_rows; ++row) states.push_back(batch->TakeState(row));
  return host.heap().New<lang::List>(std::move(states));
}

}  // namespace espalier::program
