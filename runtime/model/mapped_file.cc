#include "runtime/model/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace espalier {
namespace {

std::string ErrorText(int error) { return std::generic_category().message(error); }

Status CannotOpen(const std::string& path, int error) {
  if (error == ENOENT) return Status(Code::kNotFound, path + ": there is no such file");
  return Status(Code::kInvalidArgument, path + ": cannot be opened: " + ErrorText(error));
}

}  // namespace

Result<MappedFile> MappedFile::Open(const std::string& path) {
  // O_NONBLOCK: a FIFO must not hang the open; it is refused below.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // NOLINT
  if (fd < 0) return CannotOpen(path, errno);
  struct stat facts {};
  if (::fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode)) {
    ::close(fd);
    return Status(Code::kInvalidArgument, path + ": is not a regular file");
  }
  MappedFile file;
  file.size_bytes_ = static_cast<std::size_t>(facts.st_size);
  if (file.size_bytes_ > 0) {
    void* memory = ::mmap(nullptr, file.size_bytes_, PROT_READ, MAP_PRIVATE, fd, 0);
    const int error = errno;
    if (memory == MAP_FAILED) {
      ::close(fd);
      return Status(Code::kInvalidArgument, path + ": cannot be mapped: " + ErrorText(error));
    }
    file.memory_ = memory;
  }
  ::close(fd);
  return file;
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : memory_(std::exchange(other.memory_, nullptr)),
      size_bytes_(std::exchange(other.size_bytes_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(size_bytes_, other.size_bytes_);
  return *this;
}

MappedFile::~MappedFile() {
  if (memory_ != nullptr) ::munmap(memory_, size_bytes_);
}

void MappedFile::DropPages() const {
  if (memory_ != nullptr) ::madvise(memory_, size_bytes_, MADV_DONTNEED);
}

}  // namespace espalier
