// random: the functions of one generator, and the class Random for more of them. (The
// functions are methods of a generator that the module holds.)
#include <chrono>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/modules/random_choices.h"
#include "frontend_lang/script/modules/random_object.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/values/arithmetic.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/integer/integer.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using lang::BinaryOp;
using lang::TypeError;
using lang::ValueError;

Twister& TwisterOf(const Value& self) { return RandomOf(self).twister(); }

// The limbs of an int of any size; one of 0.
std::vector<std::uint32_t> LimbsOf(const Value& number) {
  const lang::IntegerView view(number);
  std::vector<std::uint32_t> limbs(view.magnitude().begin(), view.magnitude().end());
  if (limbs.empty()) limbs.push_back(0);
  return limbs;
}

Fault SeedWith(Host& host, RandomObject& random, const Value& seed) {
  random.next_gauss.reset();
  if (seed.is_unset() || seed.is_none()) {
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    const std::uint64_t start = host.heap().hash_seed() ^ static_cast<std::uint64_t>(now);
    random.twister().Seed(
        std::array{static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(start >> 32)});
    return Fault();
  }
  if (seed.is_str()) {
    random.twister().SeedText(lang::TextOf(seed));
    return Fault();
  }
  Value number = seed;
  if (seed.is_bool()) number = Value::Int(seed.as_int());
  if (seed.is_float() && seed.as_float() == std::floor(seed.as_float()) &&
      std::fabs(seed.as_float()) < 1e18) {
    number = Value::Int(static_cast<std::int64_t>(seed.as_float()));
  }
  if (!number.is_integer()) {
    return TypeError(
        "The only supported seed types are: None,\nint, float, str, bytes, and bytearray.");
  }
  random.twister().Seed(LimbsOf(number));
  return Fault();
}

Outcome<Value> Seed(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("seed", args, {"a", "version"}, 0));
  ESP_TRY(SeedWith(host, RandomOf(self), bound[0]));
  return Value();
}

Outcome<Value> NextReal(Host&, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("Random.random", args, 0, 0));
  return Value::Float(TwisterOf(self).NextReal());
}

Outcome<Value> GetRandBits(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("Random.getrandbits", args, 1, 1));
  ESP_TRY_ASSIGN(std::int64_t count, IndexArgument(args.positional[0]));
  if (count < 0) return ValueError("number of bits must be non-negative");
  if (count == 0) return Value::Int(0);
  if (count < 64) {
    return Value::Int(static_cast<std::int64_t>(TwisterOf(self).NextBits(static_cast<int>(count))));
  }
  ESP_TRY(host.Reserve(count / 8));
  lang::Integer number;
  for (; count > 0; count -= 32) {
    ESP_TRY(host.Step());
    number.magnitude.push_back(TwisterOf(self).Next() >> (count < 32 ? 32 - count : 0));
  }
  lang::Trim(number.magnitude);
  return lang::MakeInteger(host.heap(), std::move(number));
}

Outcome<Value> RandRangeOf(const Value& self, std::int64_t start, std::int64_t stop,
                           std::int64_t step) {
  const auto empty = [&](std::int64_t width) {
    return ValueError("empty range for randrange() (" + std::to_string(start) + ", " +
                      std::to_string(stop) + ", " + std::to_string(width) + ")");
  };
  std::int64_t width = 0;
  if (__builtin_sub_overflow(stop, start, &width)) return ValueError("the range is too wide");
  if (step == 1) {
    if (width <= 0) return empty(width);
    const std::uint64_t drawn = TwisterOf(self).NextBelow(static_cast<std::uint64_t>(width));
    return Value::Int(start + static_cast<std::int64_t>(drawn));
  }
  if (step == 0) return ValueError("zero step for randrange()");
  const std::int64_t count = step > 0 ? (width + step - 1) / step : (width + step + 1) / step;
  if (count <= 0) return ValueError("empty range for randrange()");
  const std::uint64_t drawn = TwisterOf(self).NextBelow(static_cast<std::uint64_t>(count));
  return Value::Int(start + step * static_cast<std::int64_t>(drawn));
}

Outcome<Value> RandRange(Host&, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("randrange", args, {"start", "stop", "step"}, 1));
  std::int64_t parts[3] = {0, 0, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    if (bound[i].is_unset() || bound[i].is_none()) continue;
    ESP_TRY_ASSIGN(parts[i], IndexArgument(bound[i]));
  }
  if (!bound[1].is_unset() && !bound[1].is_none()) {
    return RandRangeOf(self, parts[0], parts[1], parts[2]);
  }
  if (parts[0] > 0) return RandRangeOf(self, 0, parts[0], 1);
  return ValueError("empty range for randrange()");
}

Outcome<Value> RandInt(Host&, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("randint", args, {"a", "b"}, 2));
  ESP_TRY_ASSIGN(const std::int64_t low, IndexArgument(bound[0]));
  ESP_TRY_ASSIGN(std::int64_t high, IndexArgument(bound[1]));
  if (__builtin_add_overflow(high, 1, &high)) return ValueError("the range is too wide");
  return RandRangeOf(self, low, high, 1);
}

// ---- Distributions.

struct Parameters {
  double a = 0, b = 0;
};

