#include "runtime/cli/bus_error.h"

#include <unistd.h>

#include <csignal>
#include <string_view>

#include "runtime/cli/exit_code.h"
#include "runtime/cli/raw_terminal.h"

namespace espalier {
namespace {

// Only what a signal's handler may do.
void OnBusError(int) {
  constexpr std::string_view kMessage =
      "espalier: error: a part of a file in use cannot be read any more: the model was shortened "
      "or replaced while it ran, or its disk fails\n";
  GiveTerminalBack();
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kMessage.data(), kMessage.size());
  _exit(static_cast<int>(ExitCode::kFailed));
}

}  // namespace

void ExplainBusErrors() { std::signal(SIGBUS, OnBusError); }

}  // namespace espalier
