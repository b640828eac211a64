#include "runtime/cli/interrupt.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>

namespace espalier {
namespace {

// A signal handler reaches nothing but globals.
volatile std::sig_atomic_t interrupt_fd = -1;

void Exit(int) { _exit(130); }

void Raise(int) {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(interrupt_fd, &one, sizeof one);
}

void OnInterrupt(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigaction(SIGINT, &action, nullptr);
}

}  // namespace

void ExitOnInterrupt() { OnInterrupt(Exit); }

InterruptFlag::InterruptFlag() {
  interrupt_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  OnInterrupt(Raise);
}

InterruptFlag::~InterruptFlag() {
  ExitOnInterrupt();
  close(interrupt_fd);
  interrupt_fd = -1;
}

bool InterruptFlag::Take() {
  std::uint64_t count = 0;
  return read(interrupt_fd, &count, sizeof count) == sizeof count;
}

int InterruptFlag::fd() const { return interrupt_fd; }

}  // namespace espalier
