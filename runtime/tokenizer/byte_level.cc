#include "runtime/tokenizer/byte_level.h"

#include <array>

#include "kernels/base/utf8.h"

namespace espalier {
namespace {

constexpr int kNumRenamed = 68;
constexpr char32_t kFirstRenamed = 0x100;

constexpr bool StandsForItself(int byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) ||
         (byte >= 0xAE && byte <= 0xFF);
}

// renamed[i]: the byte that U+0100 + i stands for.
constexpr std::array<std::uint8_t, kNumRenamed> RenamedBytes() {
  std::array<std::uint8_t, kNumRenamed> renamed{};
  int next = 0;
  for (int byte = 0; byte < 256; ++byte) {
    if (!StandsForItself(byte)) renamed[next++] = static_cast<std::uint8_t>(byte);
  }
  return renamed;
}

constexpr std::array<std::uint8_t, kNumRenamed> kRenamed = RenamedBytes();

}  // namespace

std::optional<std::string> BytesFromByteLevel(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (std::size_t pos = 0; pos < text.size();) {
    const Utf8Char read = ReadUtf8(text, pos);
    pos += read.size;
    if (read.code < 256 && StandsForItself(static_cast<int>(read.code))) {
      bytes.push_back(static_cast<char>(read.code));
    } else if (read.code >= kFirstRenamed && read.code < kFirstRenamed + kNumRenamed) {
      bytes.push_back(static_cast<char>(kRenamed[read.code - kFirstRenamed]));
    } else {
      return std::nullopt;
    }
  }
  return bytes;
}

std::string ByteLevelFromByte(std::uint8_t byte) {
  char32_t code = byte;
  for (int i = 0; i < kNumRenamed; ++i) {
    if (kRenamed[i] == byte) code = kFirstRenamed + static_cast<char32_t>(i);
  }
  std::string text;
  AppendCodePoint(text, code);
  return text;
}

}  // namespace espalier
