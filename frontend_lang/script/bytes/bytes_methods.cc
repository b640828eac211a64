// bytes(...), and the methods of bytes (frontend_lang/script/bytes/bytes.h says how).
#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/bytes/bytes.h"
#include "frontend_lang/script/bytes/codec.h"
#include "frontend_lang/script/machine/objects.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/integer/integer.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"
#include "kernels/base/utf8.h"

namespace espalier::script {
namespace {

// Where bytes from 0x80 on are seen: in a private area of Unicode, which has no case.
constexpr char32_t kHigh = 0xE000;

std::string AsText(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    AppendCodePoint(text, byte < 0x80 ? byte : kHigh + byte);
  }
  return text;
}

std::string AsByteString(std::string_view text) {
  std::string bytes;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t point = NextCodePoint(text, at);
    bytes += static_cast<char>(point >= kHigh ? point - kHigh : point);
  }
  return bytes;
}

// What a str method gets for an argument of a bytes method.
Outcome<Value> TextArgument(Host& host, std::string_view method, const Value& value) {
  const bool finds = method == "find" || method == "rfind" || method == "index" ||
                     method == "rindex" || method == "count";
  if (const Bytes* bytes = AsBytes(value)) {
    return lang::MakeStr(host.heap(), AsText(bytes->bytes()));
  }
  if (value.is_str()) {
    if (method == "startswith" || method == "endswith") {
      return lang::TypeError(
          fmt::format("{} first arg must be bytes or a tuple of bytes, not str", method));
    }
    if (finds) {
      return lang::TypeError("argument should be integer or bytes-like object, not 'str'");
    }
    return lang::TypeError("a bytes-like object is required, not 'str'");
  }
  if (const auto* tuple = value.If<lang::Tuple>()) {
    std::vector<Value> items;
    for (const Value& item : tuple->items()) {
      ESP_TRY_ASSIGN(Value text, TextArgument(host, method, item));
      items.push_back(std::move(text));
    }
    return host.heap().New<lang::Tuple>(std::move(items));
  }
  return value;
}

// What a bytes method gives, from what the str method gave.
Value BytesAnswer(Host& host, const Value& answer) {
  if (answer.is_str()) return host.heap().New<Bytes>(AsByteString(lang::TextOf(answer)));
  const auto* list = answer.If<lang::List>();
  const auto* tuple = answer.If<lang::Tuple>();
  if (list == nullptr && tuple == nullptr) return answer;
  std::vector<Value> items;
  for (const Value& item : list != nullptr ? list->items() : tuple->items()) {
    items.push_back(BytesAnswer(host, item));
  }
  if (list != nullptr) return host.heap().New<lang::List>(std::move(items));
  return host.heap().New<lang::Tuple>(std::move(items));
}

Outcome<Value> CallTextMethod(Host& host, std::string_view name, const Value& self,
                              const std::vector<Value>& positional, const Args& args) {
  const Value text = lang::MakeStr(host.heap(), AsText(AsBytes(self)->bytes()));
  auto answer = lang::CallAttr(host, text, name, Args{positional, args.keywords});
  if (answer.ok()) return BytesAnswer(host, *answer);
  if (answer.error().message == "substring not found") {
    return lang::ValueError("subsection not found");
  }
  return answer;
}

Outcome<Value> Join(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("bytes.join", args, 1, 1));
  ESP_TRY_ASSIGN(const std::vector<Value> items, lang::Collect(host, args.positional[0]));
  std::string out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Bytes* item = AsBytes(items[i]);
    if (item == nullptr) {
      return lang::TypeError(fmt::format("sequence item {}: expected a bytes-like object, {} found",
                                         i, lang::TypeName(items[i])));
    }
    if (i > 0) out += AsBytes(self)->bytes();
    ESP_TRY(host.Reserve(static_cast<std::int64_t>(out.size()) + item->size()));
    out += item->bytes();
  }
  return host.heap().New<Bytes>(std::move(out));
}

Outcome<Value> Decode(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("decode", args, {"encoding", "errors"}, 0));
  ESP_TRY_ASSIGN(std::string text, DecodeBytes(AsBytes(self)->bytes(), bound[0], bound[1]));
  return lang::MakeStr(host.heap(), std::move(text));
}

// hex(separator, bytes between them); they are counted from the right.
Outcome<Value> Hex(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("hex", args, {"sep", "bytes_per_sep"}, 0));
  const std::string& bytes = AsBytes(self)->bytes();
  std::string_view separator;
  if (bound[0].is_str()) separator = lang::TextOf(bound[0]);
  if (const Bytes* given = AsBytes(bound[0])) separator = given->bytes();
  if (!bound[0].is_unset() && separator.size() != 1) {
    return lang::ValueError("sep must be length 1.");
  }
  const std::int64_t every = bound[1].is_integral() ? bound[1].as_int() : 1;
  const auto group = static_cast<std::size_t>(
      std::clamp<std::int64_t>(every < 0 ? -every : every, 0, std::int64_t{1} << 30));
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::size_t from = every > 0 ? bytes.size() - i : i;
    if (i > 0 && group > 0 && from % group == 0) out += separator;
    out += fmt::format("{:02x}", static_cast<unsigned char>(bytes[i]));
  }
  return lang::MakeStr(host.heap(), std::move(out));
}

