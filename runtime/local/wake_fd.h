// WakeFd: a file descriptor that another thread, or a signal handler, makes
// readable, so that one poll() can wait for events, input and signals at once.
//
// Thread safety: Wake is thread-safe and async-signal-safe; the rest is for the
// one thread that waits.
#pragma once

namespace espalier {

class WakeFd {
 public:
  WakeFd();
  ~WakeFd();
  WakeFd(const WakeFd&) = delete;
  WakeFd& operator=(const WakeFd&) = delete;

  int fd() const { return fd_; }
  void Wake() const;
  // Makes it unreadable until the next Wake(). Returns whether it was readable.
  bool Clear() const;

 private:
  int fd_;
};

}  // namespace espalier
