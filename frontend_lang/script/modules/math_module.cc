// math: functions of real numbers. (math_integers.cc has those of ints.)
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/modules/exact_sum.h"
#include "frontend_lang/script/modules/math_integers.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/sequence.h"

namespace espalier::script {
namespace {

using lang::TypeError;
using lang::ValueError;

Fault DomainError() { return ValueError("math domain error"); }
Fault RangeError() { return lang::Raise("OverflowError", "math range error"); }

// What an infinite result of a finite argument means.
enum class Infinite : unsigned char { kDomain, kRange };

struct RealFunction {
  std::string_view name;  // with "math."
  double (*function)(double);
  Infinite infinite = Infinite::kDomain;
};
constexpr RealFunction kReal[] = {
    {"math.acos", std::acos},
    {"math.acosh", std::acosh},
    {"math.asin", std::asin},
    {"math.asinh", std::asinh},
    {"math.atan", std::atan},
    {"math.atanh", std::atanh},
    {"math.cbrt", std::cbrt},
    {"math.cos", std::cos},
    {"math.cosh", std::cosh, Infinite::kRange},
    {"math.degrees", [](double x) { return x * (180.0 / std::numbers::pi); }},
    {"math.erf", std::erf},
    {"math.erfc", std::erfc},
    {"math.exp", std::exp, Infinite::kRange},
    {"math.exp2", std::exp2, Infinite::kRange},
    {"math.expm1", std::expm1, Infinite::kRange},
    {"math.fabs", std::fabs},
    {"math.gamma", std::tgamma, Infinite::kRange},
    {"math.lgamma", std::lgamma, Infinite::kRange},
    {"math.log10", std::log10},
    {"math.log1p", std::log1p},
    {"math.log2", std::log2},
    {"math.radians", [](double x) { return x * (std::numbers::pi / 180.0); }},
    {"math.sin", std::sin},
    {"math.sinh", std::sinh, Infinite::kRange},
    {"math.sqrt", std::sqrt},
    {"math.tan", std::tan},
    {"math.tanh", std::tanh},
};

// gamma and lgamma have poles, which are domain errors.
bool IsPole(std::string_view name, double x) {
  return (name == "math.gamma" || name == "math.lgamma") && x <= 0 && x == std::floor(x);
}

template <std::size_t i>
Outcome<Value> CallReal(Host& host, const Value&, const Args& args) {
  constexpr const RealFunction& kRow = kReal[i];
  ESP_TRY(CheckPositional(kRow.name, args, 1, 1));
  ESP_TRY_ASSIGN(const double x, RealArgument(host, args.positional[0]));
  if (std::isfinite(x) && IsPole(kRow.name, x)) return DomainError();
  const double result = kRow.function(x);
  if (std::isnan(result) && !std::isnan(x)) return DomainError();
  if (std::isinf(result) && std::isfinite(x)) {
    return kRow.infinite == Infinite::kRange ? RangeError() : DomainError();
  }
  return Value::Float(result);
}

template <std::size_t... i>
constexpr auto RealRows(std::index_sequence<i...>) {
  constexpr std::size_t kPrefix = std::string_view("math.").size();
  return std::array{ModuleFunction{kReal[i].name.substr(kPrefix), CallReal<i>}...};
}

// ---- Of two numbers.

struct PairFunction {
  std::string_view name;
  double (*function)(double, double);
};
constexpr PairFunction kPairs[] = {
    {"atan2", [](double y, double x) { return std::atan2(y, x); }},
    {"copysign", [](double x, double y) { return std::copysign(x, y); }},
    {"fmod", [](double x, double y) { return std::fmod(x, y); }},
    {"nextafter", [](double x, double y) { return std::nextafter(x, y); }},
    {"pow", [](double x, double y) { return std::pow(x, y); }},
    {"remainder", [](double x, double y) { return std::remainder(x, y); }},
};

template <std::size_t i>
Outcome<Value> CallPair(Host& host, const Value&, const Args& args) {
  constexpr const PairFunction& kRow = kPairs[i];
  if (!args.keywords.empty()) {
    return TypeError("math." + std::string(kRow.name) + "() takes no keyword arguments");
  }
  if (args.positional.size() != 2) {
    return TypeError(std::string(kRow.name) + " expected 2 arguments, got " +
                     std::to_string(args.positional.size()));
  }
  ESP_TRY_ASSIGN(const double x, RealArgument(host, args.positional[0]));
  ESP_TRY_ASSIGN(const double y, RealArgument(host, args.positional[1]));
  const double result = kRow.function(x, y);
  if (std::isnan(result) && !std::isnan(x) && !std::isnan(y)) return DomainError();
  if (std::isinf(result) && std::isfinite(x) && std::isfinite(y) && kRow.name == "pow") {
    return x == 0 ? DomainError() : RangeError();
  }
  return Value::Float(result);
}

template <std::size_t... i>
constexpr auto PairRows(std::index_sequence<i...>) {
  return std::array{ModuleFunction{kPairs[i].name, CallPair<i>}...};
}

// ---- Tests.

struct RealTest {
  std::string_view name;
  bool (*test)(double);
};
constexpr RealTest kIsNan{"math.isnan", [](double x) { return std::isnan(x); }};
constexpr RealTest kIsInf{"math.isinf", [](double x) { return std::isinf(x); }};
constexpr RealTest kIsFinite{"math.isfinite", [](double x) { return std::isfinite(x); }};

template <const RealTest& test>
Outcome<Value> TestReal(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional(test.name, args, 1, 1));
  ESP_TRY_ASSIGN(const double x, RealArgument(host, args.positional[0]));
  return Value::Bool(test.test(x));
}

Outcome<Value> IsClose(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound,
                 BindArguments("isclose", args, {"a", "b", "rel_tol", "abs_tol"}, 2));
  double numbers[4] = {0, 0, 1e-9, 0};
  for (std::size_t i = 0; i < 4; ++i) {
    if (bound[i].is_unset()) continue;
    ESP_TRY_ASSIGN(numbers[i], RealArgument(host, bound[i]));
  }
  const auto [a, b, relative, absolute] = numbers;
  if (relative < 0 || absolute < 0) return ValueError("tolerances must be non-negative");
  if (a == b) return Value::Bool(true);
  if (std::isinf(a) || std::isinf(b)) return Value::Bool(false);
  const double distance = std::fabs(b - a);
  return Value::Bool(distance <= std::fabs(relative * b) || distance <= std::fabs(relative * a) ||
                     distance <= absolute);
}

