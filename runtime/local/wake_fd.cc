#include "runtime/local/wake_fd.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

#include "kernels/base/check.h"

namespace espalier {

WakeFd::WakeFd() : fd_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  ESP_CHECK(fd_ >= 0) << "no file descriptor is left";
}

WakeFd::~WakeFd() { close(fd_); }

void WakeFd::Wake() const {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(fd_, &one, sizeof one);
}

bool WakeFd::Clear() const {
  std::uint64_t count = 0;
  return read(fd_, &count, sizeof count) == sizeof count;
}

}  // namespace espalier
