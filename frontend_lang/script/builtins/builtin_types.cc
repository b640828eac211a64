// The built-in types as callables, and exceptions.
#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/builtins/builtins.h"
#include "frontend_lang/script/bytes/bytes.h"
#include "frontend_lang/script/bytes/codec.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/classes/object_methods.h"
#include "frontend_lang/script/values/arithmetic.h"
#include "frontend_lang/script/values/as_number.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/dict_operations.h"
#include "frontend_lang/script/values/integer/integer.h"
#include "frontend_lang/script/values/number_parse.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/set.h"
#include "frontend_lang/script/values/set_operations.h"
#include "frontend_lang/script/values/text/str.h"
#include "kernels/base/utf8.h"

namespace espalier::script {
namespace {

using lang::Type;
using lang::TypeError;
using lang::ValueError;

// As CPython shows a text in these errors: no more than 200 characters of it.
std::string ShortRepr(std::string_view text) {
  constexpr std::size_t kMost = 200;
  std::string shown = lang::ReprStr(text.substr(0, 4 * kMost));
  if (NumCodePoints(shown) <= static_cast<std::int64_t>(kMost)) return shown;
  std::size_t end = 0;
  for (std::size_t i = 0; i < kMost; ++i) {
    end += static_cast<std::size_t>(CodePointBytes(static_cast<unsigned char>(shown[end])));
  }
  shown.resize(end);
  return shown;
}

Outcome<std::string> Shown(Host& host, const Value& given) {
  if (given.is_str()) return ShortRepr(lang::TextOf(given));
  return lang::Repr(host, given);
}

// `text` is what `given` says, a str or bytes.
Outcome<Value> IntOfText(Host& host, const Value& given, std::string_view text, int base) {
  ESP_TRY_ASSIGN(Value value, lang::ParseInt(host, text, base));
  if (!value.is_unset()) return value;
  ESP_TRY_ASSIGN(const std::string shown, Shown(host, given));
  return ValueError(fmt::format("invalid literal for int() with base {}: {}", base, shown));
}

// What __int__ or __float__ gives; the value itself where there is no such method.
Outcome<Value> Converted(Host& host, const Value& value, Special special) {
  auto* instance = value.If<Instance>();
  if (instance == nullptr) return value;
  ESP_TRY_ASSIGN(Value converted, instance->CallSpecial(host, special));
  if (converted.is_unset()) {
    ESP_TRY_ASSIGN(converted, instance->CallSpecial(host, Special::kIndex));
  }
  return converted.is_unset() ? lang::PlainOf(value) : std::move(converted);
}

// What a number is read from: a str, or bytes, of which none but ASCII is part of a number.
std::optional<std::string_view> NumberText(const Value& value) {
  if (value.is_str()) return lang::TextOf(value);
  const Bytes* bytes = AsBytes(value);
  if (bytes == nullptr) return std::nullopt;
  const std::string_view text = bytes->bytes();
  const bool ascii = std::none_of(text.begin(), text.end(), [](char c) { return c < 0; });
  return ascii ? text : std::string_view();
}

Outcome<Value> MakeInt(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("int", args, {"x", "base"}, 0));
  ESP_TRY_ASSIGN(const Value x, Converted(host, bound[0], Special::kInt));
  const std::optional<std::string_view> text = NumberText(x);
  if (!bound[1].is_unset()) {
    if (!text) return TypeError("int() can't convert non-string with explicit base");
    ESP_TRY_ASSIGN(const Value given, lang::AsInteger(host, bound[1]));
    const std::int64_t base = given.is_integral() ? given.as_int() : -1;
    if (base != 0 && (base < 2 || base > 36)) {
      return ValueError("int() base must be >= 2 and <= 36, or 0");
    }
    return IntOfText(host, x, *text, static_cast<int>(base));
  }
  if (x.is_unset()) return Value::Int(0);
  if (x.is_integer()) return lang::Unary(host, lang::UnaryOp::kPlus, x);
  if (text) return IntOfText(host, x, *text, 10);
  if (!x.is_float()) {
    return TypeError(
        fmt::format("int() argument must be a string, a bytes-like object or a real "
                    "number, not '{}'",
                    lang::TypeName(x)));
  }
  return lang::IntegerFromDouble(host, x.as_float());
}

Outcome<Value> MakeFloat(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("float", args, 0, 1));
  if (args.positional.empty()) return Value::Float(0);
  ESP_TRY_ASSIGN(const Value x, Converted(host, args.positional[0], Special::kFloat));
  if (x.is_float()) return x;
  if (x.is_integer()) {
    ESP_TRY_ASSIGN(const double number, lang::IntegerToDouble(x));
    return Value::Float(number);
  }
  const std::optional<std::string_view> text = NumberText(x);
  if (!text) {
    return TypeError(fmt::format("float() argument must be a string or a real number, not '{}'",
                                 lang::TypeName(x)));
  }
  const std::optional<double> number = lang::ParseFloat(*text);
  if (number) return Value::Float(*number);
  ESP_TRY_ASSIGN(const std::string shown, Shown(host, x));
  return ValueError("could not convert string to float: " + shown);
}

