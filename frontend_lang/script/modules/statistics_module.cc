// statistics: mean, fmean, median, mode, stdev and their like, of ints and floats.
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
  double special = 0;
  for (const Value& number : numbers) {
    ESP_TRY_ASSIGN(const double x, RealArgument(host, number));
    std::isfinite(x) ? sum.Add(x) : void(special += x);
  }
  if (special != 0) return Value::Float(special);
  return Value::Float(sum.Quotient(static_cast<double>(n)));
}

Outcome<Value> Mean(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("mean", args, {"data"}, 1));
  ESP_TRY_ASSIGN(const Values numbers, ReadNumbers(host, bound[0]));
  if (numbers.empty()) return StatisticsError("mean requires at least one data point");
  return MeanOf(host, numbers);
}

Outcome<Value> FloatMean(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("fmean", args, {"data", "weights"}, 1));
  ESP_TRY_ASSIGN(const Values numbers, ReadNumbers(host, bound[0]));
  if (numbers.empty()) return StatisticsError("fmean requires at least one data point");
  Values weights(numbers.size(), Value::Int(1));
  if (!bound[1].is_unset() && !bound[1].is_none()) {
    ESP_TRY_ASSIGN(weights, ReadNumbers(host, bound[1]));
  }
  if (weights.size() != numbers.size()) {
    return StatisticsError("data and weights must be the same length");
  }
  ExactSum sum, total;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    ESP_TRY_ASSIGN(const double x, RealArgument(host, numbers[i]));
    ESP_TRY_ASSIGN(const double w, RealArgument(host, weights[i]));
    sum.Add(x * w);
    total.Add(w);
  }
  if (total.Total() == 0) return StatisticsError("sum of weights must be non-zero");
  return Value::Float(sum.Total() / total.Total());
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

// The squares of the distances to the mean, over n - `lost`: exact up to one rounding.
// With ints: (n * sum of squares - square of the sum) / (n * (n - lost)).
Outcome<Value> VarianceOf(Host& host, const Values& numbers, std::int64_t lost) {
  const auto n = static_cast<std::int64_t>(numbers.size());
  if (AllWhole(numbers)) {
    Value sum = Value::Int(0), squares = Value::Int(0);
    for (const Value& number : numbers) {
      ESP_TRY_ASSIGN(sum, lang::Binary(host, BinaryOp::kAdd, sum, number));
      ESP_TRY_ASSIGN(const Value square, lang::Binary(host, BinaryOp::kMul, number, number));
      ESP_TRY_ASSIGN(squares, lang::Binary(host, BinaryOp::kAdd, squares, square));
    }
    ESP_TRY_ASSIGN(const Value all, lang::Binary(host, BinaryOp::kMul, squares, Value::Int(n)));
    ESP_TRY_ASSIGN(const Value part, lang::Binary(host, BinaryOp::kMul, sum, sum));
    ESP_TRY_ASSIGN(const Value above, lang::Binary(host, BinaryOp::kSub, all, part));
    const Value below = Value::Int(n * (n - lost));
    ESP_TRY_ASSIGN(const Value rest, lang::Binary(host, BinaryOp::kMod, above, below));
    ESP_TRY_ASSIGN(const bool uneven, lang::Truth(host, rest));
    return lang::Binary(host, uneven ? BinaryOp::kDiv : BinaryOp::kFloorDiv, above, below);
  }
  ExactSum sum;
  std::vector<double> xs;
  for (const Value& number : numbers) {
    ESP_TRY_ASSIGN(const double x, RealArgument(host, number));
    xs.push_back(x);
    sum.Add(x);
  }
  const double mean = sum.Quotient(static_cast<double>(n));
  ExactSum squares, rest;  // sum (x - mean)^2 - (sum (x - mean))^2 / n
  for (const double x : xs) {
    const double distance = x - mean, square = distance * distance;
    squares.Add(square);
    squares.Add(std::fma(distance, distance, -square));
    rest.Add(distance);
  }
  const double off = rest.Total();
  squares.Add(-off * off / static_cast<double>(n));
  return Value::Float(squares.Quotient(static_cast<double>(n - lost)));
}

struct Spread {
  std::string_view name;
  std::int64_t lost;  // degrees of freedom
  bool root;
};