// ---- The rest.

Outcome<Value> Log(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("log", args, 1, 2));
  double logs[2] = {0, 1};
  for (std::size_t i = 0; i < args.positional.size(); ++i) {
    ESP_TRY_ASSIGN(const double x, RealArgument(host, args.positional[i]));
    if (x <= 0) return DomainError();
    logs[i] = std::log(x);
  }
  if (logs[1] == 0) return lang::Raise("ZeroDivisionError", "float division by zero");
  return Value::Float(args.positional.size() == 1 ? logs[0] : logs[0] / logs[1]);
}

Outcome<Value> ExactSumOf(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("math.fsum", args, 1, 1));
  ExactSum sum;
  double special = 0;
  bool has_special = false, has_nan = false;
  ESP_TRY(lang::ForEach(host, args.positional[0], [&](const Value& value) -> Fault {
    ESP_TRY_ASSIGN(const double x, RealArgument(host, value));
    if (std::isfinite(x)) {
      sum.Add(x);
    } else {
      special += x;
      has_nan |= std::isnan(x);
      has_special = true;
    }
    return Fault();
  }));
  if (has_special) {
    if (std::isnan(special) && !has_nan) return ValueError("-inf + inf in fsum");
    return Value::Float(special);
  }
  return Value::Float(sum.Total());
}

// The length of a vector, scaled so that it neither overflows nor vanishes.
double LengthOf(const std::vector<double>& parts) {
  double largest = 0;
  bool nan = false;
  for (const double part : parts) {
    if (std::isinf(part)) return std::numeric_limits<double>::infinity();
    nan |= std::isnan(part);
    largest = std::fmax(largest, std::fabs(part));
  }
  if (nan) return std::numeric_limits<double>::quiet_NaN();
  if (largest == 0) return 0;
  if (parts.size() == 1) return largest;
  int exponent = 0;
  std::frexp(largest, &exponent);
  ExactSum squares;
  const auto add_square = [&](double x, double sign) {
    const double square = x * x;
    squares.Add(sign * square);
    squares.Add(sign * std::fma(x, x, -square));
  };
  for (const double part : parts) add_square(std::ldexp(part, -exponent), 1);
  const double root = std::sqrt(squares.Total());
  add_square(root, -1);  // one step of Newton's, from the exact rest
  return std::ldexp(root + squares.Total() / (2 * root), exponent);
}

Outcome<Value> Hypotenuse(Host& host, const Value&, const Args& args) {
  std::vector<double> parts;
  for (const Value& value : args.positional) {
    ESP_TRY_ASSIGN(const double part, RealArgument(host, value));
    parts.push_back(part);
  }
  return Value::Float(LengthOf(parts));
}

Outcome<Value> Distance(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("dist", args, 2, 2));
  ESP_TRY_ASSIGN(const auto p, lang::Collect(host, args.positional[0]));
  ESP_TRY_ASSIGN(const auto q, lang::Collect(host, args.positional[1]));
  if (p.size() != q.size()) {
    return ValueError("both points must have the same number of dimensions");
  }
  std::vector<double> parts;
  for (std::size_t i = 0; i < p.size(); ++i) {
    ESP_TRY_ASSIGN(const double x, RealArgument(host, p[i]));
    ESP_TRY_ASSIGN(const double y, RealArgument(host, q[i]));
    parts.push_back(x - y);
  }
  return Value::Float(LengthOf(parts));
}

