// print, repr, format, chr, ord, and the small functions of numbers.
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/builtins/builtins.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/values/arithmetic.h"
#include "frontend_lang/script/values/as_number.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/hash.h"
#include "frontend_lang/script/values/integer/integer.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/text/format_spec.h"
#include "frontend_lang/script/values/text/str.h"
#include "frontend_lang/script/values/text/text_convert.h"
#include "kernels/base/utf8.h"

namespace espalier::script {
namespace {

using lang::TypeError;
using lang::ValueError;

Outcome<std::string> TextOption(const lang::Keyword& keyword, std::string_view fallback) {
  if (keyword.value.is_none()) return std::string(fallback);
  if (keyword.value.is_str()) return std::string(lang::TextOf(keyword.value));
  return TypeError(fmt::format("{} must be None or a string, not {}", keyword.name,
                               lang::TypeName(keyword.value)));
}

}  // namespace

Fault WriteTo(Host& host, const Value& file, std::string text) {
  auto& machine = static_cast<Machine&>(host);
  Value to = file;
  if (to.is_none()) {
    const Value sys = machine.Imported("sys");
    if (const auto* module = Exactly<Module>(sys)) to = module->Find("stdout");
  }
  if (!to.is_none() && !to.is_unset()) {
    const Value piece = lang::MakeStr(host.heap(), std::move(text));
    auto written = lang::CallAttr(host, to, "write", {{&piece, 1}, {}});
    return written.ok() ? Fault() : written.TakeFault();
  }
  machine.Print(text);
  return Fault();
}

namespace {

// What print() writes to an object that it is given: each part in a call of its own.
Fault PrintParts(Host& host, const Args& args, const Value& file, std::string_view separator,
                 std::string_view end) {
  const auto write = [&](std::string_view text) -> Fault {
    ESP_TRY(host.Step());
    return WriteTo(host, file, std::string(text));
  };
  for (std::size_t i = 0; i < args.positional.size(); ++i) {
    if (i > 0) ESP_TRY(write(separator));
    ESP_TRY_ASSIGN(const std::string text, lang::Text(host, args.positional[i]));
    ESP_TRY(write(text));
  }
  return write(end);
}

Outcome<Value> Print(Host& host, const Value&, const Args& args) {
  std::string separator = " ", end = "\n";
  Value file;
  bool flush = false;
  for (const lang::Keyword& keyword : args.keywords) {
    if (keyword.name == "sep") {
      ESP_TRY_ASSIGN(separator, TextOption(keyword, " "));
    } else if (keyword.name == "end") {
      ESP_TRY_ASSIGN(end, TextOption(keyword, "\n"));
    } else if (keyword.name == "file") {
      file = keyword.value;
    } else if (keyword.name == "flush") {
      ESP_TRY_ASSIGN(flush, lang::Truth(host, keyword.value));
    } else {
      return TypeError(
          fmt::format("'{}' is an invalid keyword argument for print()", keyword.name));
    }
  }
  if (file.type() == lang::Type::kInstance) {
    ESP_TRY(PrintParts(host, args, file, separator, end));
    if (flush) return lang::CallAttr(host, file, "flush", {});
    return Value();
  }
  std::string line;
  for (std::size_t i = 0; i < args.positional.size(); ++i) {
    if (i > 0) line += separator;
    ESP_TRY_ASSIGN(const std::string text, lang::Text(host, args.positional[i]));
    ESP_TRY(host.Reserve(static_cast<std::int64_t>(line.size() + text.size())));
    line += text;
  }
  line += end;
  ESP_TRY(host.Step(static_cast<std::int64_t>(line.size() / 4096)));
  ESP_TRY(WriteTo(host, file, std::move(line)));
  return Value();
}

Outcome<Value> Repr(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("repr", args, 1, 1));
  ESP_TRY_ASSIGN(std::string text, lang::Repr(host, args.positional[0]));
  return lang::MakeStr(host.heap(), std::move(text));
}

Outcome<Value> Ascii(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("ascii", args, 1, 1));
  ESP_TRY_ASSIGN(std::string text, lang::ConvertText(host, args.positional[0], 'a'));
  return lang::MakeStr(host.heap(), std::move(text));
}

Outcome<Value> FormatFunction(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("format", args, 1, 2));
  const bool has_spec = args.positional.size() == 2;
  if (has_spec && !args.positional[1].is_str()) {
    return TypeError("format() argument 2 must be str, not " +
                     std::string(lang::TypeName(args.positional[1])));
  }
  ESP_TRY_ASSIGN(std::string text,
                 lang::Format(host, args.positional[0],
                              has_spec ? lang::TextOf(args.positional[1]) : std::string_view()));
  return lang::MakeStr(host.heap(), std::move(text));
}

