#include "runtime/cli/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace espalier {

Result<InputFile> InputFile::Open(const std::string& path) {
  InputFile file(path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.fd_ < 0) return SystemError(path);
  struct stat facts = {};
  if (fstat(file.fd_, &facts) == 0 && S_ISDIR(facts.st_mode)) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{}: is a folder, not a file", path == "-" ? "stdin" : path));
  }
  return file;
}

InputFile::InputFile(InputFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

InputFile::~InputFile() {
  if (fd_ > STDIN_FILENO) close(fd_);
}

std::int64_t InputFile::size_bytes() const {
  struct stat facts = {};
  return fstat(fd_, &facts) == 0 && S_ISREG(facts.st_mode) ? facts.st_size : -1;
}

Status SystemError(const std::string& what) {
  const Code code = errno == ENOENT ? Code::kNotFound : Code::kInvalidArgument;
  return Status(code, fmt::format("{}: {}", what,
                                  std::strerror(errno)));  // NOLINT(concurrency-mt-unsafe)
}

}  // namespace espalier
