#include "frontend_lang/script/bytes/codec.h"

#include <fmt/format.h>

#include "frontend_lang/script/values/text/str.h"
#include "kernels/base/utf8.h"

namespace espalier::script {

using lang::Outcome;
using lang::Value;

namespace {

struct Codec {
  std::string_view name;  // as errors say it
  char32_t limit;         // code points from there on do not fit; 0: UTF-8
};
constexpr Codec kUtf8{"utf-8", 0}, kAscii{"ascii", 0x80}, kLatin1{"latin-1", 0x100};

Outcome<Codec> CodecNamed(const Value& given) {
  if (given.is_unset()) return kUtf8;
  if (!given.is_str()) {
    return lang::TypeError(
        fmt::format("argument 'encoding' must be str, not {}", lang::TypeName(given)));
  }
  std::string name;
  for (const char c : lang::TextOf(given)) {
    name += c == '_' || c == ' ' ? '-' : static_cast<char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
  }
  if (name == "utf-8" || name == "utf8" || name == "u8") return kUtf8;
  if (name == "ascii" || name == "us-ascii") return kAscii;
  if (name == "latin-1" || name == "latin1" || name == "iso-8859-1" || name == "l1") {
    return kLatin1;
  }
  return lang::Raise("LookupError", fmt::format("unknown encoding: {}", lang::TextOf(given)));
}

enum class Otherwise { kStrict, kIgnore, kReplace, kBackslash, kReference };

Outcome<Otherwise> OtherwiseNamed(const Value& given) {
  if (given.is_unset()) return Otherwise::kStrict;
  if (!given.is_str()) {
    return lang::TypeError(
        fmt::format("argument 'errors' must be str, not {}", lang::TypeName(given)));
  }
  const std::string_view name = lang::TextOf(given);
  if (name == "strict") return Otherwise::kStrict;
  if (name == "ignore" || name == "surrogateescape") return Otherwise::kIgnore;
  if (name == "replace") return Otherwise::kReplace;
  if (name == "backslashreplace") return Otherwise::kBackslash;
  if (name == "xmlcharrefreplace") return Otherwise::kReference;
  return lang::Raise("LookupError", fmt::format("unknown error handler name '{}'", name));
}

// The name is looked up only where something does not fit; but it is a text always.
lang::Fault CheckName(const Value& errors) {
  if (errors.is_unset() || errors.is_str()) return lang::Fault();
  return lang::TypeError(
      fmt::format("argument 'errors' must be str, not {}", lang::TypeName(errors)));
}

std::string EscapeOf(char32_t point) {
  const auto number = static_cast<std::uint32_t>(point);
  if (number < 0x100) return fmt::format("\\x{:02x}", number);
  return number < 0x10000 ? fmt::format("\\u{:04x}", number) : fmt::format("\\U{:08x}", number);
}

lang::Fault CannotEncode(const Codec& codec, std::string_view text, std::size_t at) {
  const std::int64_t first = NumCodePoints(text.substr(0, at));
  std::int64_t count = 0;
  const std::size_t begin = at;
  while (at < text.size() && NextCodePoint(text, at) >= codec.limit) ++count;
  std::size_t again = begin;
  const std::string what =
      count == 1 ? fmt::format("character '{}' in position {}",
                               EscapeOf(NextCodePoint(text, again)), first)
                 : fmt::format("characters in position {}-{}", first, first + count - 1);
  return lang::Raise("UnicodeEncodeError",
                     fmt::format("'{}' codec can't encode {}: ordinal not in "
                                 "range({})",
                                 codec.name, what, static_cast<std::uint32_t>(codec.limit)));
}

// Length of the broken part of UTF-8 that begins `bytes`, and what is wrong with it.
struct Broken {
  std::size_t length;
  std::string_view why;
};
Broken BrokenUtf8(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0xC2 || lead > 0xF4) return {1, "invalid start byte"};
  const std::size_t wanted = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  for (std::size_t i = 1; i < wanted; ++i) {
    if (i == bytes.size()) return {i, "unexpected end of data"};
    const unsigned char least = i > 1 ? 0x80 : lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char most = i > 1 ? 0xBF : lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (byte(i) < least || byte(i) > most) return {i, "invalid continuation byte"};
  }
  return {wanted, "invalid continuation byte"};
}

lang::Fault CannotDecode(const Codec& codec, std::string_view bytes, std::size_t at,
                         const Broken& broken) {
  const std::string what =
      broken.length == 1
          ? fmt::format("byte 0x{:02x} in position {}", static_cast<unsigned char>(bytes[at]), at)
          : fmt::format("bytes in position {}-{}", at, at + broken.length - 1);
  return lang::Raise("UnicodeDecodeError",
                     fmt::format("'{}' codec can't decode {}: {}", codec.name, what, broken.why));
}

}  // namespace

Outcome<std::string> EncodeText(std::string_view text, const Value& encoding, const Value& errors) {
  ESP_TRY_ASSIGN(const Codec codec, CodecNamed(encoding));
  ESP_TRY(CheckName(errors));
  if (codec.limit == 0) return std::string(text);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t point = NextCodePoint(text, at);
    if (point < codec.limit) {
      out += static_cast<char>(point);
      continue;
    }
    ESP_TRY_ASSIGN(const Otherwise otherwise, OtherwiseNamed(errors));
    if (otherwise == Otherwise::kStrict) {
      return CannotEncode(codec, text, begin);
    } else if (otherwise == Otherwise::kReplace) {
      out += '?';
    } else if (otherwise == Otherwise::kBackslash) {
      out += EscapeOf(point);
    } else if (otherwise == Otherwise::kReference) {
      out += fmt::format("&#{};", static_cast<std::uint32_t>(point));
    }
  }
  return out;
}

Outcome<std::string> DecodeBytes(std::string_view bytes, const Value& encoding,
                                 const Value& errors) {
  ESP_TRY_ASSIGN(const Codec codec, CodecNamed(encoding));
  ESP_TRY(CheckName(errors));
  std::string out;
  for (std::size_t at = 0; at < bytes.size();) {
    const auto byte = static_cast<unsigned char>(bytes[at]);
    const std::size_t valid = codec.limit == 0 ? ValidUtf8Prefix(bytes.substr(at)) : 0;
    if (valid > 0) {
      out += bytes.substr(at, valid);
      at += valid;
      continue;
    }
    if (codec.limit != 0 && byte < codec.limit) {
      AppendCodePoint(out, byte);
      ++at;
      continue;
    }
    ESP_TRY_ASSIGN(const Otherwise otherwise, OtherwiseNamed(errors));
    const Broken broken =
        codec.limit == 0 ? BrokenUtf8(bytes.substr(at)) : Broken{1, "ordinal not in range(128)"};
    if (otherwise == Otherwise::kStrict) return CannotDecode(codec, bytes, at, broken);
    if (otherwise == Otherwise::kReplace) out += "\uFFFD";
    for (std::size_t i = 0; otherwise == Otherwise::kBackslash && i < broken.length; ++i) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(bytes[at + i]));
    }
    at += broken.length;
  }
  return out;
}

}  // namespace espalier::script