Outcome<Parameters> ReadTwo(Host& host, std::string_view function, const Args& args,
                            std::pair<std::string_view, std::string_view> names,
                            std::optional<Parameters> defaults) {
  ESP_TRY_ASSIGN(const auto bound,
                 BindArguments(function, args, {names.first, names.second}, defaults ? 0 : 2));
  Parameters read = defaults.value_or(Parameters());
  if (!bound[0].is_unset()) {
    ESP_TRY_ASSIGN(read.a, RealArgument(host, bound[0]));
  }
  if (!bound[1].is_unset()) {
    ESP_TRY_ASSIGN(read.b, RealArgument(host, bound[1]));
  }
  return read;
}

Outcome<Value> Uniform(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const Parameters p, ReadTwo(host, "uniform", args, {"a", "b"}, {}));
  return Value::Float(p.a + (p.b - p.a) * TwisterOf(self).NextReal());
}

// Two at a time, by Box and Muller; the second waits.
Outcome<Value> Gauss(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const Parameters p,
                 ReadTwo(host, "gauss", args, {"mu", "sigma"}, Parameters{0, 1}));
  RandomObject& random = RandomOf(self);
  std::optional<double> z = std::exchange(random.next_gauss, std::nullopt);
  if (!z) {
    const double angle = random.twister().NextReal() * (2 * std::numbers::pi);
    const double radius = std::sqrt(-2.0 * std::log(1.0 - random.twister().NextReal()));
    z = std::cos(angle) * radius;
    random.next_gauss = std::sin(angle) * radius;
  }
  return Value::Float(p.a + *z * p.b);
}

// Kinderman and Monahan's method.
double Normal(Twister& twister) {
  const double magic = 4 * std::exp(-0.5) / std::sqrt(2.0);
  for (;;) {
    const double u = twister.NextReal(), v = 1.0 - twister.NextReal();
    const double z = magic * (u - 0.5) / v;
    if (z * z / 4.0 <= -std::log(v)) return z;
  }
}

Outcome<Value> NormalVariate(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const Parameters p,
                 ReadTwo(host, "normalvariate", args, {"mu", "sigma"}, Parameters{0, 1}));
  return Value::Float(p.a + Normal(TwisterOf(self)) * p.b);
}

Outcome<Value> LogNormal(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const Parameters p, ReadTwo(host, "lognormvariate", args, {"mu", "sigma"}, {}));
  return Value::Float(std::exp(p.a + Normal(TwisterOf(self)) * p.b));
}

Outcome<Value> Exponential(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("expovariate", args, {"lambd"}, 1));
  ESP_TRY_ASSIGN(const double rate, RealArgument(host, bound[0]));
  if (rate == 0) return lang::Raise("ZeroDivisionError", "float division by zero");
  return Value::Float(-std::log(1.0 - TwisterOf(self).NextReal()) / rate);
}

Outcome<Value> Triangular(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("triangular", args, {"low", "high", "mode"}, 0));
  double low = 0, high = 1;
  if (!bound[0].is_unset()) {
    ESP_TRY_ASSIGN(low, RealArgument(host, bound[0]));
  }
  if (!bound[1].is_unset()) {
    ESP_TRY_ASSIGN(high, RealArgument(host, bound[1]));
  }
  double u = TwisterOf(self).NextReal(), c = 0.5;
  if (!bound[2].is_unset() && !bound[2].is_none()) {
    ESP_TRY_ASSIGN(const double mode, RealArgument(host, bound[2]));
    if (high == low) return Value::Float(low);
    c = (mode - low) / (high - low);
  }
  if (u > c) {
    u = 1.0 - u;
    c = 1.0 - c;
    std::swap(low, high);
  }
  return Value::Float(low + (high - low) * std::sqrt(u * c));
}

constexpr ModuleFunction kMethods[] = {
    {"seed", Seed},
    {"random", NextReal},
    {"getrandbits", GetRandBits},
    {"randrange", RandRange},
    {"randint", RandInt},
    {"uniform", Uniform},
    {"gauss", Gauss},
    {"normalvariate", NormalVariate},
    {"lognormvariate", LogNormal},
    {"expovariate", Exponential},
    {"triangular", Triangular},
};

Outcome<Value> MakeRandom(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("Random", args, {"x"}, 0));
  const Value made = host.heap().New<RandomObject>();
  ESP_TRY(SeedWith(host, RandomOf(made), bound[0]));
  return made;
}

}  // namespace

Outcome<Value> RandomObject::GetAttr(Host& host, std::string_view name) {
  const auto find = [&](std::span<const ModuleFunction> rows) {
    for (const ModuleFunction& row : rows) {
      if (row.name == name) {
        return host.heap().New<lang::NativeFunction>(row.name, row.code, Value(this));
      }
    }
    return Value::Unset();
  };
  Value method = find(kMethods);
  return method.is_unset() ? find(RandomChoiceMethods()) : method;
}

Value MakeRandomModule(Machine& machine) {
  Heap& heap = machine.heap();
  const Value value = NewModule(machine, "random", {});
  Module& module = ModuleOf(value);
  const Value shared = heap.New<RandomObject>();
  const Fault seeded = SeedWith(machine, RandomOf(shared), Value());
  ESP_CHECK(seeded.ok());
  for (const auto rows : {std::span<const ModuleFunction>(kMethods), RandomChoiceMethods()}) {
    for (const ModuleFunction& row : rows) {
      module.Add(row.name, heap.New<lang::NativeFunction>(row.name, row.code, shared));
    }
  }
  module.Add("Random", NewType(machine, "random.Random", MakeRandom,
                               [](const Value& v) { return Exactly<RandomObject>(v) != nullptr; }));
  return value;
}

}  // namespace espalier::script