// The methods that are as those of str, sorted.
constexpr std::string_view kTextMethods[] = {
    "capitalize", "center",       "count",        "endswith", "expandtabs", "find",
    "index",      "isalnum",      "isalpha",      "isascii",  "isdigit",    "islower",
    "isspace",    "istitle",      "isupper",      "ljust",    "lower",      "lstrip",
    "partition",  "removeprefix", "removesuffix", "replace",  "rfind",      "rindex",
    "rjust",      "rpartition",   "rsplit",       "rstrip",   "split",      "splitlines",
    "startswith", "strip",        "swapcase",     "title",    "upper",      "zfill"};

template <std::size_t row>
Outcome<Value> AsStrDoes(Host& host, const Value& self, const Args& args) {
  constexpr std::string_view kName = kTextMethods[row];
  ESP_TRY(host.Reserve(AsBytes(self)->size(), 4));
  ESP_TRY(host.Step(AsBytes(self)->size() / 256));
  std::vector<Value> positional;
  for (const Value& argument : args.positional) {
    ESP_TRY_ASSIGN(Value text, TextArgument(host, kName, argument));
    positional.push_back(std::move(text));
  }
  return CallTextMethod(host, kName, self, positional, args);
}

template <std::size_t... rows>
constexpr auto TableOf(std::index_sequence<rows...>) {
  return std::array<lang::NativeCode, sizeof...(rows)>{AsStrDoes<rows>...};
}
constexpr auto kTextCodes = TableOf(std::make_index_sequence<std::size(kTextMethods)>());

std::optional<int> HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  if (lower >= 'a' && lower <= 'f') return lower - 'a' + 10;
  return std::nullopt;
}

Outcome<Value> BytesOfInts(Host& host, const Value& iterable) {
  std::string out;
  ESP_TRY(lang::ForEach(host, iterable, [&](const Value& item) -> Fault {
    if (!item.is_integer()) {
      return lang::TypeError(
          fmt::format("'{}' object cannot be interpreted as an integer", lang::TypeName(item)));
    }
    if (!item.is_integral() || item.as_int() < 0 || item.as_int() > 255) {
      return lang::ValueError("bytes must be in range(0, 256)");
    }
    out += static_cast<char>(item.as_int());
    return Fault();
  }));
  return host.heap().New<Bytes>(std::move(out));
}

}  // namespace

Outcome<Value> BytesMethod(Host& host, const Value& self, std::string_view name) {
  lang::NativeCode code = nullptr;
  std::string_view literal;
  if (name == "decode" || name == "hex" || name == "join") {
    code = name == "decode" ? Decode : name == "hex" ? Hex : Join;
    literal = name == "decode" ? "decode" : name == "hex" ? "hex" : "join";
  } else if (const auto* row = std::ranges::lower_bound(kTextMethods, name);
             row != std::end(kTextMethods) && *row == name) {
    code = kTextCodes[static_cast<std::size_t>(row - kTextMethods)];
    literal = *row;
  }
  if (code == nullptr) return Value::Unset();
  return host.heap().New<lang::NativeFunction>(literal, code, self);
}

Outcome<Value> BytesFromHex(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("bytes.fromhex", args, 1, 1));
  if (!args.positional[0].is_str()) {
    return lang::TypeError(
        fmt::format("fromhex() argument must be str, not {}", lang::TypeName(args.positional[0])));
  }
  const std::string_view text = lang::TextOf(args.positional[0]);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r')) {
      ++at;
      continue;
    }
    for (std::size_t digit = at; digit < at + 2; ++digit) {
      if (digit < text.size() && HexDigit(text[digit])) continue;
      return lang::ValueError(
          fmt::format("non-hexadecimal number found in fromhex() arg at position {}", digit));
    }
    out += static_cast<char>(*HexDigit(text[at]) * 16 + *HexDigit(text[at + 1]));
    at += 2;
  }
  return host.heap().New<Bytes>(std::move(out));
}

Outcome<Value> MakeBytes(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound,
                 BindArguments("bytes", args, {"source", "encoding", "errors"}, 0));
  const Value& source = bound[0];
  if (source.is_str()) {
    if (bound[1].is_unset()) return lang::TypeError("string argument without an encoding");
    ESP_TRY_ASSIGN(std::string bytes, EncodeText(lang::TextOf(source), bound[1], bound[2]));
    return host.heap().New<Bytes>(std::move(bytes));
  }
  if (!bound[1].is_unset()) return lang::TypeError("encoding without a string argument");
  if (source.is_unset()) return host.heap().New<Bytes>(std::string());
  if (AsBytes(source) != nullptr) return source;
  if (source.is_integer()) {
    ESP_TRY_ASSIGN(const std::int64_t size, lang::ToIndex(source));
    if (size < 0) return lang::ValueError("negative count");
    ESP_TRY(host.Reserve(size));
    return host.heap().New<Bytes>(std::string(static_cast<std::size_t>(size), '\0'));
  }
  auto made = BytesOfInts(host, source);
  if (!made.ok() && made.error().message.ends_with("object is not iterable")) {
    return lang::TypeError(
        fmt::format("cannot convert '{}' object to bytes", lang::TypeName(source)));
  }
  return made;
}

}  // namespace espalier::script
