#include "runtime/tokenizer/utf8.h"

namespace espalier {
namespace {

// What may follow a lead byte (the Unicode standard, table 3-7).
struct Lead {
  std::uint8_t num_continuations = 0;  // 0: not a lead byte
  std::uint8_t second_low = 0x80;
  std::uint8_t second_high = 0xBF;
};

Lead ClassifyLead(std::uint8_t byte) {
  if (byte < 0xC2 || byte > 0xF4) return {};
  if (byte < 0xE0) return {.num_continuations = 1};
  if (byte == 0xE0) return {.num_continuations = 2, .second_low = 0xA0};
  if (byte == 0xED) return {.num_continuations = 2, .second_high = 0x9F};
  if (byte < 0xF0) return {.num_continuations = 2};
  if (byte == 0xF0) return {.num_continuations = 3, .second_low = 0x90};
  if (byte == 0xF4) return {.num_continuations = 3, .second_high = 0x8F};
  return {.num_continuations = 3};
}

}  // namespace

Utf8Char ReadUtf8(std::string_view text, std::size_t pos) {
  const auto first = static_cast<std::uint8_t>(text[pos]);
  if (first < 0x80) return {.code = first, .size = 1, .kind = Utf8Kind::kValid};
  const Lead lead = ClassifyLead(first);
  if (lead.num_continuations == 0) return {};
  char32_t code = first & (0x3Fu >> lead.num_continuations);
  for (std::uint8_t i = 1; i <= lead.num_continuations; ++i) {
    if (pos + i >= text.size()) return {.size = i, .kind = Utf8Kind::kUnfinished};
    const auto byte = static_cast<std::uint8_t>(text[pos + i]);
    const std::uint8_t low = i == 1 ? lead.second_low : 0x80;
    const std::uint8_t high = i == 1 ? lead.second_high : 0xBF;
    if (byte < low || byte > high) return {.size = i, .kind = Utf8Kind::kInvalid};
    code = code << 6 | (byte & 0x3Fu);
  }
  const auto size = static_cast<std::uint8_t>(lead.num_continuations + 1);
  return {.code = code, .size = size, .kind = Utf8Kind::kValid};
}

void AppendUtf8(char32_t code, std::string& out) {
  if (code < 0x80) {
    out.push_back(static_cast<char>(code));
    return;
  }
  if (code < 0x800) {
    out.push_back(static_cast<char>(0xC0 | code >> 6));
  } else {
    if (code < 0x10000) {
      out.push_back(static_cast<char>(0xE0 | code >> 12));
    } else {
      out.push_back(static_cast<char>(0xF0 | code >> 18));
      out.push_back(static_cast<char>(0x80 | (code >> 12 & 0x3F)));
    }
    out.push_back(static_cast<char>(0x80 | (code >> 6 & 0x3F)));
  }
  out.push_back(static_cast<char>(0x80 | (code & 0x3F)));
}

std::string Printable(std::string_view text) {
  constexpr std::size_t kMaxSize = 60;
  const std::string_view shown = text.substr(0, kMaxSize);
  std::string out;
  for (std::size_t pos = 0; pos < shown.size();) {
    const Utf8Char read = ReadUtf8(shown, pos);
    AppendUtf8(read.code < 0x20 ? U'?' : read.code, out);
    pos += read.size;
  }
  if (text.size() > kMaxSize) out += "...";
  return out;
}

}  // namespace espalier
