#include "frontend_lang/script/builtins/number_members.h"

#include <cmath>
#include <cstdlib>
#include <string>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/bytes/bytes.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/integer/integer_bytes.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using lang::TypeError;
using lang::ValueError;

Outcome<std::string> BytesOf(Host& host, const Value& source) {
  if (const auto* bytes = Exactly<Bytes>(source)) return bytes->bytes();
  if (source.is_str() || source.is_number()) {
    return TypeError("cannot convert '" + std::string(lang::TypeName(source)) +
                     "' object to bytes");
  }
  std::string bytes;
  ESP_TRY(lang::ForEach(host, source, [&](const Value& item) -> Fault {
    if (!item.is_integral()) {
      return TypeError("'" + std::string(lang::TypeName(item)) +
                       "' object cannot be interpreted as an integer");
    }
    if (item.as_int() < 0 || item.as_int() > 0xFF) {
      return ValueError("bytes must be in range(0, 256)");
    }
    bytes += static_cast<char>(item.as_int());
    return Fault();
  }));
  return bytes;
}

}  // namespace

Outcome<Value> IntFromBytes(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound,
                 BindArguments("from_bytes", args, {"bytes", "byteorder", "signed"}, 1));
  ESP_TRY_ASSIGN(const std::string bytes, BytesOf(host, bound[0]));
  auto order = lang::ByteOrder::kBig;
  if (!bound[1].is_unset()) {
    const std::string_view name = bound[1].is_str() ? lang::TextOf(bound[1]) : "";
    if (name != "big" && name != "little") {
      return ValueError("byteorder must be either 'little' or 'big'");
    }
    if (name == "little") order = lang::ByteOrder::kLittle;
  }
  bool is_signed = false;
  if (!bound[2].is_unset()) {
    ESP_TRY_ASSIGN(is_signed, lang::Truth(host, bound[2]));
  }
  ESP_TRY(host.Step(static_cast<std::int64_t>(bytes.size() / 64)));
  return lang::IntegerFromBytes(host.heap(), bytes, order,
                                is_signed ? lang::Sign::kTwosComplement : lang::Sign::kNone);
}

Outcome<Value> FloatFromHex(Host&, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("fromhex", args, 1, 1));
  if (!args.positional[0].is_str()) return TypeError("bad argument type for built-in operation");
  const std::string_view given = lang::TextOf(args.positional[0]);
  const auto invalid = [] { return ValueError("invalid hexadecimal floating-point string"); };
  constexpr std::string_view kBlanks = " \t\n\r\f\v";
  const std::size_t begin = given.find_first_not_of(kBlanks);
  if (begin == given.npos) return invalid();
  std::string text(given.substr(begin, given.find_last_not_of(kBlanks) + 1 - begin));
  const std::size_t digits = text[0] == '-' || text[0] == '+' ? 1 : 0;
  const bool prefixed = text.size() > digits + 1 && text[digits] == '0' &&
                        (text[digits + 1] == 'x' || text[digits + 1] == 'X');
  const bool named =
      text.size() > digits && std::string_view("iInN").find(text[digits]) != std::string_view::npos;
  if (!prefixed && !named) text.insert(digits, "0x");
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size()) return invalid();
  if (std::isinf(number) && !named) {
    return lang::Raise("OverflowError", "hexadecimal value too large to represent as a float");
  }
  return Value::Float(number);
}

}  // namespace espalier::script