Outcome<Value> Frexp(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("math.frexp", args, 1, 1));
  ESP_TRY_ASSIGN(const double x, RealArgument(host, args.positional[0]));
  int exponent = 0;
  const double mantissa = std::isfinite(x) ? std::frexp(x, &exponent) : x;
  return host.heap().New<lang::Tuple>(
      std::vector<Value>{Value::Float(mantissa), Value::Int(exponent)});
}

Outcome<Value> Modf(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("math.modf", args, 1, 1));
  ESP_TRY_ASSIGN(const double x, RealArgument(host, args.positional[0]));
  double whole = 0;
  const double fraction = std::modf(x, &whole);
  return host.heap().New<lang::Tuple>(
      std::vector<Value>{Value::Float(fraction), Value::Float(whole)});
}

Outcome<Value> Ldexp(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("ldexp", args, 2, 2));
  ESP_TRY_ASSIGN(const double x, RealArgument(host, args.positional[0]));
  if (!args.positional[1].is_integral()) {
    return TypeError("Expected an int as second argument to ldexp.");
  }
  constexpr std::int64_t kEnough = 10000;
  const std::int64_t exponent = std::clamp(args.positional[1].as_int(), -kEnough, kEnough);
  const double result = std::ldexp(x, static_cast<int>(exponent));
  if (std::isinf(result) && std::isfinite(x)) return RangeError();
  return Value::Float(result);
}

Outcome<Value> Ulp(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("math.ulp", args, 1, 1));
  ESP_TRY_ASSIGN(double x, RealArgument(host, args.positional[0]));
  x = std::fabs(x);
  if (!std::isfinite(x)) return Value::Float(x);
  const double next = std::nextafter(x, std::numeric_limits<double>::infinity());
  if (std::isfinite(next)) return Value::Float(next - x);
  return Value::Float(x - std::nextafter(x, 0));
}

constexpr std::string_view kFloor = "math.floor", kCeil = "math.ceil", kTrunc = "math.trunc";

// math.floor -> __floor__
constexpr std::string_view kFloorMethod = "__floor__", kCeilMethod = "__ceil__",
                           kTruncMethod = "__trunc__";

template <double (*function)(double), const std::string_view& name, const std::string_view& method>
Outcome<Value> ToWhole(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional(name, args, 1, 1));
  ESP_TRY_ASSIGN(Value own, CallNamedOf(host, args.positional[0], method));
  if (!own.is_unset()) return own;
  const Value& value = lang::PlainOf(args.positional[0]);
  if (value.is_integer()) return WholeNumber(host, value);
  ESP_TRY_ASSIGN(const double x, RealArgument(host, value));
  return WholeNumber(host, Value::Float(function(x)));
}

}  // namespace

Value MakeMathModule(Machine& machine) {
  static constexpr auto kRealRows = RealRows(std::make_index_sequence<std::size(kReal)>());
  static constexpr auto kPairRows = PairRows(std::make_index_sequence<std::size(kPairs)>());
  constexpr ModuleFunction kOthers[] = {
      {"isnan", TestReal<kIsNan>},
      {"isinf", TestReal<kIsInf>},
      {"isfinite", TestReal<kIsFinite>},
      {"isclose", IsClose},
      {"log", Log},
      {"fsum", ExactSumOf},
      {"hypot", Hypotenuse},
      {"dist", Distance},
      {"frexp", Frexp},
      {"modf", Modf},
      {"ldexp", Ldexp},
      {"ulp", Ulp},
      {"floor", ToWhole<std::floor, kFloor, kFloorMethod>},
      {"ceil", ToWhole<std::ceil, kCeil, kCeilMethod>},
      {"trunc", ToWhole<std::trunc, kTrunc, kTruncMethod>},
  };
  const Value value = NewModule(machine, "math", kOthers);
  Module& module = ModuleOf(value);
  for (const ModuleFunction& row : kRealRows) module.AddFunction(row.name, row.code);
  for (const ModuleFunction& row : kPairRows) module.AddFunction(row.name, row.code);
  for (const ModuleFunction& row : IntegerMathFunctions()) module.AddFunction(row.name, row.code);
  module.Add("pi", Value::Float(std::numbers::pi));
  module.Add("e", Value::Float(std::numbers::e));
  module.Add("tau", Value::Float(2 * std::numbers::pi));
  module.Add("inf", Value::Float(std::numeric_limits<double>::infinity()));
  module.Add("nan", Value::Float(std::numeric_limits<double>::quiet_NaN()));
  return value;
}

}  // namespace espalier::script
