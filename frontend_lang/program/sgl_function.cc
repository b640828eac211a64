#include "frontend_lang/program/sgl_function.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "frontend_lang/program/gen_parameters.h"
#include "frontend_lang/program/state_object.h"
#include "frontend_lang/script/containers.h"
#include "frontend_lang/script/dict.h"
#include "frontend_lang/script/sequence.h"
#include "frontend_lang/script/str.h"
#include "kernels/base/random.h"

namespace espalier::program {
namespace {

using lang::Args;
using lang::Host;
using lang::Outcome;
using lang::Value;

// Options of run and run_batch that change nothing here.
bool IsAccepted(std::string_view name) {
  constexpr std::string_view kNames[] = {"backend", "use_thread", "stream", "progress_bar",
                                         "generator_style"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

struct RunKeywords {
  GenOptions defaults;
  std::vector<lang::Keyword> rest;  // for the function
  std::optional<std::int64_t> num_threads;
};

Outcome<RunKeywords> SplitKeywords(Host& host, std::span<const lang::Keyword> keywords) {
  RunKeywords split;
  for (const lang::Keyword& keyword : keywords) {
    const GenParameter* parameter = FindGenParameter(keyword.name);
    if (parameter != nullptr) {
      if (keyword.value.is_none()) continue;
      ESP_TRY(parameter->set(host, keyword.name, keyword.value, split.defaults));
    } else if (keyword.name == "num_threads") {
      if (keyword.value.is_int()) split.num_threads = keyword.value.as_int();
    } else if (!IsAccepted(keyword.name)) {
      split.rest.push_back(keyword);
    }
  }
  return split;
}

Outcome<Value> RunMethod(Host& host, const Value& self, const Args& args) {
  return script::Exactly<SglFunction>(self)->Run(host, args);
}
Outcome<Value> RunBatchMethod(Host& host, const Value& self, const Args& args) {
  return script::Exactly<SglFunction>(self)->RunBatch(host, args);
}
Outcome<Value> BindMethod(Host& host, const Value& self, const Args& args) {
  return script::Exactly<SglFunction>(self)->Bind(host, args);
}
Outcome<Value> CacheMethod(Host&, const Value&, const Args&) { return Value(); }

}  // namespace

struct SglFunction::Batch {
  std::vector<Value> rows;
  GenOptions defaults;
  std::uint64_t seed = 0;
  std::size_t next = 0;  // row
  int num_done = 0;
  int num_workers = 0;  // that have not ended
  std::vector<Value> results;
  std::vector<lang::Fault> faults;
};

Outcome<Value> SglFunction::GetAttr(Host& host, std::string_view name) {
  constexpr std::pair<std::string_view, lang::NativeCode> kMethods[] = {
      {"run", RunMethod},
      {"run_batch", RunBatchMethod},
      {"bind", BindMethod},
      {"cache", CacheMethod}};
  for (const auto& [method, code] : kMethods) {
    if (method == name) return host.heap().New<lang::NativeFunction>(method, code, Value(this));
  }
  return function().GetAttr(host, name);
}

Outcome<Value> SglFunction::Start(Host& host, std::uint64_t seed, GenOptions defaults,
                                  const Args& args) {
  PromptState* state = executor_.NewState(seed, std::move(defaults));
  const Value object = host.heap().New<StateObject>(executor_, *state);
  std::vector<Value> positional{object};
  positional.insert(positional.end(), args.positional.begin(), args.positional.end());
  std::vector<lang::Keyword> keywords(args.keywords.begin(), args.keywords.end());
  for (const auto& [name, value] : bound_) keywords.push_back({name, value});
  const Value callee = function_;
  ESP_TRY_ASSIGN(script::Exactly<StateObject>(object)->return_value,
                 host.Call(callee, Args{positional, keywords}));
  return object;
}

Outcome<Value> SglFunction::Run(Host& host, const Args& args) {
  ESP_TRY_ASSIGN(RunKeywords split, SplitKeywords(host, args.keywords));
  Fiber& fiber = executor_.current();
  const std::uint64_t seed = ChildSeed(fiber.seed, fiber.num_calls++);
  return Start(host, seed, std::move(split.defaults), Args{args.positional, split.rest});
}

Outcome<Value> SglFunction::Bind(Host& host, const Args& args) {
  if (!args.positional.empty()) return lang::TypeError("bind() takes keyword arguments only");
  Bound bound = bound_;
  for (const lang::Keyword& keyword : args.keywords) {
    bound.emplace_back(std::string(keyword.name), keyword.value);
  }
  return host.heap().New<SglFunction>(executor_, function_, std::move(bound));
}

Outcome<Value> SglFunction::RunRow(Host& host, const Batch& batch, std::size_t row) {
  const Value& given = batch.rows[row];
  const std::uint64_t seed = ChildSeed(batch.seed, row);
  Outcome<Value> result = Value();
  if (const auto* dict = given.If<lang::Dict>()) {
    std::vector<lang::Keyword> keywords;
    std::size_t position = 0;
    for (const auto* entry = dict->EntryAt(position); entry != nullptr;
         entry = dict->EntryAt(++position)) {
      if (!entry->key.is_str()) return lang::TypeError("keywords must be strings");
      keywords.push_back({lang::TextOf(entry->key), entry->value});
    }
    result = Start(host, seed, batch.defaults, Args{{}, keywords});
  } else {
    ESP_TRY_ASSIGN(const auto items, lang::Collect(host, given));
    result = Start(host, seed, batch.defaults, Args{items, {}});
  }
  if (result.ok()) {
    ESP_TRY(executor_.WaitUntil(&script::Exactly<StateObject>(*result)->state(), [&] {
      PromptState& state = script::Exactly<StateObject>(*result)->state();
      return state.failed() || state.idle();
    }));
  }
  return result;
}

// One worker: takes rows until there are no more.
void SglFunction::RunRows(Host& host, Batch& batch) {
  while (batch.next < batch.rows.size()) {
    const std::size_t row = batch.next++;
    executor_.current().seed = ChildSeed(batch.seed, row);
    executor_.current().num_calls = 0;
    auto result = RunRow(host, batch, row);
    if (result.ok()) {
      batch.results[row] = std::move(*result);
    } else {
      batch.faults[row] = result.TakeFault();
    }
    ++batch.num_done;
    if (executor_.options().progress) {
      executor_.options().progress(batch.num_done, static_cast<int>(batch.rows.size()));
    }
  }
  --batch.num_workers;
}

Outcome<Value> SglFunction::RunBatch(Host& host, const Args& args) {
  constexpr std::int64_t kMostWorkers = 256;
  if (args.positional.size() != 1) {
    return lang::TypeError("run_batch() takes a list of dicts or of tuples");
  }
  ESP_TRY_ASSIGN(RunKeywords split, SplitKeywords(host, args.keywords));
  if (!split.rest.empty()) {
    return lang::TypeError(
        fmt::format("run_batch() got an unexpected keyword argument '{}'", split.rest[0].name));
  }
  Fiber& fiber = executor_.current();
  Batch batch;
  batch.seed = ChildSeed(fiber.seed, fiber.num_calls++);
  batch.defaults = std::move(split.defaults);
  ESP_TRY_ASSIGN(batch.rows, lang::Collect(host, args.positional[0]));
  batch.results.resize(batch.rows.size());
  batch.faults.resize(batch.rows.size());
  const Value held(this);
  const auto num_rows = static_cast<std::int64_t>(batch.rows.size());
  batch.num_workers = static_cast<int>(
      std::min({num_rows, kMostWorkers,
                std::max<std::int64_t>(split.num_threads.value_or(kMostWorkers), 1)}));
  for (int i = batch.num_workers; i > 0; --i) {
    executor_.Spawn(batch.seed, [this, &host, &batch] { RunRows(host, batch); });
  }
  while (batch.num_workers > 0) {  // also when the run is to stop: they use our stack
    lang::Fault stopped = executor_.WaitUntil(nullptr, [&] { return batch.num_workers == 0; });
    if (!stopped.ok()) executor_.Yield();
  }
  for (lang::Fault& fault : batch.faults) {
    if (!fault.ok()) return std::move(fault);
  }
  return host.heap().New<lang::List>(std::move(batch.results));
}

}  // namespace espalier::program
