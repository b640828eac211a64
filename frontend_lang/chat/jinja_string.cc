#include "frontend_lang/chat/jinja_string.h"

#include <charconv>
#include <utility>

#include "kernels/base/utf8.h"

namespace espalier::jinja {
namespace {

struct SimpleEscape {
  char letter, value;
};
constexpr SimpleEscape kSimpleEscapes[] = {
    {'\\', '\\'}, {'\'', '\''}, {'"', '"'},  {'a', '\a'}, {'b', '\b'},
    {'f', '\f'},  {'n', '\n'},  {'r', '\r'}, {'t', '\t'}, {'v', '\v'},
};

bool AppendSimple(std::string& out, char letter) {
  for (const SimpleEscape& escape : kSimpleEscapes) {
    if (escape.letter != letter) continue;
    out += escape.value;
    return true;
  }
  return false;
}

// Reads digits of `base` at `at`, at most `most`; returns how many.
std::size_t ReadDigits(std::string_view text, std::size_t at, std::size_t most, int base,
                       std::uint32_t& value) {
  const std::string_view digits = text.substr(at, most);
  const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  return static_cast<std::size_t>(end.ptr - digits.data());
}

void AppendScalar(std::string& out, std::uint32_t code_point) {
  const bool surrogate = code_point >= 0xD800 && code_point < 0xE000;
  AppendCodePoint(out, surrogate ? U'\uFFFD' : static_cast<char32_t>(code_point));
}

}  // namespace

Result<std::string> UnescapeString(std::string_view literal) {
  std::string out;
  for (std::size_t at = 0; at < literal.size();) {
    if (literal[at] != '\\' || at + 1 == literal.size()) {
      out += literal[at++];
      continue;
    }
    const char letter = literal[at + 1];
    at += 2;
    if (letter == '\n') continue;
    if (AppendSimple(out, letter)) continue;
    std::uint32_t value = 0;
    if (letter == 'x' || letter == 'u' || letter == 'U') {
      const std::size_t wanted = letter == 'x' ? 2 : letter == 'u' ? 4 : 8;
      if (ReadDigits(literal, at, wanted, 16, value) != wanted || value >= 0x110000) {
        return Status(Code::kInvalidArgument,
                      std::string("this string has a broken \\") + letter + " escape");
      }
      AppendScalar(out, value);
      at += wanted;
    } else if (letter >= '0' && letter <= '7') {
      at += ReadDigits(literal, at - 1, 3, 8, value) - 1;
      AppendScalar(out, value);
    } else if (letter == 'N') {
      return Status(Code::kInvalidArgument, "the escape \\N{...} is not supported");
    } else {
      out += '\\';
      out += letter;
    }
  }
  return out;
}

}  // namespace espalier::jinja
