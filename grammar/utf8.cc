#include "grammar/utf8.h"

#include <algorithm>

#include <cstdint>

namespace espalier {
namespace {

// What may follow a lead byte: how many bytes in all, and the range of the second.
// A size of 0 is no lead byte.
struct Form {
  std::size_t size;
  std::uint8_t second_low, second_high;
};

constexpr Form FormOf(std::uint8_t lead) {
  if (lead < 0x80) return {1, 0, 0};
  if (lead < 0xc2) return {0, 0, 0};
  if (lead < 0xe0) return {2, 0x80, 0xbf};
  if (lead < 0xf0) {
    return {3, static_cast<std::uint8_t>(lead == 0xe0 ? 0xa0 : 0x80),
            static_cast<std::uint8_t>(lead == 0xed ? 0x9f : 0xbf)};
  }
  if (lead < 0xf5) {
    return {4, static_cast<std::uint8_t>(lead == 0xf0 ? 0x90 : 0x80),
            static_cast<std::uint8_t>(lead == 0xf4 ? 0x8f : 0xbf)};
  }
  return {0, 0, 0};
}

bool StartsWithCodePoint(std::string_view text, const Form& form) {
  if (form.size == 0 || form.size > text.size()) return false;
  for (std::size_t i = 1; i < form.size; ++i) {
    const auto byte = static_cast<std::uint8_t>(text[i]);
    const std::uint8_t low = i == 1 ? form.second_low : 0x80;
    const std::uint8_t high = i == 1 ? form.second_high : 0xbf;
    if (byte < low || byte > high) return false;
  }
  return true;
}

}  // namespace

std::size_t ValidUtf8Prefix(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const Form form = FormOf(static_cast<std::uint8_t>(text[at]));
    if (!StartsWithCodePoint(text.substr(at), form)) break;
    at += form.size;
  }
  return at;
}

std::size_t NumCodePoints(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return !IsContinuation(byte); }));
}

std::u32string DecodeUtf8(std::string_view text) {
  std::u32string code_points;
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<std::uint8_t>(text[at]);
    const std::size_t size = FormOf(lead).size;
    char32_t value = size == 1 ? lead : lead & (0x7F >> size);
    for (std::size_t i = 1; i < size; ++i) {
      value = (value << 6) | (static_cast<std::uint8_t>(text[at + i]) & 0x3F);
    }
    code_points.push_back(value);
    at += size;
  }
  return code_points;
}

void AppendCodePoint(char32_t code_point, std::string& text) {
  const auto byte = [&](char32_t bits) {
    text += static_cast<char>(static_cast<std::uint8_t>(bits));
  };
  if (code_point < 0x80) {
    byte(code_point);
  } else if (code_point < 0x800) {
    byte(0xC0 | code_point >> 6);
    byte(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    byte(0xE0 | code_point >> 12);
    byte(0x80 | (code_point >> 6 & 0x3F));
    byte(0x80 | (code_point & 0x3F));
  } else {
    byte(0xF0 | code_point >> 18);
    byte(0x80 | (code_point >> 12 & 0x3F));
    byte(0x80 | (code_point >> 6 & 0x3F));
    byte(0x80 | (code_point & 0x3F));
  }
}

}  // namespace espalier
