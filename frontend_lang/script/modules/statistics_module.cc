// What library/statistics.py leaves to C++: means of ints and finite floats, medians, modes.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/modules/exact_sum.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/values/arithmetic.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/sort.h"

namespace espalier::script {
namespace {

using lang::BinaryOp;
using Values = std::vector<Value>;

Fault StatisticsError(std::string message) {
  return lang::Raise("StatisticsError", std::move(message));
}

Outcome<Values> ReadNumbers(Host& host, const Value& source) {
  ESP_TRY_ASSIGN(Values numbers, lang::Collect(host, source));
  for (const Value& number : numbers) {
    ESP_TRY(host.Step());
    if (number.is_number()) continue;
    return lang::TypeError("can't convert type '" + std::string(lang::TypeName(number)) +
                           "' to numerator/denominator");
  }
  return numbers;
}

bool AllWhole(const Values& numbers) {
  return std::ranges::all_of(numbers, [](const Value& v) { return v.is_integer(); });
}

// The sum over n: of ints an int where it divides, as CPython's exact fractions give it.
Outcome<Value> MeanOf(Host& host, const Values& numbers) {
  const auto n = static_cast<std::int64_t>(numbers.size());
  if (AllWhole(numbers)) {
    Value total = Value::Int(0);
    for (const Value& number : numbers) {
      ESP_TRY_ASSIGN(total, lang::Binary(host, BinaryOp::kAdd, total, number));
    }
    ESP_TRY_ASSIGN(const Value rest, lang::Binary(host, BinaryOp::kMod, total, Value::Int(n)));
    ESP_TRY_ASSIGN(const bool uneven, lang::Truth(host, rest));
    return lang::Binary(host, uneven ? BinaryOp::kDiv : BinaryOp::kFloorDiv, total, Value::Int(n));
  }
  ExactSum sum;
  for (const Value& number : numbers) {
    ESP_TRY_ASSIGN(const double x, RealArgument(host, number));
    sum.Add(x);
  }
  return Value::Float(sum.Quotient(static_cast<double>(n)));
}

Outcome<Value> Mean(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("mean", args, {"data"}, 1));
  ESP_TRY_ASSIGN(const Values numbers, ReadNumbers(host, bound[0]));
  if (numbers.empty()) return StatisticsError("mean requires at least one data point");
  return MeanOf(host, numbers);
}

Outcome<Value> FloatMean(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("fmean", args, 1, 1));
  ESP_TRY_ASSIGN(const Values numbers, ReadNumbers(host, args.positional[0]));
  if (numbers.empty()) return StatisticsError("fmean requires at least one data point");
  ExactSum sum;
  for (const Value& number : numbers) {
    ESP_TRY_ASSIGN(const double x, RealArgument(host, number));
    sum.Add(x);
  }
  return Value::Float(sum.Total() / static_cast<double>(numbers.size()));
}

enum class Middle : unsigned char { kMean, kLow, kHigh };

template <Middle which>
Outcome<Value> Median(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("median", args, {"data"}, 1));
  ESP_TRY_ASSIGN(Values items, lang::Collect(host, bound[0]));
  if (items.empty()) return StatisticsError("no median for empty data");
  ESP_TRY(lang::Sort(host, items, {}));
  const std::size_t n = items.size(), half = n / 2;
  if (n % 2 == 1 || which == Middle::kHigh) return items[half];
  if (which == Middle::kLow) return items[half - 1];
  ESP_TRY_ASSIGN(const Value sum, lang::Binary(host, BinaryOp::kAdd, items[half - 1], items[half]));
  return lang::Binary(host, BinaryOp::kDiv, sum, Value::Int(2));
}

// The values that occur most often, in the order of their first occurrence.
Outcome<Values> MostFrequent(Host& host, const Value& source) {
  const Value made = host.heap().New<lang::Dict>();
  auto& counts = *made.As<lang::Dict>();
  std::int64_t most = 0;
  ESP_TRY(lang::ForEach(host, source, [&](const Value& item) -> Fault {
    ESP_TRY_ASSIGN(const Value* found, counts.Find(host, item));
    const std::int64_t count = found == nullptr ? 1 : found->as_int() + 1;
    most = std::max(most, count);
    return counts.Put(host, item, Value::Int(count));
  }));
  Values modes;
  for (std::size_t at = 0; const auto* entry = counts.EntryAt(at); ++at) {
    if (entry->value.as_int() == most) modes.push_back(entry->key);
  }
  return modes;
}

Outcome<Value> Mode(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("mode", args, {"data"}, 1));
  ESP_TRY_ASSIGN(const Values modes, MostFrequent(host, bound[0]));
  if (modes.empty()) return StatisticsError("no mode for empty data");
  return modes[0];
}

Outcome<Value> MultiMode(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("multimode", args, {"data"}, 1));
  ESP_TRY_ASSIGN(Values modes, MostFrequent(host, bound[0]));
  return host.heap().New<lang::List>(std::move(modes));
}

// is_plain(list): of ints and finite floats alone, at least one.
Outcome<Value> IsPlain(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("is_plain", args, 1, 1));
  ESP_TRY_ASSIGN(const Values numbers, lang::Collect(host, args.positional[0]));
  const auto plain = [](const Value& x) {
    return (x.is_integer() && !x.is_bool()) || (x.is_float() && std::fabs(x.as_float()) < 1e290);
  };
  return Value::Bool(!numbers.empty() && std::ranges::all_of(numbers, plain));
}

}  // namespace

Value MakeStatisticsModule(Machine& machine) {
  constexpr ModuleFunction kFunctions[] = {
      {"mean", Mean},
      {"fmean", FloatMean},
      {"median", Median<Middle::kMean>},
      {"median_low", Median<Middle::kLow>},
      {"median_high", Median<Middle::kHigh>},
      {"mode", Mode},
      {"multimode", MultiMode},
      {"is_plain", IsPlain},
  };
  const Value module = NewModule(machine, "_statistics", kFunctions);
  ModuleOf(module).Add("StatisticsError", NewErrorType(machine, "StatisticsError"));
  return module;
}

}  // namespace espalier::script
