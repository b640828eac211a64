// The espalier program.
#include <fcntl.h>

#include <cerrno>
#include <csignal>
#include <string>
#include <vector>

#include "runtime/cli/bus_error.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/interrupt.h"
#include "runtime/cli/uncaught.h"

namespace {

// Without this the first files that are opened would get the numbers of closed standard
// streams, and what is written to stdout would go there. A write to one of these fails.
void HoldStandardStreams() {
  for (int fd = 0; fd <= 2; ++fd) {
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) open("/dev/null", O_RDONLY);
  }
}

}  // namespace

int main(int argc, char** argv) {
  HoldStandardStreams();
  std::signal(SIGPIPE, SIG_IGN);  // a write says so instead
  espalier::ExitOnInterrupt();
  espalier::ExplainBusErrors();
  espalier::ExplainUncaughtExceptions();
  const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
  return static_cast<int>(espalier::RunCommandLine(args));
}
