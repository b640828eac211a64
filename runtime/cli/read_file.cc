#include "runtime/cli/read_file.h"

#include <unistd.h>

#include <array>
#include <cerrno>

#include <fmt/format.h>

#include "runtime/cli/input_file.h"

namespace espalier {
Result<std::string> ReadFile(const std::string& path) {
  const std::string name = path == "-" ? "stdin" : path;
  ESP_ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(path));
  std::string text;
  std::array<char, 1 << 16> piece;
  while (true) {
    const ssize_t size = read(file.fd(), piece.data(), piece.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return SystemError(name);
    if (size == 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(size));
    if (text.size() > kMaxFileBytes) {
      return Status(Code::kLimit, fmt::format("{}: longer than {} bytes", name, kMaxFileBytes));
    }
  }
}

Result<std::string> ReadJsonOrFile(const std::string& value) {
  const std::size_t first = value.find_first_not_of(" \t\r\n");
  const bool is_json = first != std::string::npos && value[first] == '{';
  return is_json ? value : ReadFile(value);
}

}  // namespace espalier
