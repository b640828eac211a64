#include "runtime/cli/interrupt.h"

#include <unistd.h>

#include <csignal>

#include "runtime/cli/exit_code.h"
#include "runtime/cli/raw_terminal.h"

namespace espalier {
namespace {

// A signal handler reaches nothing but globals.
const WakeFd* interrupted = nullptr;

void Exit(int) {
  GiveTerminalBack();
  _exit(static_cast<int>(ExitCode::kInterrupted));
}
void Raise(int) { interrupted->Wake(); }

void OnInterrupt(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigaction(SIGINT, &action, nullptr);
}

}  // namespace

void ExitOnInterrupt() { OnInterrupt(Exit); }

Status InterruptFlag::Start() {
  ESP_RETURN_IF_ERROR(wake_.Open());
  interrupted = &wake_;
  OnInterrupt(Raise);
  return Status();
}

InterruptFlag::~InterruptFlag() { ExitOnInterrupt(); }

}  // namespace espalier
