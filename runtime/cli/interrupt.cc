#include "runtime/cli/interrupt.h"

#include <unistd.h>

#include <csignal>

namespace espalier {
namespace {

// A signal handler reaches nothing but globals.
const WakeFd* interrupted = nullptr;

void Exit(int) { _exit(130); }
void Raise(int) { interrupted->Wake(); }

void OnInterrupt(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigaction(SIGINT, &action, nullptr);
}

}  // namespace

void ExitOnInterrupt() { OnInterrupt(Exit); }

InterruptFlag::InterruptFlag() {
  interrupted = &wake_;
  OnInterrupt(Raise);
}

InterruptFlag::~InterruptFlag() { ExitOnInterrupt(); }

}  // namespace espalier
