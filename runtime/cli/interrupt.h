// Ctrl-C. By default it ends the program at once with exit code 130; a command
// that can stop a part of its work instead asks for the flag.
//
// Thread safety: main thread only.
#pragma once

#include "runtime/local/wake_fd.h"

namespace espalier {

// SIGINT ends the process with exit code 130, whatever it is doing.
void ExitOnInterrupt();

// From Start on and while it lives, SIGINT sets a flag instead. One at a time.
class InterruptFlag {
 public:
  InterruptFlag() = default;
  ~InterruptFlag();  // back to ExitOnInterrupt
  InterruptFlag(const InterruptFlag&) = delete;
  InterruptFlag& operator=(const InterruptFlag&) = delete;

  // Fails as WakeFd::Open does.
  Status Start();

  // Whether SIGINT came since the last call.
  bool Take() { return wake_.Clear(); }

  // Readable once SIGINT came and until Take(): to wait for it in poll().
  int fd() const { return wake_.fd(); }

 private:
  WakeFd wake_;
};

}  // namespace espalier
