#include "kernels/base/utf8.h"

#include <algorithm>
#include <cstring>

namespace espalier {
namespace {

// What may follow a lead byte of several.
struct Lead {
  std::uint8_t num_continuations = 0;  // 0: not a lead byte
  std::uint8_t second_low = 0x80;
  std::uint8_t second_high = 0xBF;
};

constexpr Lead ClassifyLead(std::uint8_t byte) {
  if (byte < 0xC2 || byte > 0xF4) return {};
  if (byte < 0xE0) return {.num_continuations = 1};
  if (byte == 0xE0) return {.num_continuations = 2, .second_low = 0xA0};
  if (byte == 0xED) return {.num_continuations = 2, .second_high = 0x9F};
  if (byte < 0xF0) return {.num_continuations = 2};
  if (byte == 0xF0) return {.num_continuations = 3, .second_low = 0x90};
  if (byte == 0xF4) return {.num_continuations = 3, .second_high = 0x8F};
  return {.num_continuations = 3};
}

bool StartsWithEightOfAscii(std::string_view text) {
  std::uint64_t eight = 0;
  if (text.size() < sizeof eight) return false;
  std::memcpy(&eight, text.data(), sizeof eight);
  return (eight & 0x8080808080808080) == 0;
}

}  // namespace

Utf8Char ReadUtf8(std::string_view text, std::size_t offset) {
  const auto first = static_cast<std::uint8_t>(text[offset]);
  if (first < 0x80) return {.code = first, .size = 1, .kind = Utf8Kind::kValid};
  const Lead lead = ClassifyLead(first);
  if (lead.num_continuations == 0) return {};
  char32_t code = first & (0x3Fu >> lead.num_continuations);
  for (std::uint8_t i = 1; i <= lead.num_continuations; ++i) {
    if (offset + i >= text.size()) return {.size = i, .kind = Utf8Kind::kUnfinished};
    const auto byte = static_cast<std::uint8_t>(text[offset + i]);
    const std::uint8_t low = i == 1 ? lead.second_low : 0x80;
    const std::uint8_t high = i == 1 ? lead.second_high : 0xBF;
    if (byte < low || byte > high) return {.size = i, .kind = Utf8Kind::kInvalid};
    code = code << 6 | (byte & 0x3Fu);
  }
  const auto size = static_cast<std::uint8_t>(lead.num_continuations + 1);
  return {.code = code, .size = size, .kind = Utf8Kind::kValid};
}

std::size_t ValidUtf8Prefix(std::string_view text) {
  std::size_t offset = 0;
  while (offset < text.size()) {
    if (StartsWithEightOfAscii(text.substr(offset))) {
      offset += 8;
      continue;
    }
    const Utf8Char read = ReadUtf8(text, offset);
    if (read.kind != Utf8Kind::kValid) break;
    offset += read.size;
  }
  return offset;
}

std::string RepairUtf8(std::string_view text) {
  std::string repaired;
  while (true) {
    const std::size_t valid = ValidUtf8Prefix(text);
    repaired.append(text.substr(0, valid));
    if (valid == text.size()) return repaired;
    AppendCodePoint(repaired, 0xFFFD);
    std::size_t skip = valid + 1;
    while (skip < text.size() && IsContinuation(text[skip])) ++skip;
    text.remove_prefix(skip);
  }
}

std::string Printable(std::string_view text) {
  constexpr std::size_t kMaxSize = 60;
  const std::string_view shown = text.substr(0, kMaxSize);
  std::string out;
  for (std::size_t offset = 0; offset < shown.size();) {
    const Utf8Char read = ReadUtf8(shown, offset);
    const bool is_control = read.code < 0x20 || (read.code >= 0x7F && read.code < 0xA0);
    AppendCodePoint(out, is_control ? U'?' : read.code);
    offset += read.size;
  }
  if (text.size() > kMaxSize) out += "...";
  return out;
}

std::int64_t NumCodePoints(std::string_view text) {
  return std::ranges::count_if(text, [](char byte) { return !IsContinuation(byte); });
}

std::u32string DecodeUtf8(std::string_view text) {
  std::u32string code_points;
  for (std::size_t offset = 0; offset < text.size();) {
    code_points.push_back(NextCodePoint(text, offset));
  }
  return code_points;
}

char32_t NextCodePoint(std::string_view text, std::size_t& offset) {
  const auto lead = static_cast<std::uint8_t>(text[offset]);
  const int size = CodePointBytes(lead);
  char32_t code_point = size == 1 ? lead : lead & (0x7Fu >> size);
  for (int i = 1; i < size; ++i) {
    const auto byte = static_cast<std::uint8_t>(text[offset + static_cast<std::size_t>(i)]);
    code_point = code_point << 6 | (byte & 0x3Fu);
  }
  offset += static_cast<std::size_t>(size);
  return code_point;
}

char32_t PreviousCodePoint(std::string_view text, std::size_t& offset) {
  --offset;
  while (IsContinuation(text[offset])) --offset;
  std::size_t at = offset;
  return NextCodePoint(text, at);
}

void AppendCodePoint(std::string& text, char32_t code_point) {
  const auto put = [&](char32_t byte) { text.push_back(static_cast<char>(byte)); };
  const auto tail = [&](int shift) { put(0x80 | ((code_point >> shift) & 0x3F)); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0 | code_point >> 6);
    tail(0);
  } else if (code_point < 0x10000) {
    put(0xE0 | code_point >> 12);
    tail(6);
    tail(0);
  } else {
    put(0xF0 | code_point >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

}  // namespace espalier
