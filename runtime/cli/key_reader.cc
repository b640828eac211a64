#include "runtime/cli/key_reader.h"

#include <unistd.h>

#include <cerrno>

#include "kernels/base/utf8.h"

namespace espalier {

bool KeyReader::Fill() {
  ssize_t got = 0;
  do {
    got = read(fd_, bytes_.data(), bytes_.size());
  } while (got < 0 && errno == EINTR);
  at_ = 0;
  end_ = got > 0 ? static_cast<std::size_t>(got) : 0;
  return got > 0;
}

std::optional<unsigned char> KeyReader::Next() {
  if (!has_more() && !Fill()) return std::nullopt;
  return bytes_[at_++];
}

std::string KeyReader::CharacterFrom(unsigned char first) {
  const std::size_t length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  std::string character(1, static_cast<char>(first));
  if (first >= 0x80 && first < 0xC2) return "";  // begins no character
  while (character.size() < length) {
    if (!has_more() && !Fill()) return "";
    if ((bytes_[at_] & 0xC0) != 0x80) return "";
    character += static_cast<char>(bytes_[at_++]);
  }
  return ReadUtf8(character, 0).kind == Utf8Kind::kValid ? character : "";
}

}  // namespace espalier
