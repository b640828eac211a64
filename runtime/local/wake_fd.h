// WakeFd: a file descriptor that another thread, or a signal handler, makes
// readable, so that one poll() can wait for events, input and signals at once.
//
// Open comes first; until then nothing wakes it.
//
// Thread safety: Wake is thread-safe and async-signal-safe; the rest is for the
// one thread that waits.
#pragma once

#include <chrono>
#include <optional>

#include "kernels/base/status.h"

namespace espalier {

class WakeFd {
 public:
  WakeFd() = default;
  ~WakeFd();
  WakeFd(const WakeFd&) = delete;
  WakeFd& operator=(const WakeFd&) = delete;

  // kOverloaded if this process has no file descriptor left. REQUIRES: not open yet.
  Status Open();

  int fd() const { return fd_; }
  void Wake() const;
  // Makes it unreadable until the next Wake(). Returns whether it was readable.
  bool Clear() const;
  // Until it is readable, or the deadline; at least as long as until that. False if the deadline
  // had passed before.
  using Deadline = std::optional<std::chrono::steady_clock::time_point>;  // unset: never
  bool Wait(Deadline deadline) const;

 private:
  int fd_ = -1;
};

}  // namespace espalier
