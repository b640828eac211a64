#include "runtime/local/wake_fd.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>

#include "kernels/base/check.h"

namespace espalier {
namespace {

// As poll() wants it: rounded up, so that nobody comes back too early; -1 is for ever.
int MillisecondsUntil(const WakeFd::Deadline& deadline) {
  if (!deadline) return -1;
  constexpr std::int64_t kLongest = std::int64_t{24} * 3600 * 1000;
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(*deadline - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, kLongest));
}

}  // namespace

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

bool WakeFd::Wait(Deadline deadline) const {
  const int timeout_ms = MillisecondsUntil(deadline);
  if (timeout_ms == 0) return false;
  pollfd fds = {.fd = fd_, .events = POLLIN, .revents = 0};
  poll(&fds, 1, timeout_ms);
  return true;
}

}  // namespace espalier