Outcome<Value> MakeStr(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("str", args, {"object", "encoding", "errors"}, 0));
  if (bound[0].is_unset()) return host.heap().EmptyStr();
  if (!bound[1].is_unset() || !bound[2].is_unset()) {
    if (bound[0].is_str()) return TypeError("decoding str is not supported");
    const Bytes* bytes = AsBytes(bound[0]);
    if (bytes == nullptr) {
      return TypeError(fmt::format("decoding to str: need a bytes-like object, {} found",
                                   lang::TypeName(bound[0])));
    }
    ESP_TRY_ASSIGN(std::string decoded, DecodeBytes(bytes->bytes(), bound[1], bound[2]));
    return lang::MakeStr(host.heap(), std::move(decoded));
  }
  if (bound[0].is_str()) return bound[0];
  ESP_TRY_ASSIGN(std::string text, lang::Text(host, bound[0]));
  return lang::MakeStr(host.heap(), std::move(text));
}

Outcome<Value> MakeBool(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("bool", args, 0, 1));
  if (args.positional.empty()) return Value::Bool(false);
  ESP_TRY_ASSIGN(const bool truth, lang::Truth(host, args.positional[0]));
  return Value::Bool(truth);
}

Outcome<Value> MakeList(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("list", args, 0, 1));
  if (args.positional.empty()) return host.heap().New<lang::List>();
  ESP_TRY_ASSIGN(auto items, lang::Collect(host, args.positional[0]));
  return host.heap().New<lang::List>(std::move(items));
}

Outcome<Value> MakeTuple(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("tuple", args, 0, 1));
  if (args.positional.empty()) return host.heap().New<lang::Tuple>();
  if (args.positional[0].type() == Type::kTuple) return args.positional[0];
  ESP_TRY_ASSIGN(auto items, lang::Collect(host, args.positional[0]));
  return host.heap().New<lang::Tuple>(std::move(items));
}

Outcome<Value> MakeSet(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("set", args, 0, 1));
  if (args.positional.empty()) return host.heap().New<lang::Set>();
  return lang::MakeSet(host, args.positional[0]);
}

Outcome<Value> MakeFrozenSet(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("frozenset", args, 0, 1));
  if (args.positional.empty()) return host.heap().New<lang::Set>(lang::Set::Kind::kFrozen);
  const auto* set = args.positional[0].If<lang::Set>();
  if (set != nullptr && set->frozen()) return args.positional[0];
  return lang::MakeSet(host, args.positional[0], lang::Set::Kind::kFrozen);
}

Outcome<Value> MakeSlice(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("slice", args, 1, 3));
  const auto& parts = args.positional;
  if (parts.size() == 1) return host.heap().New<lang::Slice>(Value(), parts[0], Value());
  return host.heap().New<lang::Slice>(parts[0], parts[1], parts.size() == 3 ? parts[2] : Value());
}

Outcome<Value> MakeDict(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("dict", {args.positional, {}}, 0, 1));
  const Value made = host.heap().New<lang::Dict>();
  auto& dict = *made.As<lang::Dict>();
  if (!args.positional.empty()) ESP_TRY(lang::UpdateDict(host, dict, args.positional[0]));
  for (const lang::Keyword& keyword : args.keywords) dict.PutStr(keyword.name, keyword.value);
  return made;
}