Outcome<Value> Chr(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("chr", args, 1, 1));
  ESP_TRY_ASSIGN(const Value number, lang::AsInteger(host, args.positional[0]));
  ESP_TRY_ASSIGN(const std::int64_t point, lang::ToIndex(number, "C int"));
  if (point < 0 || point > 0x10FFFF) return ValueError("chr() arg not in range(0x110000)");
  if (point >= 0xD800 && point < 0xE000) {
    return ValueError("chr() of a surrogate is not in the language");
  }
  std::string text;
  AppendCodePoint(text, static_cast<char32_t>(point));
  return lang::MakeStr(host.heap(), std::move(text));
}

Outcome<Value> Ord(Host&, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("ord", args, 1, 1));
  const Value& text = lang::PlainOf(args.positional[0]);
  if (!text.is_str()) {
    return TypeError("ord() expected string of length 1, but " + std::string(lang::TypeName(text)) +
                     " found");
  }
  if (text.As<lang::Str>()->length() != 1) {
    return TypeError("ord() expected a character, but string of length " +
                     std::to_string(text.As<lang::Str>()->length()) + " found");
  }
  std::size_t offset = 0;
  return Value::Int(static_cast<std::int64_t>(NextCodePoint(lang::TextOf(text), offset)));
}

Outcome<Value> Abs(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("abs", args, 1, 1));
  if (auto* instance = args.positional[0].If<Instance>()) {
    ESP_TRY_ASSIGN(Value answer, instance->CallSpecial(host, Special::kAbs));
    if (!answer.is_unset()) return answer;
  }
  const Value& value = lang::PlainOf(args.positional[0]);
  if (value.is_float()) return Value::Float(std::fabs(value.as_float()));
  if (!value.is_integer()) {
    return TypeError("bad operand type for abs(): '" + std::string(lang::TypeName(value)) + "'");
  }
  const bool negative = lang::IntegerView(value).negative();
  return lang::Unary(host, negative ? lang::UnaryOp::kMinus : lang::UnaryOp::kPlus, value);
}

Outcome<Value> Round(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(auto bound, BindArguments("round", args, {"number", "ndigits"}, 1));
  if (auto* instance = bound[0].If<Instance>()) {
    const auto rest = std::span(bound).subspan(1, bound[1].is_unset() ? 0 : 1);
    ESP_TRY_ASSIGN(Value answer, instance->CallSpecial(host, Special::kRound, rest));
    if (!answer.is_unset()) return answer;
  }
  const Value& value = lang::PlainOf(bound[0]);
  const bool whole = bound[1].is_unset() || bound[1].is_none();
  std::int64_t digits = 0;
  if (!whole) {
    ESP_TRY_ASSIGN(const Value places, lang::AsInteger(host, bound[1]));
    if (value.is_float() && places.is_integer()) {
      digits = lang::NearestIndex(places);
    } else {
      ESP_TRY_ASSIGN(digits, lang::ToIndex(places));
    }
  }
  if (value.is_integer()) {
    return digits < 0 ? lang::RoundInteger(host, value, digits)
                      : lang::Unary(host, lang::UnaryOp::kPlus, value);
  }
  if (!value.is_float()) {
    return TypeError("type " + std::string(lang::TypeName(value)) +
                     " doesn't define __round__ method");
  }
  const double number = value.as_float();
  if (!whole) return Value::Float(lang::RoundFloat(number, digits));
  return lang::IntegerFromDouble(host, std::nearbyint(number));
}

Outcome<Value> DivMod(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("divmod", args, 2, 2));
  ESP_TRY_ASSIGN(Value own,
                 CallNamedOf(host, args.positional[0], "__divmod__", {&args.positional[1], 1}));
  if (own.is_unset() || IsNotImplemented(own)) {
    ESP_TRY_ASSIGN(own,
                   CallNamedOf(host, args.positional[1], "__rdivmod__", {&args.positional[0], 1}));
  }
  if (!own.is_unset() && !IsNotImplemented(own)) return own;
  const Value a = lang::PlainOf(args.positional[0]), b = lang::PlainOf(args.positional[1]);
  if (!a.is_number() || !b.is_number()) {
    return TypeError(fmt::format("unsupported operand type(s) for divmod(): '{}' and '{}'",
                                 lang::TypeName(a), lang::TypeName(b)));
  }
  auto quotient = lang::Binary(host, lang::BinaryOp::kFloorDiv, a, b);
  if (!quotient.ok()) {
    if ((a.is_integer() && b.is_integer()) || quotient.error().type != "ZeroDivisionError") {
      return quotient.TakeFault();
    }
    return lang::Raise("ZeroDivisionError", "float divmod()");
  }
  ESP_TRY_ASSIGN(Value rest, lang::Binary(host, lang::BinaryOp::kMod, a, b));
  return host.heap().New<lang::Tuple>(std::vector<Value>{std::move(*quotient), std::move(rest)});
}

