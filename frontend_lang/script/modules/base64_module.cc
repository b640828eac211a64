// base64, and of binascii what it rests on.
#include <array>
#include <string>

#include <fmt/format.h>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/bytes/bytes.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrlDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string Encode(std::string_view bytes, std::string_view digits) {
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      group = group << 8 | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      out += i <= count ? digits[group >> (18 - 6 * i) & 63] : '=';
    }
  }
  return out;
}

// What is no digit is skipped, unless it must not be there.
enum class Stray { kSkipped, kRefused };

Outcome<std::string> Decode(std::string_view text, std::string_view digits, Stray stray) {
  std::string out;
  std::uint32_t group = 0;
  std::size_t num_digits = 0, num_pads = 0;
  for (const char c : text) {
    const std::size_t digit = digits.find(c);
    if (c == '=') {
      if (num_digits % 4 >= 2 && num_digits % 4 + ++num_pads >= 4) break;
      continue;
    }
    if (digit == digits.npos) {
      if (stray == Stray::kRefused) return lang::Raise("Error", "Only base64 data is allowed");
      continue;
    }
    num_pads = 0;
    group = group << 6 | static_cast<std::uint32_t>(digit);
    if (++num_digits % 4 != 1) out += static_cast<char>(group >> (6 - 2 * ((num_digits - 1) % 4)));
  }
  const std::size_t rest = num_digits % 4;
  if (rest == 1) {
    return lang::Raise("Error", fmt::format("Invalid base64-encoded string: number of data "
                                            "characters ({}) cannot be 1 more than a multiple of 4",
                                            num_digits));
  }
  if (rest != 0 && rest + num_pads < 4) return lang::Raise("Error", "Incorrect padding");
  return out;
}

// Bytes, or a str of ASCII.
Outcome<std::string_view> TextArgument(const Value& value) {
  if (!value.is_str()) {
    if (AsBytes(value) == nullptr) {
      return lang::TypeError(
          fmt::format("argument should be a bytes-like object or ASCII string, not '{}'",
                      lang::TypeName(value)));
    }
    return BytesArgument(value);
  }
  const std::string_view text = lang::TextOf(value);
  if (!value.As<lang::Str>()->ascii()) {
    return lang::ValueError("string argument should contain only ASCII characters");
  }
  return text;
}

// The digits, with the last two as altchars says.
Outcome<std::string> DigitsWith(const Value& last_two, std::string_view digits) {
  if (last_two.is_unset() || last_two.is_none()) return std::string(digits);
  ESP_TRY_ASSIGN(const std::string_view last, TextArgument(last_two));
  if (last.size() != 2) {
    return lang::Raise("AssertionError", fmt::format("invalid altchars of length {}", last.size()));
  }
  return std::string(digits.substr(0, 62)) + std::string(last);
}

template <bool url>
Outcome<Value> EncodeFunction(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("b64encode", args, {"s", "altchars"}, 1));
  ESP_TRY_ASSIGN(const std::string_view bytes, BytesArgument(bound[0]));
  ESP_TRY_ASSIGN(const std::string digits, DigitsWith(bound[1], url ? kUrlDigits : kDigits));
  ESP_TRY(host.Reserve(static_cast<std::int64_t>(bytes.size()), 2));
  ESP_TRY(host.Step(static_cast<std::int64_t>(bytes.size() / 1024)));
  return host.heap().New<Bytes>(Encode(bytes, digits));
}

template <bool url>
Outcome<Value> DecodeFunction(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound,
                 BindArguments("b64decode", args, {"s", "altchars", "validate"}, 1));
  ESP_TRY_ASSIGN(const std::string_view text, TextArgument(bound[0]));
  ESP_TRY_ASSIGN(const std::string digits, DigitsWith(bound[1], url ? kUrlDigits : kDigits));
  bool is_strict = false;
  if (!bound[2].is_unset()) {
    ESP_TRY_ASSIGN(is_strict, lang::Truth(host, bound[2]));
  }
  ESP_TRY(host.Reserve(static_cast<std::int64_t>(text.size())));
  ESP_TRY(host.Step(static_cast<std::int64_t>(text.size() / 64)));
  ESP_TRY_ASSIGN(std::string bytes,
                 Decode(text, digits, is_strict ? Stray::kRefused : Stray::kSkipped));
  return host.heap().New<Bytes>(std::move(bytes));
}

Outcome<Value> Hexlify(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("hexlify", args, 1, 1));
  ESP_TRY_ASSIGN(const std::string_view bytes, BytesArgument(args.positional[0]));
  ESP_TRY(host.Reserve(static_cast<std::int64_t>(bytes.size()), 2));
  std::string out;
  for (const char c : bytes) out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return host.heap().New<Bytes>(std::move(out));
}

Outcome<Value> Unhexlify(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("unhexlify", args, 1, 1));
  ESP_TRY_ASSIGN(const std::string_view text, TextArgument(args.positional[0]));
  if (text.size() % 2 != 0) return lang::Raise("Error", "Odd-length string");
  if (text.find_first_not_of("0123456789abcdefABCDEF") != text.npos) {
    return lang::Raise("Error", "Non-hexadecimal digit found");
  }
  const Value str = lang::MakeStr(host.heap(), text);
  return BytesFromHex(host, self, Args{{&str, 1}, {}});
}

}  // namespace

Value MakeBase64Module(Machine& machine) {
  constexpr ModuleFunction kFunctions[] = {
      {"b64encode", EncodeFunction<false>},
      {"b64decode", DecodeFunction<false>},
      {"standard_b64encode", EncodeFunction<false>},
      {"standard_b64decode", DecodeFunction<false>},
      {"urlsafe_b64encode", EncodeFunction<true>},
      {"urlsafe_b64decode", DecodeFunction<true>},
      {"hexlify", Hexlify},
      {"unhexlify", Unhexlify},
      {"a2b_base64", DecodeFunction<false>},
  };
  const Value module = NewModule(machine, "base64", kFunctions);
  ModuleOf(module).Add("Error", NewErrorType(machine, "Error"));
  return module;
}

}  // namespace espalier::script
