#include "frontend_lang/script/values/text/utf8.h"

#include <cstdint>
#include <cstring>

namespace espalier::lang {
namespace {

// Bytes of the valid code point at `offset`, or 0. (Unicode 15, table 3-7.)
std::size_t ValidAt(std::string_view text, std::size_t offset) {
  const auto byte = [&](std::size_t i) {
    return offset + i < text.size() ? static_cast<unsigned char>(text[offset + i]) : 0;
  };
  const int lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  const int low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const int high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < low || byte(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

}  // namespace

std::int64_t CountCodePoints(std::string_view text) {
  std::int64_t count = 0;
  for (const char c : text) count += !IsContinuation(c);
  return count;
}

char32_t NextCodePoint(std::string_view text, std::size_t& offset) {
  const auto byte = [&](std::size_t i) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[offset + i]));
  };
  const char32_t lead = byte(0);
  char32_t code_point = lead;
  int length = 1;
  if (lead >= 0xF0) {
    code_point = (lead & 7) << 18 | (byte(1) & 63) << 12 | (byte(2) & 63) << 6 | (byte(3) & 63);
    length = 4;
  } else if (lead >= 0xE0) {
    code_point = (lead & 15) << 12 | (byte(1) & 63) << 6 | (byte(2) & 63);
    length = 3;
  } else if (lead >= 0x80) {
    code_point = (lead & 31) << 6 | (byte(1) & 63);
    length = 2;
  }
  offset += length;
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
  const auto tail = [&](int shift) { put(0x80 | ((code_point >> shift) & 63)); };
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

std::size_t ValidUtf8Length(std::string_view text) {
  std::size_t offset = 0;
  while (offset < text.size()) {
    std::uint64_t eight = 0;
    if (text.size() - offset >= sizeof eight) {  // most text is ASCII
      std::memcpy(&eight, text.data() + offset, sizeof eight);
      if ((eight & 0x8080808080808080) == 0) {
        offset += sizeof eight;
        continue;
      }
    }
    const std::size_t length = ValidAt(text, offset);
    if (length == 0) break;
    offset += length;
  }
  return offset;
}

std::string RepairUtf8(std::string_view text) {
  std::string repaired;
  while (true) {
    const std::size_t valid = ValidUtf8Length(text);
    repaired.append(text.substr(0, valid));
    if (valid == text.size()) return repaired;
    repaired.append("\xEF\xBF\xBD");
    std::size_t skip = valid + 1;
    while (skip < text.size() && IsContinuation(text[skip])) ++skip;
    text.remove_prefix(skip);
  }
}

}  // namespace espalier::lang