Outcome<Value> Pow(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("pow", args, {"base", "exp", "mod"}, 2));
  if (bound[2].is_unset() || bound[2].is_none()) {
    return lang::Binary(host, lang::BinaryOp::kPow, bound[0], bound[1]);
  }
  const Value rest[] = {bound[1], bound[2]};
  ESP_TRY_ASSIGN(Value own, CallNamedOf(host, bound[0], "__pow__", rest));
  if (!own.is_unset() && !IsNotImplemented(own)) return own;
  if (!bound[0].is_number() || !bound[1].is_number() || !bound[2].is_number()) {
    return TypeError(fmt::format("unsupported operand type(s) for ** or pow(): '{}', '{}', '{}'",
                                 lang::TypeName(bound[0]), lang::TypeName(bound[1]),
                                 lang::TypeName(bound[2])));
  }
  for (const Value& number : bound) {
    if (number.is_float()) {
      return TypeError("pow() 3rd argument not allowed unless all arguments are integers");
    }
  }
  return lang::IntegerPowerModulo(host, bound[0], bound[1], bound[2]);
}

template <char letter>
Outcome<Value> Radix(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional(letter == 'x' ? "hex" : letter == 'o' ? "oct" : "bin", args, 1, 1));
  ESP_TRY_ASSIGN(const Value value, lang::AsInteger(host, args.positional[0]));
  if (!value.is_integer()) {
    return TypeError("'" + std::string(lang::TypeName(value)) +
                     "' object cannot be interpreted as an integer");
  }
  const std::string spec = std::string("#") + letter;
  ESP_TRY_ASSIGN(std::string text, lang::Format(host, value, spec));
  return lang::MakeStr(host.heap(), std::move(text));
}

Outcome<Value> Hash(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("hash", args, 1, 1));
  ESP_TRY_ASSIGN(const std::uint64_t hash, lang::Hash(host, args.positional[0]));
  return Value::Int(static_cast<std::int64_t>(hash));
}

// What Python has and the language has not, refused by name.
struct Refusal {
  std::string_view name, reason;
};
constexpr Refusal kRefusals[] = {
    {"input", "input() is not in the language; use --arg"},
    {"eval", "eval() is not in the language: no text is run as code"},
    {"exec", "exec() is not in the language: no text is run as code"},
    {"compile", "compile() is not in the language: no text is run as code"},
    {"__import__", "__import__() is not in the language; use an import statement"},
    {"globals", "globals() is not in the language"},
    {"locals", "locals() is not in the language"},
    {"breakpoint", "breakpoint() is not in the language"},
    {"help", "help() is not in the language"},
    {"bytearray", "bytearray is not in the language: it has no bytes"},
    {"memoryview", "memoryview is not in the language: it has no bytes"},
    {"complex", "complex numbers are not in the language"},
};

template <std::size_t i>
Outcome<Value> Refuse(Host&, const Value&, const Args&) {
  return lang::Raise("PermissionError", std::string(kRefusals[i].reason));
}

template <std::size_t... i>
void AddRefusals(Machine& machine, std::index_sequence<i...>) {
  (machine.AddBuiltin(kRefusals[i].name,
                      machine.heap().New<lang::NativeFunction>(kRefusals[i].name, Refuse<i>)),
   ...);
}

Outcome<Value> Exit(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("exit", args, 0, 1));
  const Value type = static_cast<Machine&>(host).Builtin("SystemExit");
  ESP_TRY_ASSIGN(Value error, host.Call(type, args));
  return Fault(lang::LangError{"SystemExit", "", lang::LangError::Kind::kRaised, std::move(error)});
}

}  // namespace

void AddTextBuiltins(Machine& machine) {
  constexpr std::pair<std::string_view, lang::NativeCode> kFunctions[] = {
      {"print", Print},    {"repr", Repr},      {"format", FormatFunction},
      {"chr", Chr},        {"ord", Ord},        {"abs", Abs},
      {"round", Round},    {"divmod", DivMod},  {"ascii", Ascii},
      {"pow", Pow},        {"hex", Radix<'x'>}, {"oct", Radix<'o'>},
      {"bin", Radix<'b'>}, {"hash", Hash},      {"exit", Exit},
      {"quit", Exit},
  };
  Heap& heap = machine.heap();
  for (const auto& [name, code] : kFunctions) {
    machine.AddBuiltin(name, heap.New<lang::NativeFunction>(name, code));
  }
  AddRefusals(machine, std::make_index_sequence<std::size(kRefusals)>());
}

}  // namespace espalier::script
