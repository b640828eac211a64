// _random: the generator beneath library/random.py.
#include <chrono>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/bytes/bytes.h"
#include "frontend_lang/script/modules/random_choices.h"
#include "frontend_lang/script/modules/random_object.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/values/arithmetic.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/hash.h"
#include "frontend_lang/script/values/integer/integer.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/repr.h"
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
  if (const auto* bytes = Exactly<Bytes>(seed)) {
    random.twister().SeedText(bytes->bytes());
    return Fault();
  }
  Value number = seed;
  if (seed.is_bool()) number = Value::Int(seed.as_int());
  if (seed.is_float()) {  // by its hash, as a word without sign
    ESP_TRY_ASSIGN(const std::uint64_t hash, lang::Hash(host, seed));
    const std::array words{static_cast<std::uint32_t>(hash),
                           static_cast<std::uint32_t>(hash >> 32)};
    random.twister().Seed(std::span(words).first(words[1] == 0 ? 1 : 2));
    return Fault();
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

// A number of any size below `bound`, drawn as CPython draws it. REQUIRES: bound > 0
Outcome<Value> DrawBelow(Host& host, const Value& self, const Value& bound) {
  if (bound.is_int()) {
    return Value::Int(static_cast<std::int64_t>(
        TwisterOf(self).NextBelow(static_cast<std::uint64_t>(bound.as_int()))));
  }
  ESP_TRY_ASSIGN(const Value bits, lang::CallAttr(host, bound, "bit_length", {}));
  for (;;) {
    ESP_TRY(host.Step());
    ESP_TRY_ASSIGN(Value drawn, GetRandBits(host, self, Args{{&bits, 1}, {}}));
    ESP_TRY_ASSIGN(const bool below, lang::Compare(host, lang::CompareOp::kLt, drawn, bound));
    if (below) return drawn;
  }
}

Outcome<Value> WholeArgument(Host&, const Value& value) {
  const Value& plain = lang::PlainOf(value);
  if (plain.is_bool()) return Value::Int(plain.as_int());
  if (plain.is_integer()) return plain;
  ESP_TRY_ASSIGN(const std::int64_t index, IndexArgument(value));
  return Value::Int(index);
}

// CPython shows the bounds of a range that has one step only.
Fault EmptyRange(Host& host, const std::vector<Value>& shown) {
  if (shown.empty()) return ValueError("empty range for randrange()");
  const Value tuple = host.heap().New<lang::Tuple>(std::vector<Value>(shown));
  ESP_TRY_ASSIGN(const std::string text, lang::Repr(host, tuple));
  return ValueError("empty range for randrange() " + text);
}

Outcome<Value> RandRangeOf(Host& host, const Value& self, const Value& start, const Value& stop,
                           const Value& step) {
  ESP_TRY_ASSIGN(const Value width, lang::Binary(host, BinaryOp::kSub, stop, start));
  const Value zero = Value::Int(0), one = Value::Int(1);
  if (step.is_int() && step.as_int() == 0) return ValueError("zero step for randrange()");
  const bool by_one = step.is_int() && step.as_int() == 1;
  Value count = width;
  if (!by_one) {
    ESP_TRY_ASSIGN(const bool rises, lang::Compare(host, lang::CompareOp::kGt, step, zero));
    ESP_TRY_ASSIGN(const Value more,
                   lang::Binary(host, rises ? BinaryOp::kSub : BinaryOp::kAdd, step, one));
    ESP_TRY_ASSIGN(const Value above, lang::Binary(host, BinaryOp::kAdd, width, more));
    ESP_TRY_ASSIGN(count, lang::Binary(host, BinaryOp::kFloorDiv, above, step));
  }
  ESP_TRY_ASSIGN(const bool some, lang::Compare(host, lang::CompareOp::kGt, count, zero));
  if (!some)
    return EmptyRange(host, by_one ? std::vector{start, stop, width} : std::vector<Value>{});
  ESP_TRY_ASSIGN(Value drawn, DrawBelow(host, self, count));
  if (!by_one) {
    ESP_TRY_ASSIGN(drawn, lang::Binary(host, BinaryOp::kMul, drawn, step));
  }
  return lang::Binary(host, BinaryOp::kAdd, start, drawn);
}

Outcome<Value> RandRange(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("randrange", args, {"start", "stop", "step"}, 1));
  Value parts[3] = {Value::Int(0), Value::Unset(), Value::Int(1)};
  for (std::size_t i = 0; i < 3; ++i) {
    if (bound[i].is_unset() || bound[i].is_none()) continue;
    ESP_TRY_ASSIGN(parts[i], WholeArgument(host, bound[i]));
  }
  if (!parts[1].is_unset()) return RandRangeOf(host, self, parts[0], parts[1], parts[2]);
  ESP_TRY_ASSIGN(const bool some,
                 lang::Compare(host, lang::CompareOp::kGt, parts[0], Value::Int(0)));
  if (!some) return EmptyRange(host, {});
  return DrawBelow(host, self, parts[0]);
}

Outcome<Value> RandInt(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("randint", args, {"a", "b"}, 2));
  ESP_TRY_ASSIGN(const Value low, WholeArgument(host, bound[0]));
  ESP_TRY_ASSIGN(const Value high, WholeArgument(host, bound[1]));
  ESP_TRY_ASSIGN(const Value stop, lang::Binary(host, BinaryOp::kAdd, high, Value::Int(1)));
  return RandRangeOf(host, self, low, stop, Value::Int(1));
}

// _getstate() -> (words and place, the number that gauss keeps or None)
Outcome<Value> GetState(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("_getstate", args, 0, 0));
  std::vector<Value> words;
  for (const std::uint32_t word : TwisterOf(self).words()) words.push_back(Value::Int(word));
  words.push_back(Value::Int(static_cast<std::int64_t>(TwisterOf(self).next())));
  const std::optional<double> gauss = RandomOf(self).next_gauss;
  return host.heap().New<lang::Tuple>(std::vector<Value>{
      host.heap().New<lang::Tuple>(std::move(words)), gauss ? Value::Float(*gauss) : Value()});
}

Outcome<Value> SetState(Host&, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("_setstate", args, 2, 2));
  const auto* words = args.positional[0].If<lang::Tuple>();
  if (words == nullptr) return TypeError("state vector must be a tuple");
  if (words->items().size() != Twister::kSize + 1) {
    return ValueError("state vector is the wrong size");
  }
  std::array<std::uint32_t, Twister::kSize> state;
  for (std::size_t i = 0; i <= Twister::kSize; ++i) {
    const Value& word = words->items()[i];
    if (!word.is_int() || word.as_int() < 0) return ValueError("invalid state");
    if (i < Twister::kSize) state[i] = static_cast<std::uint32_t>(word.as_int());
  }
  const std::int64_t next = words->items().back().as_int();
  if (next > static_cast<std::int64_t>(Twister::kSize)) return ValueError("invalid state");
  TwisterOf(self).SetState(state, static_cast<std::size_t>(next));
  const Value& gauss = args.positional[1];
  RandomOf(self).next_gauss.reset();
  if (gauss.is_float()) RandomOf(self).next_gauss = gauss.as_float();
  return Value();
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
    {"_getstate", GetState},
    {"_setstate", SetState},
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
  const Value module = NewModule(machine, "_random", {});
  ModuleOf(module).Add("Random", NewType(machine, "random.Random", MakeRandom, [](const Value& v) {
                         return Exactly<RandomObject>(v) != nullptr;
                       }));
  return module;
}

}  // namespace espalier::script
