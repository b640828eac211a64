// The modules json and math.
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

#include <fmt/format.h>

#include "frontend_lang/script/arguments.h"
#include "frontend_lang/script/builtins.h"
#include "frontend_lang/script/compare.h"
#include "frontend_lang/script/containers.h"
#include "frontend_lang/script/json_text.h"
#include "frontend_lang/script/str.h"

namespace espalier::script {
namespace {

using lang::TypeError;
using lang::ValueError;

Outcome<Value> Loads(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("loads", args, 1, 1));
  const Value text = args.positional[0];
  if (!text.is_str()) {
    return TypeError("the JSON object must be str, bytes or bytearray, not " +
                     std::string(lang::TypeName(text)));
  }
  return ReadJson(host, lang::TextOf(text));
}

Fault ReadSeparators(const Value& value, JsonStyle& style) {
  const auto* pair = value.If<lang::Tuple>();
  if (pair == nullptr || pair->size() != 2 || !(*pair)[0].is_str() || !(*pair)[1].is_str()) {
    return TypeError("separators must be a tuple of two strings");
  }
  style.item_separator = lang::TextOf((*pair)[0]);
  style.key_separator = lang::TextOf((*pair)[1]);
  return Fault();
}

Outcome<Value> Dumps(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(auto bound,
                 BindArguments("dumps", args,
                               {"obj", "indent", "ensure_ascii", "sort_keys", "separators"}, 1));
  JsonStyle style;
  if (bound[1].is_integral()) {
    if (bound[1].as_int() < 0 || bound[1].as_int() > 100) {
      return ValueError("indent must be between 0 and 100");
    }
    style.indent = static_cast<int>(bound[1].as_int());
    style.item_separator = ",";
  }
  if (!bound[2].is_unset()) {
    ESP_TRY_ASSIGN(style.ensure_ascii, lang::Truth(host, bound[2]));
  }
  if (!bound[3].is_unset()) {
    ESP_TRY_ASSIGN(style.sort_keys, lang::Truth(host, bound[3]));
  }
  if (!bound[4].is_unset() && !bound[4].is_none()) ESP_TRY(ReadSeparators(bound[4], style));
  ESP_TRY_ASSIGN(std::string text, WriteJson(host, bound[0], style));
  return lang::MakeStr(host.heap(), std::move(text));
}

Outcome<double> ToReal(const Value& value) {
  if (value.is_float()) return value.as_float();
  if (value.is_integral()) return static_cast<double>(value.as_int());
  return TypeError("must be real number, not " + std::string(lang::TypeName(value)));
}

// A function of one real number. NaN from a number that was none is a domain error.
template <double (*function)(double)>
Outcome<Value> OfReal(Host&, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("math function", args, 1, 1));
  ESP_TRY_ASSIGN(const double x, ToReal(args.positional[0]));
  const double result = function(x);
  if (std::isnan(result) && !std::isnan(x)) return ValueError("math domain error");
  if (std::isinf(result) && !std::isinf(x)) {
    return x == 0 ? Fault(ValueError("math domain error"))
                  : lang::Raise("OverflowError", "math range error");
  }
  return Value::Float(result);
}

template <double (*function)(double)>
Outcome<Value> ToWhole(Host&, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("math function", args, 1, 1));
  if (args.positional[0].is_integral()) return Value::Int(args.positional[0].as_int());
  ESP_TRY_ASSIGN(const double x, ToReal(args.positional[0]));
  if (std::isnan(x)) return ValueError("cannot convert float NaN to integer");
  if (std::fabs(x) >= 9223372036854775808.0) {
    return lang::Raise("OverflowError", std::isinf(x) ? "cannot convert float infinity to integer"
                                                      : "integer too large");
  }
  return Value::Int(static_cast<std::int64_t>(function(x)));
}

double Power(double x, double y) { return std::pow(x, y); }
double Hypotenuse(double x, double y) { return std::hypot(x, y); }
double Angle(double y, double x) { return std::atan2(y, x); }

