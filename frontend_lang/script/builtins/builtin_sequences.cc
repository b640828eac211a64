// len, sorted, min, max, sum, any, all.
#include <string>

#include <fmt/format.h>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/builtins/builtins.h"
#include "frontend_lang/script/values/arithmetic.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/sort.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using lang::TypeError;
using lang::ValueError;

Outcome<Value> Len(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("len", args, 1, 1));
  ESP_TRY_ASSIGN(const std::int64_t length, lang::Length(host, args.positional[0]));
  return Value::Int(length);
}

Outcome<Value> Sorted(Host& host, const Value&, const Args& args) {
  if (args.positional.size() != 1) {
    return TypeError(fmt::format("sorted expected 1 argument, got {}", args.positional.size()));
  }
  ESP_TRY_ASSIGN(const lang::SortOptions options,
                 lang::ParseSortOptions(host, args.keywords, "sort"));
  ESP_TRY_ASSIGN(auto items, lang::Collect(host, args.positional[0]));
  ESP_TRY(lang::Sort(host, items, options));
  return host.heap().New<lang::List>(std::move(items));
}

// min and max.
class Extreme {
 public:
  Extreme(Host& host, std::string_view function, lang::CompareOp better)
      : host_(host), function_(function), better_(better) {}

  Outcome<Value> Run(const Args& args) {
    Value fallback = Value::Unset();
    for (const lang::Keyword& keyword : args.keywords) {
      if (keyword.name == "key") {
        key_ = keyword.value;
      } else if (keyword.name == "default") {
        fallback = keyword.value;
      } else {
        return TypeError(
            fmt::format("{}() got an unexpected keyword argument '{}'", function_, keyword.name));
      }
    }
    const auto positional = args.positional;
    if (positional.empty()) {
      return TypeError(fmt::format("{} expected at least 1 argument, got 0", function_));
    }
    if (positional.size() > 1) {
      if (!fallback.is_unset()) {
        return TypeError(fmt::format(
            "Cannot specify a default for {}() with multiple positional arguments", function_));
      }
      for (const Value& value : positional) ESP_TRY(Consider(value));
      return best_;
    }
    ESP_TRY(lang::ForEach(host_, positional[0],
                          [this](const Value& value) { return Consider(value); }));
    if (!best_.is_unset()) return best_;
    if (!fallback.is_unset()) return fallback;
    return ValueError(fmt::format("{}() arg is an empty sequence", function_));
  }

 private:
  Fault Consider(const Value& value) {
    Value rank = value;
    if (!key_.is_none()) {
      ESP_TRY_ASSIGN(rank, host_.Call(key_, Args{{&value, 1}, {}}));
    }
    if (!best_.is_unset()) {
      ESP_TRY_ASSIGN(const bool better, lang::Compare(host_, better_, rank, best_rank_));
      if (!better) return Fault();
    }
    best_ = value;
    best_rank_ = std::move(rank);
    return Fault();
  }

  Host& host_;
  std::string_view function_;
  lang::CompareOp better_;
  Value key_, best_ = Value::Unset(), best_rank_;
};

Outcome<Value> Min(Host& host, const Value&, const Args& args) {
  return Extreme(host, "min", lang::CompareOp::kLt).Run(args);
}
Outcome<Value> Max(Host& host, const Value&, const Args& args) {
  return Extreme(host, "max", lang::CompareOp::kGt).Run(args);
}

Outcome<Value> Sum(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(auto bound, BindArguments("sum", args, {"iterable", "start"}, 1));
  Value total = bound[1].is_unset() ? Value::Int(0) : bound[1];
  if (total.is_str()) {
    return TypeError("sum() can't sum strings [use ''.join(seq) instead]");
  }
  ESP_TRY(lang::ForEach(host, bound[0], [&](const Value& value) -> Fault {
    ESP_TRY_ASSIGN(total, lang::Binary(host, lang::BinaryOp::kAdd, total, value));
    return Fault();
  }));
  return total;
}

// Stops at the first item whose truth is `wanted`.
Outcome<Value> FindTruth(Host& host, const Value& iterable, bool wanted) {
  ESP_TRY_ASSIGN(const Value iterator, lang::Iterate(host, iterable));
  for (Value item;;) {
    ESP_TRY(host.Step());
    ESP_TRY_ASSIGN(const bool more, lang::Next(host, iterator, item));
    if (!more) return Value::Bool(!wanted);
    ESP_TRY_ASSIGN(const bool truth, lang::Truth(host, item));
    if (truth == wanted) return Value::Bool(wanted);
  }
}

Outcome<Value> Any(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("any", args, 1, 1));
  return FindTruth(host, args.positional[0], true);
}
Outcome<Value> All(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("all", args, 1, 1));
  return FindTruth(host, args.positional[0], false);
}

}  // namespace

void AddSequenceBuiltins(Machine& machine) {
  constexpr std::pair<std::string_view, lang::NativeCode> kFunctions[] = {
      {"len", Len}, {"sorted", Sorted}, {"min", Min}, {"max", Max},
      {"sum", Sum}, {"any", Any},       {"all", All},
  };
  for (const auto& [name, code] : kFunctions) {
    machine.AddBuiltin(name, machine.heap().New<lang::NativeFunction>(name, code));
  }
}

}  // namespace espalier::script