Outcome<Value> MakeRange(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("range", args, 1, 3));
  std::int64_t parts[3] = {0, 0, 1};
  for (std::size_t i = 0; i < args.positional.size(); ++i) {
    ESP_TRY_ASSIGN(const Value part, lang::AsInteger(host, args.positional[i]));
    if (part.is_integer() && !part.is_integral()) {
      return lang::Raise("OverflowError", "range() of ints beyond 64 bits is not in the language");
    }
    if (!part.is_integral()) {
      return TypeError(
          fmt::format("'{}' object cannot be interpreted as an integer", lang::TypeName(part)));
    }
    parts[args.positional.size() == 1 ? 1 : i] = part.as_int();
  }
  if (parts[2] == 0) return ValueError("range() arg 3 must not be zero");
  return host.heap().New<lang::Range>(parts[0], parts[1], parts[2]);
}

// object(): good for being itself.
class PlainObject final : public lang::Extension {
 public:
  explicit PlainObject(Heap& heap) : Extension(heap, Type::kExtension) {}
  std::string_view TypeName() const override { return "object"; }
  Outcome<std::string> Repr(Host& host) override {
    return "<object object at " + IdentityText(host.heap(), *this) + ">";
  }
};

Outcome<Value> MakeObject(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("object", args, 0, 0));
  return host.heap().New<PlainObject>();
}

Outcome<Value> MakeNone(Host&, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("NoneType", args, 0, 0));
  return Value();
}

struct TypeRow {
  std::string_view name;
  lang::NativeCode make;
  TypeObject::Test holds;
};
template <Type type>
bool Is(const Value& value) {
  return value.type() == type;
}

constexpr TypeRow kTypes[] = {
    {"int", MakeInt, [](const Value& v) { return v.is_integer(); }},
    {"float", MakeFloat, Is<Type::kFloat>},
    {"str", MakeStr, Is<Type::kStr>},
    {"bool", MakeBool, Is<Type::kBool>},
    {"bytes", MakeBytes, [](const Value& v) { return AsBytes(v) != nullptr; }},
    {"list", MakeList, Is<Type::kList>},
    {"tuple", MakeTuple, Is<Type::kTuple>},
    {"dict", MakeDict, Is<Type::kDict>},
    {"set", MakeSet,
     [](const Value& v) { return v.If<lang::Set>() && !v.As<lang::Set>()->frozen(); }},
    {"frozenset", MakeFrozenSet,
     [](const Value& v) { return v.If<lang::Set>() && v.As<lang::Set>()->frozen(); }},
    {"slice", MakeSlice, Is<Type::kSlice>},
    {"range", MakeRange, Is<Type::kRange>},
    {"object", MakeObject, [](const Value&) { return true; }},
    {"NoneType", MakeNone, Is<Type::kNone>},
};

// The value of `...`.
class EllipsisObject final : public lang::Extension {
 public:
  explicit EllipsisObject(Heap& heap) : Extension(heap, lang::Type::kExtension) {}
  std::string_view TypeName() const override { return "ellipsis"; }
  Outcome<std::string> Repr(Host&) override { return std::string("Ellipsis"); }
};

}  // namespace

void AddTypeBuiltins(Machine& machine) {
  Heap& heap = machine.heap();
  for (const TypeRow& row : kTypes) {
    machine.AddBuiltin(row.name, heap.New<TypeObject>(row.name, row.make, row.holds));
  }
  machine.AddBuiltin("Ellipsis", heap.New<EllipsisObject>());
  for (const ErrorKind& kind : ErrorKinds()) {
    if (kind.name == "LimitError" || !kind.module.empty()) continue;
    machine.AddBuiltin(kind.name, heap.New<ErrorType>(kind));
  }
  for (const std::string_view name : {"IOError", "EnvironmentError"}) {
    machine.AddBuiltin(name, machine.Builtin("OSError"));
  }
}

}  // namespace espalier::script