template <const Spread& spread>
Outcome<Value> SpreadOf(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments(spread.name, args, {"data", "xbar"}, 1));
  ESP_TRY_ASSIGN(const Values numbers, ReadNumbers(host, bound[0]));
  const auto n = static_cast<std::int64_t>(numbers.size());
  if (n <= spread.lost) {
    return StatisticsError(std::string(spread.name) + " requires at least " +
                           (spread.lost == 0 ? "one data point" : "two data points"));
  }
  ESP_TRY_ASSIGN(const Value variance, VarianceOf(host, numbers, spread.lost));
  if (!spread.root) return variance;
  ESP_TRY_ASSIGN(const double square, RealArgument(host, variance));
  return Value::Float(std::sqrt(square));
}
constexpr Spread kStdev{"stdev", 1, true}, kPstdev{"pstdev", 0, true};
constexpr Spread kVariance{"variance", 1, false}, kPvariance{"pvariance", 0, false};

Outcome<Value> GeometricMean(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("geometric_mean", args, {"data"}, 1));
  ESP_TRY_ASSIGN(const Values numbers, ReadNumbers(host, bound[0]));
  ExactSum logs;
  for (const Value& number : numbers) {
    ESP_TRY_ASSIGN(const double x, RealArgument(host, number));
    if (x <= 0) {
      return StatisticsError(
          "geometric mean requires a non-empty dataset containing positive numbers");
    }
    logs.Add(std::log(x));
  }
  if (numbers.empty()) {
    return StatisticsError(
        "geometric mean requires a non-empty dataset containing positive numbers");
  }
  return Value::Float(std::exp(logs.Total() / static_cast<double>(numbers.size())));
}

Outcome<Value> HarmonicMean(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("harmonic_mean", args, {"data"}, 1));
  ESP_TRY_ASSIGN(const Values numbers, ReadNumbers(host, bound[0]));
  if (numbers.empty()) return StatisticsError("harmonic_mean requires at least one data point");
  ExactSum inverses;
  for (const Value& number : numbers) {
    ESP_TRY_ASSIGN(const double x, RealArgument(host, number));
    if (x < 0) return StatisticsError("harmonic mean does not support negative values");
    if (x == 0) return Value::Int(0);
    const double inverse = 1 / x;
    inverses.Add(inverse);
    inverses.Add(std::fma(-inverse, x, 1.0) / x);  // what the division lost
  }
  return Value::Float(static_cast<double>(numbers.size()) / inverses.Total());
}

Outcome<Value> Quantiles(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("quantiles", args, {"data", "n"}, 1));
  std::int64_t n = 4;
  if (!bound[1].is_unset()) {
    ESP_TRY_ASSIGN(n, IndexArgument(bound[1]));
  }
  if (n < 1) return StatisticsError("n must be at least 1");
  ESP_TRY_ASSIGN(Values items, lang::Collect(host, bound[0]));
  ESP_TRY(lang::Sort(host, items, {}));
  const auto size = static_cast<std::int64_t>(items.size());
  if (size < 2) return StatisticsError("must have at least two data points");
  Values cuts;
  for (std::int64_t i = 1; i < n; ++i) {
    ESP_TRY(host.Step());
    const std::int64_t at = std::clamp<std::int64_t>(i * (size + 1) / n, 1, size - 1);
    const std::int64_t delta = i * (size + 1) - at * n;
    ESP_TRY_ASSIGN(const Value low,
                   lang::Binary(host, BinaryOp::kMul, items[static_cast<std::size_t>(at - 1)],
                                Value::Int(n - delta)));
    ESP_TRY_ASSIGN(
        const Value high,
        lang::Binary(host, BinaryOp::kMul, items[static_cast<std::size_t>(at)], Value::Int(delta)));
    ESP_TRY_ASSIGN(const Value sum, lang::Binary(host, BinaryOp::kAdd, low, high));
    ESP_TRY_ASSIGN(Value cut, lang::Binary(host, BinaryOp::kDiv, sum, Value::Int(n)));
    cuts.push_back(std::move(cut));
  }
  return host.heap().New<lang::List>(std::move(cuts));
}

}  // namespace

Value MakeStatisticsModule(Machine& machine) {
  constexpr ModuleFunction kFunctions[] = {
      {"mean", Mean},
      {"fmean", FloatMean},
      {"geometric_mean", GeometricMean},
      {"harmonic_mean", HarmonicMean},
      {"median", Median<Middle::kMean>},
      {"median_low", Median<Middle::kLow>},
      {"median_high", Median<Middle::kHigh>},
      {"mode", Mode},
      {"multimode", MultiMode},
      {"stdev", SpreadOf<kStdev>},
      {"pstdev", SpreadOf<kPstdev>},
      {"variance", SpreadOf<kVariance>},
      {"pvariance", SpreadOf<kPvariance>},
      {"quantiles", Quantiles},
  };
  const Value module = NewModule(machine, "statistics", kFunctions);
  ModuleOf(module).Add("StatisticsError", NewErrorType(machine, "StatisticsError"));
  return module;
}

}  // namespace espalier::script