template <double (*function)(double, double)>
Outcome<Value> OfTwo(Host&, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("math function", args, 2, 2));
  ESP_TRY_ASSIGN(const double x, ToReal(args.positional[0]));
  ESP_TRY_ASSIGN(const double y, ToReal(args.positional[1]));
  const double result = function(x, y);
  if (std::isnan(result) && !std::isnan(x) && !std::isnan(y)) {
    return ValueError("math domain error");
  }
  if (std::isinf(result) && !std::isinf(x) && !std::isinf(y)) {
    return lang::Raise("OverflowError", "math range error");
  }
  return Value::Float(result);
}

Outcome<Value> Log(Host&, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("log", args, 1, 2));
  ESP_TRY_ASSIGN(const double x, ToReal(args.positional[0]));
  if (x <= 0) return ValueError("math domain error");
  if (args.positional.size() == 1) return Value::Float(std::log(x));
  ESP_TRY_ASSIGN(const double base, ToReal(args.positional[1]));
  if (base <= 0) return ValueError("math domain error");
  if (base == 1) return lang::Raise("ZeroDivisionError", "float division by zero");
  return Value::Float(std::log(x) / std::log(base));
}

Outcome<Value> Gcd(Host&, const Value&, const Args& args) {
  std::int64_t result = 0;
  for (const Value& value : args.positional) {
    if (!value.is_integral()) {
      return TypeError("'" + std::string(lang::TypeName(value)) +
                       "' object cannot be interpreted as an integer");
    }
    if (value.as_int() == std::numeric_limits<std::int64_t>::min()) {
      return lang::Raise("OverflowError", "integer too large");
    }
    result = std::gcd(result, value.as_int());
  }
  return Value::Int(result);
}

template <bool (*test)(double)>
Outcome<Value> TestReal(Host&, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("math function", args, 1, 1));
  ESP_TRY_ASSIGN(const double x, ToReal(args.positional[0]));
  return Value::Bool(test(x));
}
bool IsNan(double x) { return std::isnan(x); }
bool IsInf(double x) { return std::isinf(x); }
bool IsFinite(double x) { return std::isfinite(x); }

}  // namespace

void AddMathModule(Machine& machine) {
  constexpr std::pair<std::string_view, lang::NativeCode> kFunctions[] = {
      {"sqrt", OfReal<std::sqrt>},
      {"exp", OfReal<std::exp>},
      {"log", Log},
      {"log2", OfReal<std::log2>},
      {"log10", OfReal<std::log10>},
      {"sin", OfReal<std::sin>},
      {"cos", OfReal<std::cos>},
      {"tan", OfReal<std::tan>},
      {"asin", OfReal<std::asin>},
      {"acos", OfReal<std::acos>},
      {"atan", OfReal<std::atan>},
      {"fabs", OfReal<std::fabs>},
      {"floor", ToWhole<std::floor>},
      {"ceil", ToWhole<std::ceil>},
      {"trunc", ToWhole<std::trunc>},
      {"pow", OfTwo<Power>},
      {"hypot", OfTwo<Hypotenuse>},
      {"atan2", OfTwo<Angle>},
      {"gcd", Gcd},
      {"isnan", TestReal<IsNan>},
      {"isinf", TestReal<IsInf>},
      {"isfinite", TestReal<IsFinite>},
  };
  const Value value = machine.heap().New<Module>("math");
  auto& module = *Exactly<Module>(value);
  for (const auto& [name, code] : kFunctions) module.AddFunction(name, code);
  module.Add("pi", Value::Float(std::numbers::pi));
  module.Add("e", Value::Float(std::numbers::e));
  module.Add("tau", Value::Float(2 * std::numbers::pi));
  module.Add("inf", Value::Float(__builtin_inf()));
  module.Add("nan", Value::Float(__builtin_nan("")));
  machine.AddModule("math", value);
}

void AddJsonModule(Machine& machine) {
  const Value value = machine.heap().New<Module>("json");
  auto& module = *Exactly<Module>(value);
  module.AddFunction("loads", Loads);
  module.AddFunction("dumps", Dumps);
  module.Add("JSONDecodeError", machine.heap().New<ErrorType>(*FindErrorKind("JSONDecodeError")));
  machine.AddModule("json", value);
}

void AddBuiltins(Machine& machine) {
  AddTypeBuiltins(machine);
  AddSequenceBuiltins(machine);
  AddIteratorBuiltins(machine);
  AddTextBuiltins(machine);
  AddMathModule(machine);
  AddJsonModule(machine);
}

}  // namespace espalier::script
