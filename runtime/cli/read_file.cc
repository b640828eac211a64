#include "runtime/cli/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace espalier {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ > STDERR_FILENO) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  const int fd_;
};

Status Unreadable(Code code, std::string_view name) {
  return Status(code, fmt::format("{}: {}", name,
                                  std::strerror(errno)));  // NOLINT(concurrency-mt-unsafe)
}

}  // namespace

Result<std::string> ReadFile(const std::string& path) {
  const bool is_stdin = path == "-";
  const std::string_view name = is_stdin ? "stdin" : std::string_view(path);
  const Descriptor file(is_stdin ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return Unreadable(Code::kNotFound, name);
  struct stat facts = {};
  if (fstat(file.get(), &facts) == 0 && S_ISDIR(facts.st_mode)) {
    return Status(Code::kInvalidArgument, fmt::format("{}: is a folder, not a file", name));
  }
  std::string text;
  std::array<char, 1 << 16> piece;
  while (true) {
    const ssize_t size = read(file.get(), piece.data(), piece.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return Unreadable(Code::kDataLoss, name);
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
