#include "runtime/local/wake_fd.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>

#include "kernels/base/check.h"

namespace espalier {

Status WakeFd::Open() {
  ESP_CHECK(fd_ < 0) << "opened twice";
  fd_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (fd_ >= 0) return Status();
  return Status(Code::kOverloaded,
                std::string("no file descriptor is left; close some, or raise ulimit -n (") +
                    std::strerror(errno) + ")");  // NOLINT(concurrency-mt-unsafe)
}

WakeFd::~WakeFd() {
  if (fd_ >= 0) close(fd_);
}

void WakeFd::Wake() const {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(fd_, &one, sizeof one);
}

bool WakeFd::Clear() const {
  std::uint64_t count = 0;
  return read(fd_, &count, sizeof count) == sizeof count;
}

}  // namespace espalier
